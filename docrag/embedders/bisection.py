"""Embedding in batches, with a search for the texts that a server cannot embed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from docrag.api import EmbedderError, Vectors
from docrag.embedders.endpoint import RefusedTexts
from docrag.embedders.rows import FaultyRow, no_rows

#: A text that every model embeds; if it fails too, the server is at fault and not the batch.
PROBE = "docrag"


@dataclass(slots=True, kw_only=True)
class _Run:
    """One call's state: what came back, and what is at fault."""

    embed: Callable[[Sequence[str]], Vectors]
    texts: Sequence[str]
    rows: list[Vectors] = field(default_factory=list)
    faults: dict[int, EmbedderError] = field(default_factory=dict)
    probed: bool = False

    def halves(self, start: int, stop: int) -> None:
        """Embed a span; on a refusal its two halves, down to the single text."""
        try:
            self.rows.append(self.embed(self.texts[start:stop]))
        except (RefusedTexts, FaultyRow) as exc:
            self.check_server()
            if stop - start == 1:
                self.faults[start] = exc
                return
            middle = (start + stop) // 2
            self.halves(start, middle)
            self.halves(middle, stop)

    def check_server(self) -> None:
        """Ask once for a harmless text, so that a broken server is not taken for bad texts."""
        if not self.probed:
            self.probed = True
            self.embed([PROBE])


def embed_batches(
    texts: Sequence[str],
    embed: Callable[[Sequence[str]], Vectors],
    *,
    dim: int,
    batch_size: int,
    model_id: str,
) -> Vectors:
    """Vectors of all texts, ``batch_size`` at a time.

    :param embed: one request; raises :class:`RefusedTexts` or :class:`FaultyRow` when single
        texts may be at fault. It is called at most ``2 n - 1`` times for a batch of ``n`` texts.
    :returns: float32 ``(len(texts), dim)``, in input order.
    :raises EmbedderError: the server failed; or single texts did, which its ``indices`` name.
    """
    if not texts:
        return no_rows(dim)
    run = _Run(embed=embed, texts=texts)
    for start in range(0, len(texts), batch_size):
        run.halves(start, min(start + batch_size, len(texts)))
    if run.faults:
        raise _unusable(run.faults, len(texts), model_id) from next(iter(run.faults.values()))
    return np.concatenate(run.rows)


def _unusable(faults: dict[int, EmbedderError], total: int, model_id: str) -> EmbedderError:
    too_long = [
        index for index, exc in faults.items() if isinstance(exc, RefusedTexts) and exc.length
    ]
    why = f", {len(too_long)} of them for their length" if too_long else ""
    return EmbedderError(
        f"{model_id} could not embed {len(faults)} of {total} texts{why}; cut or leave out those "
        "that the error lists",
        indices=tuple(faults),
        too_long=too_long,
    )
