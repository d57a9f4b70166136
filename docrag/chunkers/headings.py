"""Headings of a plain text: Markdown's, numbered ones, and lines of capitals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.chunkers.lines import ends_before, goes_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.lines import Line

#: Most characters and words of a heading.
LONGEST, MOST_WORDS = 120, 12
#: Most neighbouring lines of capitals that are one heading; more are a form or a shouted text.
MOST_CAPITALS = 3
#: Fewest letters of a line of capitals: fewer are a unit, a name or a table's cell.
_FEWEST_LETTERS = 4
#: Level of capitals without a number, and what is added to a number's depth: 4. is 2, 4.2 is 3.
CAPITALS, NUMBERED = 1, 1
#: Highest number that a heading counts.
_HIGHEST = 40
#: Most numbers that may be missing between two headings.
_MOST_MISSING = 2
#: A numbered heading leaves this part of a usual line free, unless lines are short anyway.
_FILLED, _WRAPPED = 0.85, 60
_MARKED = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_COUNTED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})(\.|\)|[ \t]*[–—-])?[ \t]+(?=\S)")
#: What a heading does not end with, and the dots of a table of contents.
_STOPS, _LEADER = tuple(".;,:!?…"), re.compile(r"\.{4}|…\s*\d|(?:\. ){3}")
_MARKS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that names what stands below it."""

    #: Lower is further out; only the order matters.
    level: int
    title: str
    #: ``marked``, ``numbered`` or ``capitals``.
    form: str


def heading_at(
    lines: Sequence[Line], place: int, *, usual: int, last: int | None, below: bool
) -> Heading | None:
    """The heading that a line is, or ``None``.

    :param place: index of the line.
    :param usual: usual length of the lines, characters.
    :param last: number of the last heading that counts 1, 2, 3; ``None`` before the first.
    :param below: True if the line before is a heading.
    """
    line = lines[place]
    if len(line.text) > LONGEST:
        return None
    if found := _MARKED.match(line.text):
        return _marked(len(found[1]), found[2])
    after = lines[place + 1] if place + 1 < len(lines) else None
    if goes_on(line, after) or len(line.text.split()) > MOST_WORDS or _LEADER.search(line.text):
        return None
    before = lines[place - 1] if place else None
    ended = below or ends_before(line, before, usual)
    if found := _COUNTED.match(line.text):
        fits = ended and not _filled(line, after, usual) and not _listed(found, before, after)
        return _numbered(found, line.text, last) if fits else None
    return _capitals(line.text) if ended else None


def number_of(title: str) -> int | None:
    """The number of a heading that counts 1, 2, 3; ``None`` for any other."""
    found = _COUNTED.match(title)
    return int(found[1]) if found and "." not in found[1] else None


def _marked(level: int, text: str) -> Heading | None:
    title = " ".join(_MARKS.sub("", text.rstrip("# \t")).split())
    return Heading(level=level, title=title, form="marked") if title else None


def _numbered(found: re.Match[str], text: str, last: int | None) -> Heading | None:
    """A heading by its number, if the number can be the next one and words follow it."""
    first, _, inner = found[1].partition(".")
    name, number = text[found.end() :], int(first)
    if number > _HIGHEST or found[2] == ")" or not name[0].isupper() or name.endswith(_STOPS):
        return None
    if not inner and (found[2] is None and not text.isupper() or not _follows(number, last)):
        return None
    level = NUMBERED + 1 + inner.count(".") + bool(inner)
    return Heading(level=level, title=" ".join(text.split()), form="numbered")


def _follows(number: int, last: int | None) -> bool:
    """True if a heading of this number may come next; an annex begins again with 1."""
    return last is None or number == 1 or last < number <= last + _MOST_MISSING + 1


def _capitals(text: str) -> Heading | None:
    letters = sum(sign.isalpha() for sign in text)
    if not text.isupper() or letters < _FEWEST_LETTERS or letters < len(text) / 2:
        return None
    if text.rstrip(":").endswith(_STOPS) or not text[0].isalnum():
        return None
    return Heading(level=CAPITALS, title=" ".join(text.rstrip(":").split()), form="capitals")


def _filled(line: Line, after: Line | None, usual: int) -> bool:
    """True if a line is as long as wrapped text, so that it is more likely a list item's first."""
    if usual < _WRAPPED or after is None or after.apart:
        return False
    return len(line.text) > _FILLED * usual


def _listed(found: re.Match[str], before: Line | None, after: Line | None) -> bool:
    """True if a neighbour is counted alike: then both are items of a list."""
    if "." in found[1]:
        return False
    neighbours = (_COUNTED.match(line.text) for line in (before, after) if line is not None)
    return any(other and "." not in other[1] for other in neighbours)
