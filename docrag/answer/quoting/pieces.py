"""What can be quoted of a source: its sentences, list items and table rows in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

from docrag.answer.quoting.headings import is_heading
from docrag.answer.quoting.items import PARAGRAPH, follows, form, introduces
from docrag.answer.quoting.remarks import borders, is_remark, joined
from docrag.answer.quoting.tabular import Row, rows
from docrag.api import Article, Citation, StoredChunk, spans
from docrag.joining import Run, runs

#: A line that begins an item behind a line that may stand before one.
_ITEM_LINE: Final = re.compile(
    r"(?<=[:;,.])[ \t]*\n(?=[ \t]*(?:[a-zçğıöşü]\)|\d{1,2}\)|\(\d{1,2}\))\s)"
)
#: A piece of a run with its place, and the chunk's.
_Placed: TypeAlias = tuple[int, StoredChunk]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A sentence, an item or a row, as it can be quoted."""

    #: Number of its source.
    citation: int
    #: Place among the pieces of its source, from 0.
    position: int
    #: With single blanks; a row as ``Kıdem: 1 yıl; İzin: 15 iş günü``.
    text: str
    #: ``sentence``, ``item``, ``row``, ``head`` (of a table), ``columns`` (such a head whose names
    #: no row tells), ``heading`` or ``remark``.
    kind: str
    #: Heading path of the chunk that it begins in.
    section: str
    #: Position of the sentence that introduces its list or table; ``None`` for none.
    lead: int | None = None
    #: True if no found chunk holds any of it.
    is_neighbour: bool = False
    #: True if it begins in an article that is no longer in force.
    is_repealed: bool = False
    #: Page that it begins on, from 1; ``None`` for a format without pages.
    page: int | None = None
    #: Article that it begins in.
    article: Article | None = None
    #: Document, and place in it of the chunk that it begins in.
    document: str = ""
    ordinal: int = 0
    #: Number of its paragraph, which an empty line ends, among those of its run of chunks.
    paragraph: int = 0

    @property
    def is_body(self) -> bool:
        """True for what can say something, unlike a heading or a remark."""
        return self.kind in ("sentence", "item", "row")


def pieces(citation: Citation) -> list[Piece]:
    """All pieces of a source in reading order; one that stands twice in it comes once.

    An item comes again where another one stands before it, as in a second list. Chunks that stand
    beside each other are read as one text, so that a sentence over their border is whole.
    """
    found: dict[tuple[str, str], Piece] = {}
    last = ""
    chunks = iter(citation.chunks)
    for run in runs((chunk.ordinal, chunk.text) for chunk in citation.chunks):
        placed = [(start, next(chunks)) for start in run.starts]
        for start, end, row in _cut(run):
            piece = _piece(citation, run, placed, (start, end), row)
            key = (last if piece.kind == "item" else "", piece.text)
            last = piece.text
            before = found.get(key)
            if before is None:
                found[key] = replace(piece, position=len(found))
            else:
                found[key] = replace(
                    before,
                    is_neighbour=before.is_neighbour and piece.is_neighbour,
                    is_repealed=before.is_repealed or piece.is_repealed,
                )
    return list(_led(list(found.values())))


def _cut(run: Run) -> Iterator[tuple[int, int, Row | None]]:
    """Start and end of sentences, and of rows with what they say, in order."""
    tables = rows(run.text)
    done = 0
    for start, end in joined(run.text, spans(run.text)):
        while tables and tables[0].start < end:
            row = tables.pop(0)
            yield from _plain(run.text, max(start, done), row.start)
            yield row.start, row.end, row
            done = row.end
        yield from _plain(run.text, max(start, done), end)


def _plain(text: str, start: int, end: int) -> Iterator[tuple[int, int, None]]:
    """A stretch without its outer blanks, unless nothing is left; items and footnotes apart."""
    ends = [found.end() for found in _ITEM_LINE.finditer(text, start, max(start, end))]
    parts = sorted({*ends, *borders(text, start, max(start, end))})
    for first, last in pairwise((start, *parts, end)):
        kept = text[first:last]
        if kept.strip():
            begin = first + len(kept) - len(kept.lstrip())
            yield begin, begin + len(kept.strip()), None


def _piece(
    citation: Citation, run: Run, placed: Sequence[_Placed], span: tuple[int, int], row: Row | None
) -> Piece:
    start, end = span
    at, chunk = next(one for one in reversed(placed) if one[0] <= start)
    text = row.text if row else " ".join(run.text[start:end].split())
    is_found = any(
        first < end and start < first + len(other.text)
        for first, other in placed
        if other.chunk_id not in citation.neighbours
    )
    return Piece(
        citation=citation.number,
        position=0,
        text=text,
        kind=_kind(text, citation, row),
        section=chunk.section,
        is_neighbour=not is_found,
        is_repealed=bool(chunk.article and chunk.article.status),
        page=chunk.page_at(start - at),
        article=chunk.article,
        document=citation.document_id,
        ordinal=chunk.ordinal,
        paragraph=run.text.count("\n\n", 0, start),
    )


def _kind(text: str, citation: Citation, row: Row | None) -> str:
    if row:
        return "row" if not row.is_head else "columns" if row.is_bare else "head"
    if is_heading(text, citation):
        return "heading"
    if is_remark(text):
        return "remark"
    return "item" if form(text) else "sentence"


def _led(found: list[Piece]) -> Iterator[Piece]:
    """The pieces, items and rows with the sentence that introduces them.

    Lists stand in lists: an item that follows one of an outer list is of that again.
    """
    lists: list[Piece] = []
    for at, piece in enumerate(found):
        lead = None
        if piece.kind == "row":
            lead = _introducing(found, at, ("row", "head", "columns", "remark"))
        elif piece.kind == "item":
            lead = _lead(found, at, lists)
            lists.append(replace(piece, lead=lead))
        elif piece.kind == "heading":
            lists.clear()
        yield replace(piece, lead=lead)


def _lead(found: Sequence[Piece], at: int, lists: list[Piece]) -> int | None:
    """What introduces an item.

    :param lists: the last item of each list that is open, outer ones first; those that end with
        this item are taken out.
    """
    text = found[at].text
    for n in reversed(range(len(lists))):
        if follows(lists[n].text, text) and (_is_counted(text) or found[at - 1].kind == "item"):
            lead = lists[n].lead
            del lists[n:]
            return lead
    if PARAGRAPH.match(text):
        lists.clear()
        before = _introducing(found, at, ("remark",))
        return before if before is not None and found[before].text.endswith(":") else None
    return _introducing(found, at, ("remark",), also=",")


def _is_counted(text: str) -> bool:
    return text[0] not in "•*–-"


def _introducing(
    found: Sequence[Piece], at: int, beyond: tuple[str, ...], also: str = ""
) -> int | None:
    """Place of the last piece before this one that is of none of these kinds, if it introduces."""
    place = next((n for n in range(at - 1, -1, -1) if found[n].kind not in beyond), None)
    if place is None or found[place].kind == "heading":
        return None
    text = found[place].text
    return place if introduces(text) or (also and text.endswith(also)) else None
