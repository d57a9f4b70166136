"""Chunker for Turkish laws and regulations: one article a chunk, or runs of whole paragraphs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, groupby
from typing import TYPE_CHECKING

from docrag.chunkers.flow import flows
from docrag.chunkers.legal_headings import Counters, heading_of
from docrag.chunkers.legal_lines import BODY, HEAD, NOTE, lines_of
from docrag.chunkers.legal_names import article_name, part_name, record, section, titled
from docrag.chunkers.legal_notes import status_of
from docrag.chunkers.legal_outline import MIN_ARTICLES, Outline
from docrag.chunkers.legal_paragraphs import paragraphs_of
from docrag.chunkers.legal_part import ANNEX, ARTICLE, TABLE
from docrag.chunkers.legal_pieces import Cutter, cut_text
from docrag.chunkers.legal_plain import Body
from docrag.chunkers.limits import check_limits
from docrag.chunkers.structure import StructureChunker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docrag.api import Chunk, Page
    from docrag.chunkers.flow import Flow
    from docrag.chunkers.legal_headings import Heading
    from docrag.chunkers.legal_lines import Line
    from docrag.chunkers.legal_paragraphs import Node
    from docrag.chunkers.legal_part import Part
    from docrag.chunkers.legal_pieces import Piece

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v4"
#: Lines that may be a heading; the rest of a page need not be looked at.
_CANDIDATE = re.compile(
    r"^[^\n]{0,24}?(?:MADDE|Madde|madde|M[ \t]A[ \t]D[ \t]D[ \t]E)[^\n]{0,200}", re.M
)
#: What is no article, and its label.
_LABELS = {TABLE: "Değişiklik listesi"}
_FOOTNOTE = "Dipnot"
#: Characters of an annex's name that make its label.
_ANNEX_NAME = re.compile(r"(?:EK|Ek)[ \t]?[-–: ]?[ \t]?\w{1,4}")


def finds_law(pages: Iterable[Page]) -> bool:
    """True if the pages hold at least three headings of articles that count on; stops there."""
    counters, found = Counters(), 0
    heading: Heading | None = None
    for following in chain(_headings(pages), [None]):
        if heading is not None:
            is_same = following is not None and following.kind == heading.kind
            found += counters.accept(heading, following if is_same else None)
        if found == MIN_ARTICLES:
            return True
        heading = following
    return False


def _headings(pages: Iterable[Page]) -> Iterator[Heading]:
    for page in pages:
        for line in _CANDIDATE.finditer(page.text):
            heading = heading_of(line[0].strip())
            if heading is not None:
                yield heading


class LegalChunker:
    """Cuts laws along articles, paragraphs (fıkra) and items (bent); see ``split``."""

    def __init__(self, *, size: int = 1200, overlap: int = 0) -> None:
        """Build a chunker.

        :param size: most characters of a chunk, 50 or more; from 500 on, an item that alone is
            longer may have up to 1.7 times as many, with items of its own 2.5 times.
        :param overlap: checked like that of other chunkers; used only for a document that is no
            law, for whole paragraphs need none.
        :raises SettingsError: a value is out of its range.
        """
        check_limits("legal_tr", size=size, overlap=overlap)
        self._size = size
        self._other = StructureChunker(size=size, overlap=overlap)
        self.fingerprint = f"legal_tr/{size}/{VERSION}"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages.

        A chunk is one whole article or a run of its paragraphs or items, with the article's
        record, never of two articles; an item is cut, between its own items or else at the ends of
        sentences, only if it alone is much longer than ``size``. What stands before, footnotes
        between paragraphs of an article that is too long, annexes and the table of amendments are
        chunks without a record.
        A document with fewer than three articles is cut as the structure chunker does.
        """
        read = list(pages)
        joined = flows(read)
        outline = Outline(lines_of(joined)) if finds_law(read) else None
        if outline is None or outline.count < MIN_ARTICLES:
            yield from self._other.split(read)
            return
        chunks = _Chunks(outline, joined, size=self._size).all()
        for ordinal, chunk in enumerate(chunks):
            yield replace(chunk, ordinal=ordinal)


class _Chunks:
    """The chunks of one law."""

    def __init__(self, outline: Outline, joined: Sequence[Flow], *, size: int) -> None:
        self._outline, self._flows, self._size = outline, joined, size
        self._lines: Sequence[Line] = outline.lines
        self._measure = outline.measure
        self._quoted = frozenset(outline.quoted)

    def all(self) -> Iterator[Chunk]:
        """In reading order, all with ordinal 0."""
        for part in self._outline.parts:
            if part.kind == ARTICLE:
                yield from self._article(part)
            else:
                yield from self._other(part)

    def _runs(self, part: Part) -> Iterator[tuple[Flow, int, int]]:
        """A part's lines flow by flow: the flow, its first line and the one behind the last."""
        places = range(part.first, part.last)
        for number, run in groupby(places, key=lambda at: self._lines[at].flow):
            of_flow = list(run)
            yield self._flows[number], of_flow[0], of_flow[-1] + 1

    def _other(self, part: Part) -> Iterator[Chunk]:
        """Text that is no article, in whole sentences."""
        name = part.title if part.kind in (ANNEX, TABLE) else ""
        label = _ANNEX_NAME.match(name) if part.kind == ANNEX else None
        for flow, first, last in self._runs(part):
            roles = {line.role for line in self._lines[first:last]}
            if not roles & {BODY, NOTE}:
                continue
            start, end = flow.trimmed(self._lines[first].start, self._lines[last - 1].end)
            for begin, behind in cut_text(flow.text, start, end, size=self._size):
                yield flow.chunk(
                    begin,
                    behind,
                    ordinal=0,
                    section=section(flow.section, part.path, name),
                    label=label[0] if label else _LABELS.get(part.kind, ""),
                )

    def _article(self, part: Part) -> Iterator[Chunk]:
        status = self._status(part)
        before = 0
        for flow, first, last in self._runs(part):
            nodes = paragraphs_of(self._body(part, first, last, before))
            cutter = Cutter(self._lines, flow, size=self._size)
            for piece, is_whole in _pieces(cutter, nodes):
                yield self._chunk(part, flow, piece, status=status, is_whole=is_whole)
            before = max((node.paragraph or 0 for node in nodes), default=0)

    def _body(self, part: Part, first: int, last: int, before: int) -> Body:
        begins = first <= part.at < last
        return Body(
            lines=self._lines,
            first=first,
            last=last,
            at=part.at if begins else first - 1,
            rest=self._rest(part) if begins else "",
            quoted=self._quoted,
            measure=self._measure,
            before=before,
        )

    def _rest(self, part: Part) -> str:
        """All that the heading's line says behind the number."""
        text = self._lines[part.at].text
        rest = part.heading.rest if part.heading else ""
        return rest + text[HEAD:]

    def _status(self, part: Part) -> str:
        lines = self._lines[part.at + 1 : part.last]
        body = [self._rest(part), *(line.text for line in lines if line.role == BODY)]
        return status_of("\n".join(body))

    def _chunk(self, part: Part, flow: Flow, piece: Piece, *, status: str, is_whole: bool) -> Chunk:
        heading = part.heading
        if heading is None or piece.nodes[0].is_note:
            place = section(flow.section, part.path, _FOOTNOTE)
            return flow.chunk(piece.start, piece.end, ordinal=0, section=place, label=_FOOTNOTE)
        name = article_name(heading, status)
        annex = "" if part.is_own else _annex_label(part.path)
        within = "" if is_whole else part_name(piece.nodes)
        ending = f", {within}" if within else ""
        return flow.chunk(
            piece.start,
            piece.end,
            ordinal=0,
            section=section(flow.section, part.path, titled(name, part.title) + ending),
            label=(f"{annex}, {name}" if annex else name) + ending,
            article=record(heading, status, piece.nodes) if part.is_own else None,
        )


def _annex_label(path: Sequence[str]) -> str:
    """Short name of the annex that an article stands in; empty for one of no annex."""
    label = _ANNEX_NAME.match(path[0]) if path else None
    return label[0] if label else ""


def _pieces(cutter: Cutter, nodes: Sequence[Node]) -> Iterator[tuple[Piece, bool]]:
    """The pieces of an article, and whether each is all of its text."""
    text = list(nodes)
    while text and text[-1].is_note:
        text.pop()
    whole = cutter.whole(nodes)
    if whole is not None:
        yield whole, True
        return
    whole = cutter.whole(text) if text else None
    if whole is not None:
        yield whole, True
        yield from ((piece, False) for piece in cutter.pieces(nodes[len(text) :]))
        return
    yield from ((piece, False) for piece in cutter.pieces(nodes))
