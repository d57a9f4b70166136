"""What can be quoted of a source: its sentences, list items and table rows in reading order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from docrag.answer.headings import is_heading
from docrag.answer.tabular import Row, rows
from docrag.api import Article, Citation, StoredChunk, spans
from docrag.joining import Run, runs

#: Beginnings of a list's items; those of one list have one form.
ITEM_FORMS: Final = tuple(
    re.compile(rf"{form}\s")
    for form in (r"[a-zçğıöşü]\)", r"\d{1,2}[.)]", r"\(\d{1,2}\)", "[•*–-]")
)
#: Number of a paragraph of a law ("(2)"), which is an item's form and introduces items itself.
PARAGRAPH: Final = ITEM_FORMS[2]
#: What a sentence that introduces a list ends with; paragraphs are introduced by a colon only.
_LEADS: Final = (":", ";", ",")
#: A remark of a law's editors ("(Ek fıkra: 29/1/2016-6663/22 md.)"), or figures alone.
_REMARK: Final = re.compile(
    r"\((?:Ek|Değişik|Mülga|İptal|Yeniden|Başlığı|Mükerrer)[^()]*(?:\([^()]*\)[^()]*)*\)?\W*\d*\W*|[\W\d]*"
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
    #: ``sentence``, ``item``, ``row``, ``head`` (of a table), ``heading`` or ``remark``.
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

    @property
    def is_body(self) -> bool:
        """True for what can say something, unlike a heading or a remark."""
        return self.kind in ("sentence", "item", "row")


def pieces(citation: Citation) -> list[Piece]:
    """All pieces of a source in reading order; one that stands twice in it comes once.

    Chunks that stand beside each other are read as one text, so that a sentence over their border
    is whole.
    """
    found: dict[str, Piece] = {}
    chunks = iter(citation.chunks)
    for run in runs((chunk.ordinal, chunk.text) for chunk in citation.chunks):
        placed = [(start, next(chunks)) for start in run.starts]
        for start, end, row in _cut(run):
            piece = _piece(citation, run, placed, (start, end), row)
            before = found.get(piece.text)
            if before is None:
                found[piece.text] = replace(piece, position=len(found))
            else:
                found[piece.text] = replace(
                    before,
                    is_neighbour=before.is_neighbour and piece.is_neighbour,
                    is_repealed=before.is_repealed or piece.is_repealed,
                )
    return list(_led(list(found.values())))


def form(text: str) -> re.Pattern[str] | None:
    """The form of a list's item that a text begins with, if it does."""
    return next((form for form in ITEM_FORMS if form.match(text)), None)


def _cut(run: Run) -> Iterator[tuple[int, int, Row | None]]:
    """Start and end of sentences, and of rows with what they say, in order."""
    tables = rows(run.text)
    done = 0
    for start, end in spans(run.text):
        while tables and tables[0].start < end:
            row = tables.pop(0)
            yield from _plain(run.text, max(start, done), row.start)
            yield row.start, row.end, row
            done = row.end
        yield from _plain(run.text, max(start, done), end)


def _plain(text: str, start: int, end: int) -> Iterator[tuple[int, int, None]]:
    """A stretch without its outer blanks, unless nothing is left."""
    kept = text[start:end]
    if kept.strip():
        first = start + len(kept) - len(kept.lstrip())
        yield first, first + len(kept.strip()), None


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
    )


def _kind(text: str, citation: Citation, row: Row | None) -> str:
    if row:
        return "head" if row.is_head else "row"
    if is_heading(text, citation):
        return "heading"
    if _REMARK.fullmatch(text):
        return "remark"
    return "item" if form(text) else "sentence"


def _led(found: list[Piece]) -> Iterator[Piece]:
    """The pieces, items and rows with the sentence that introduces them."""
    for at, piece in enumerate(found):
        lead = None
        if piece.kind == "row":
            lead = _before(found, at, _is_tabular)
        elif piece.kind == "item" and (own := form(piece.text)):
            lead = _before(found, at, partial(_has_form, own))
        ends = _LEADS[:1] if PARAGRAPH.match(piece.text) else _LEADS
        introduces = lead is not None and found[lead].text.endswith(ends)
        yield replace(piece, lead=lead if introduces else None)


def _is_tabular(piece: Piece) -> bool:
    return piece.kind in ("row", "head")


def _has_form(form: re.Pattern[str], piece: Piece) -> bool:
    return form.match(piece.text) is not None


def _before(found: Sequence[Piece], at: int, belongs: Callable[[Piece], bool]) -> int | None:
    """Place of the last piece before this one that is not of its list or table."""
    return next((n for n in range(at - 1, -1, -1) if not belongs(found[n])), None)
