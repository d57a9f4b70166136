"""Chunker that cuts where the meaning changes from one sentence to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docrag.api import EmbedderError, SettingsError, spans
from docrag.chunkers.flow import flows
from docrag.chunkers.limits import check_limits
from docrag.chunkers.packing import cut, packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docrag.api import Chunk, Embedder, Page, Vectors
    from docrag.chunkers.flow import Flow
    from docrag.chunkers.packing import Span

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v1"
#: Sentences that are embedded at a time, as many as every embedder takes.
BATCH = 32
#: Percentiles go to this.
_ALL = 100


class SemanticChunker:
    """Fills chunks with whole sentences that are near in meaning, never across a page.

    Breakpoints by percentile (Kamradt, 2023, "5 levels of text splitting", level 4): every sentence
    is embedded together with both its neighbours, and the text is cut where the cosine distance of
    two that follow each other is above the percentile of all such distances of the document.
    Deviations: a chunk is bounded by ``size``, a page ends one, and neighbours are left out where
    the three would be longer than a chunk. Every sentence is embedded twice over: once to cut,
    once in its chunk.
    """

    def __init__(
        self,
        *,
        embedder: Embedder | None,
        size: int = 1000,
        overlap: int = 150,
        percentile: float = 95.0,
    ) -> None:
        """Build a chunker.

        :param embedder: tells which sentences are near each other.
        :param size: most characters of a chunk, 50 or more.
        :param overlap: most characters of whole sentences that a chunk repeats of the one before
            where ``size`` and not the meaning ends it, 0 to half of size.
        :param percentile: 0 to 100; higher cuts less often.
        :raises SettingsError: a value is out of its range, or there is no embedder.
        """
        check_limits("semantic", size=size, overlap=overlap)
        if embedder is None:
            raise SettingsError(
                "semantic chunker: it needs an embedder, but DOCRAG_EMBEDDER is 'none'; choose "
                "one, or set DOCRAG_CHUNKER=structure"
            )
        if not 0 <= percentile <= _ALL:
            raise SettingsError(
                f"semantic chunker: percentile must be between 0 and 100, not {percentile}"
            )
        self._embedder = embedder
        self._size = size
        self._overlap = overlap
        self._percentile = percentile
        self.fingerprint = f"semantic/{size}/{overlap}/{percentile:g}/{embedder.model_id}/{VERSION}"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages.

        :raises EmbedderError: the embedder failed for other reasons than single sentences.
        """
        parts = [(flow, self._units(flow)) for flow in flows(pages)]
        texts = [text for flow, units in parts for text in self._texts(flow, units)]
        far = self._far(texts)
        ordinal = place = 0
        for flow, units in parts:
            for group in _groups(flow, units, far[place : place + len(units)]):
                for start, end in packed(group, size=self._size, overlap=self._overlap):
                    yield flow.chunk(start, end, ordinal=ordinal)
                    ordinal += 1
            place += len(units)

    def _units(self, flow: Flow) -> list[Span]:
        """The sentences of each page, in pieces of at most ``size`` characters."""
        found: list[Span] = []
        for start, end in zip(flow.starts, [*flow.starts[1:], len(flow.text)], strict=True):
            for first, last in spans(flow.text[start:end]):
                found += cut(flow.text, start + first, start + last, size=self._size)
        return found

    def _texts(self, flow: Flow, units: Sequence[Span]) -> Iterator[str]:
        """Each unit together with its neighbours, or alone where that is too long."""
        for place, (start, end) in enumerate(units):
            first = units[max(0, place - 1)][0]
            last = units[min(len(units) - 1, place + 1)][1]
            if last - first > self._size:
                first, last = start, end
            yield flow.text[first:last]

    def _far(self, texts: Sequence[str]) -> list[bool]:
        """For each text, whether its distance to the one before is above the percentile."""
        if not texts:
            return []
        rows = np.concatenate(
            [self._vectors(texts[n : n + BATCH]) for n in range(0, len(texts), BATCH)]
        )
        distances = 1.0 - np.sum(rows[1:] * rows[:-1], axis=1)
        known = distances[~np.isnan(distances)]
        if not len(known):
            return [False] * len(texts)
        return [False, *(distances > np.percentile(known, self._percentile)).tolist()]

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts; of one that the embedder refuses, not-a-number."""
        try:
            return self._embedder.embed_documents(texts)
        except EmbedderError as exc:
            if not exc.indices:
                raise
            good = [n for n in range(len(texts)) if n not in set(exc.indices)]
        rows = np.full((len(texts), self._embedder.dim), np.nan, dtype=np.float32)
        if good:
            rows[good] = self._vectors([texts[n] for n in good])
        return rows


def _groups(flow: Flow, units: Sequence[Span], far: Sequence[bool]) -> Iterator[list[Span]]:
    """Neighbouring units of one page without a breakpoint between them."""
    group: list[Span] = []
    for unit, breaks in zip(units, far, strict=True):
        if group and (breaks or flow.index_at(group[-1][0]) != flow.index_at(unit[0])):
            yield group
            group = []
        group.append(unit)
    if group:
        yield group
