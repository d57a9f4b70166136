"""What an article says, for a question that only names it: its beginning, as far as it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from docrag.answer.quoting.choosing import repeats
from docrag.answer.quoting.items import PARAGRAPH, form
from docrag.answer.quoting.pieces import Piece, pieces
from docrag.api import Article, Citation, Naming

#: Most characters of an article, of all documents together, and the fewest of each.
ROOM: Final = 1_500
_LEAST_ROOM: Final = 500
#: What is said where an article goes on, by language; with the page, and without one.
_GOES_ON: Final = {
    "tr": ("Maddenin devamı {page}. sayfadadır.", "Maddenin devamı belgededir."),
    "en": ("The article goes on on page {page}.", "The article goes on in the document."),
}
_MADDE: Final = r"(?:EK |GEÇİCİ |MÜKERRER )?madde\s*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A part of an article in one source, in reading order."""

    pieces: tuple[Piece, ...]
    #: What is said behind it; empty where the article ends with it or goes on in the next one.
    rest: str = ""


def excerpts(naming: Naming, context: Sequence[Citation], language: str) -> Iterator[Excerpt]:
    """The named article as each document has it, one excerpt a source.

    A document whose text is that of another one is left out. What has no room is cut off at a
    paragraph or an item, and the last excerpt says where it goes on.

    :param context: sources that hold the article and nothing else, best first, at least one.
    """
    texts: list[list[Piece]] = []
    for own in _by_document(naming, context):
        words = " ".join(piece.text for piece in own)
        if not repeats(words, (" ".join(one.text for one in other) for other in texts)):
            texts.append(own)
    room = max(ROOM // max(len(texts), 1), _LEAST_ROOM)
    for own in texts:
        kept = _fitting(own, room)
        rest = own[len(kept) :]
        parts = [tuple(part) for _, part in groupby(kept, key=lambda piece: piece.citation)]
        for part in parts:
            if rest and part is parts[-1]:
                says = _goes_on(rest[0], language)
                yield Excerpt(pieces=part, rest=says)
            else:
                yield Excerpt(pieces=part)


def _by_document(naming: Naming, context: Sequence[Citation]) -> Iterator[list[Piece]]:
    """The pieces of each document from the named article or paragraph on."""
    documents = dict.fromkeys(citation.document_id for citation in context)
    for document in documents:
        own = [citation for citation in context if citation.document_id == document]
        own.sort(key=lambda citation: citation.chunks[0].ordinal)
        # Rows tell the names of their columns.
        found = [piece for citation in own for piece in pieces(citation) if piece.kind != "head"]
        for article in naming.articles:
            if part := _part(article, found):
                yield part


def _part(article: Article, found: Sequence[Piece]) -> list[Piece]:
    """From the line of the article's number, or from the named paragraph, to its end."""
    own = [piece for piece in found if _is_of(piece, article)] or list(found)
    number = re.escape(article.number.partition("/")[0])
    start = _first(own, re.compile(rf"{_MADDE}{number}(?!\w)", re.IGNORECASE)) or 0
    if article.paragraph_first is None:
        return own[start:]
    named = re.compile(rf"(?:{_MADDE}\S+ ?[–-]? ?)?\({article.paragraph_first}\)", re.IGNORECASE)
    place = _first(own, named)
    if place is None:
        return own[start:]
    end = next((n for n in range(place + 1, len(own)) if PARAGRAPH.match(own[n].text)), len(own))
    return own[place:end]


def _is_of(piece: Piece, article: Article) -> bool:
    own = piece.article
    return own is not None and (own.kind, own.number) == (article.kind, article.number)


def _first(found: Sequence[Piece], form: re.Pattern[str]) -> int | None:
    """Place of the first piece that begins so."""
    return next((n for n, piece in enumerate(found) if form.match(piece.text)), None)


def _fitting(own: Sequence[Piece], room: int) -> list[Piece]:
    """The first paragraphs and items that fit; where they are few, sentences of the next one."""
    kept: list[Piece] = []
    for unit in _units(own):
        if _length(kept) + _length(unit) > room:
            break
        kept += unit
    if _length(kept) < room / 2:
        for piece in own[len(kept) :]:
            if kept and _length(kept) + len(piece.text) > room:
                break
            kept.append(piece)
    return kept


def _units(own: Sequence[Piece]) -> list[list[Piece]]:
    """Paragraphs and items, each with the sentences that follow it."""
    units: list[list[Piece]] = []
    for piece in own:
        if units and form(piece.text) is None and piece.kind != "row":
            units[-1].append(piece)
        else:
            units.append([piece])
    return units


def _length(found: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in found)


def _goes_on(piece: Piece, language: str) -> str:
    paged, pageless = _GOES_ON[language]
    return pageless if piece.page is None else paged.format(page=piece.page)
