"""Headings of articles: which lines are one, and which of them count.

The rules are those that were measured on 126 Turkish laws and regulations: a heading counts if its
number follows from the ones before of its own kind, for text quotes and names articles as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docrag.api import fold

#: Most numbers that may be missing between two articles, where a dash or the like follows.
MAX_GAP = 6
#: First words of a heading, folded, and the kind that they name.
_KINDS = {
    "": "madde",
    "ek": "ek",
    "gecici": "gecici",
    "gec": "gecici",
    "mukerrer": "mukerrer",
    "muk": "mukerrer",
}
_HEADING = re.compile(
    "([“”„\"'‘’«»‐‑‒–—―-]{0,2})[ \t]*"  # dash or quote
    "((?:[^\\W\\d_]{2,9}(?:[ \t]+|\\.[ \t]*|[ \t]?[-–][ \t]?)){0,1})"  # kind
    "(M[Aa][Dd][Dd][Ee]|madde|M[ \t]A[ \t]D[ \t]D[ \t]E)[ \t]*[-–—:.]?[ \t]*"
    "(\\d{1,4})(?!\\d|\\.\\d)"
    "(?:[ \t]?S?/[ \t]?([A-Za-zÇĞİÖŞÜçğıöşü])(?![^\\W\\d_])"  # OCR reads 25S/A
    "|(?:[ \t]{0,2}|[-–])([A-ZÇĞİÖŞÜ])(?=[ \t]*(?:[-–—]|\\(\\d))){0,1}"  # 3A, 3 A, 3-A
    "[ \t]*([-‐‑‒–—―\xad.:)]{0,3})[ \t]*"
)
#: The number before the word; it counts only where it is due.
_TURNED = re.compile("(\\d{1,4})\\.[ \t]?(M[Aa][Dd][Dd][Ee])[ \t]*([-–—:]{1,2})[ \t]*")
#: What follows the number of an article's first print for certain: a paragraph or a note.
_FULL = re.compile(
    r"\(1\)[ \t]*[A-ZÇĞİÖŞÜÂÎÛ(“\"\d]"
    r"|\((?:Ek|EK|Değişik|DEĞİŞİK|Mülga|MÜLGA|İptal|İPTAL|Yeniden düzenleme)\b"
)
#: Words with which a sentence that names an article goes on.
_NAMES = re.compile(
    r"(?:\(\d{1,3}\)[ \t]+)?"
    r"(?:uyarınca|gereğince|gereği|hükm|kapsamında|numaralı|sayılı|fıkra|bend)"
)
#: A line of a table of contents.
_LEADER = re.compile(r"(?:\.{4,}|…{2,}|_{4,})[ \t]*\d{0,4}$")
#: A letter in brackets, or a number that a small letter follows: a reference, no text.
_REFERENCE = re.compile(r"\([ \t]?[a-zçğıöşü]{1,2}[ \t]?\)|\(\d{1,3}\)[ \t]+[a-zçğıöşü]")
_RANGE = re.compile(r"(\d{1,3})(?![\d./])")
_SMALL = re.compile(r"[a-zçğıöşü]")
_LONE_SMALL = re.compile(r"[a-zçğıöşü](?![^\W\d_])")
_CAPITAL = re.compile(r"[“\"]?[A-ZÇĞİÖŞÜÂÎÛ]")
_QUOTES = frozenset("“”„\"'‘’«»")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that has the form of an article's heading."""

    #: ``madde``, ``ek``, ``gecici`` or ``mukerrer``.
    kind: str
    number: int
    #: Letter behind a stroke, lower case (``a`` in 25/A); empty for none.
    letter: str
    #: A dash, full stop, colon or bracket follows the number.
    is_separated: bool
    #: A quotation mark stands before it.
    is_quoted: bool
    #: What the line says behind it.
    rest: str
    #: MADDE in capitals, a dash, and then ``(1)`` or a note: no chance reference looks so.
    is_full: bool = False
    #: A colon or nothing follows the number, as it does where a sentence names the article.
    is_loose: bool = False

    @property
    def name(self) -> str:
        """The number as it is counted, lower case: ``10``, ``25/a``."""
        return f"{self.number}/{self.letter}" if self.letter else str(self.number)


def heading_of(text: str) -> Heading | None:
    """The heading that a line begins with, ``None`` for any other line.

    :param text: a line without blanks at its ends; its first hundred characters are enough.
    """
    start = text[:40].lower()
    if "adde" not in start and "a d d e" not in start:
        return None
    found = _HEADING.match(text)
    if found is None:
        return _turned(text)
    opening, words, word, number, letter, capital, mark = found.groups()
    kind = _KINDS.get(fold(words.strip(" \t.-–")))
    rest = text[found.end() :]
    if kind is None or (words or word)[0].islower() or _LEADER.search(rest):
        return None
    is_quoted = bool(_QUOTES & set(opening))
    heading = Heading(
        kind=kind,
        number=int(number),
        letter=(letter or capital or "").replace("I", "ı").replace("İ", "i").lower(),
        is_separated=bool(mark),
        is_quoted=is_quoted,
        rest=rest,
        is_full=bool(mark) and word.isupper() and not is_quoted and bool(_FULL.match(rest)),
        is_loose=mark in ("", ":"),
    )
    return heading if _is_heading(heading, mark, tight=found.end() == found.end(7)) else None


def _turned(text: str) -> Heading | None:
    """The heading of a line such as ``14. Madde: Ters yazım``."""
    found = _TURNED.match(text)
    rest = text[found.end() :] if found else ""
    if found is None or _NAMES.match(rest) or _LEADER.search(rest):
        return None
    number = int(found[1])
    return Heading(
        kind="madde", number=number, letter="", is_separated=False, is_quoted=False, rest=rest
    )


def _is_heading(heading: Heading, mark: str, *, tight: bool) -> bool:
    """False where what follows shows that the line only names an article.

    :param tight: no blank stands behind the mark.
    """
    rest = heading.rest
    if not mark:
        return not rest or bool(
            _CAPITAL.match(rest) or (rest[0] == "(" and not _REFERENCE.match(rest))
        )
    if not rest:
        return True
    if _NAMES.match(rest) or (mark[0] == ":" and rest.endswith("?")):
        return False  # a reference, or a question of a check list
    if mark[0] in ".)" and _SMALL.match(rest):
        return False
    if tight and _LONE_SMALL.match(rest):
        return False
    last = _RANGE.match(rest) if tight else None
    return last is None or not heading.number < int(last[1]) <= heading.number + 50


@dataclass(slots=True, kw_only=True)
class _Count:
    """What was seen of one kind."""

    first: int
    last: int
    seen: set[str] = field(default_factory=set)


class Counters:
    """The articles counted so far, each kind for itself; one object a document."""

    def __init__(self) -> None:
        self._counts: dict[str, _Count] = {}

    def accept(self, heading: Heading, following: Heading | None = None) -> bool:
        """True, and the heading is counted, if its number follows from the ones before.

        :param following: the next line of the document that looks like a heading of this kind.
        """
        count = self._counts.get(heading.kind)
        if not (
            _begins(heading, following) if count is None else _follows(count, heading, following)
        ):
            return False
        if count is None:
            count = _Count(first=heading.number, last=heading.number)
            self._counts[heading.kind] = count
        count.last = max(count.last, heading.number)
        count.seen.add(heading.name)
        return True

    def has(self, heading: Heading) -> bool:
        """True if an article of this kind and number was counted."""
        count = self._counts.get(heading.kind)
        return count is not None and heading.name in count.seen

    def due(self, kind: str) -> int:
        """The next number of a kind."""
        count = self._counts.get(kind)
        return 1 if count is None else count.last + 1

    def is_due(self, heading: Heading) -> bool:
        """True if the number is the next of its kind."""
        return heading.number == self.due(heading.kind)

    def leads_on(self, heading: Heading) -> bool:
        """True if the number is higher than all of its kind so far."""
        return heading.number >= self.due(heading.kind)


def _begins(heading: Heading, following: Heading | None) -> bool:
    """True if an article may be the first of its kind: a part of a law begins anywhere."""
    if heading.number == 1:
        return True
    if not heading.is_separated:
        return False
    plain = heading.kind == "madde" and not heading.letter
    return not plain or heading.number <= MAX_GAP + 1 or _is_next(heading, following, MAX_GAP)


def _follows(count: _Count, heading: Heading, following: Heading | None) -> bool:
    if heading.name in count.seen:
        return heading.is_full  # a later wording of the same article
    if heading.letter:
        is_next = heading.is_separated and heading.number == count.last + 1
        return is_next or heading.number == count.last or str(heading.number) in count.seen
    if heading.number == count.last + 1:
        return True
    return heading.is_separated and not heading.is_quoted and _leaps(count, heading, following)


def _leaps(count: _Count, heading: Heading, following: Heading | None) -> bool:
    """True for a number that is not the next one but may be meant."""
    if heading.kind == "mukerrer":
        return heading.number >= count.last
    if heading.number < count.last:
        return heading.number >= count.first
    is_near = heading.number - count.last - 1 <= MAX_GAP
    return is_near or heading.is_full or _is_next(heading, following)


def _is_next(heading: Heading, following: Heading | None, gap: int = 0) -> bool:
    """True if the next heading counts on, which no chance reference does.

    :param gap: most numbers that may be missing between them.
    """
    return (
        following is not None
        and following.is_separated
        and 0 <= following.number - heading.number - 1 <= gap
        and not following.is_quoted
    )
