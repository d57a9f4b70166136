"""Running heads, feet and printed page numbers, which are no part of what a page says."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Lines at the top and at the bottom of a page among which running lines stand.
TOP, BOTTOM = 3, 2
#: Share of the pages with text on which a running line stands, 0 to 1.
MIN_SHARE = 0.6
#: Most numbers in a running line; a line with more is a row of a table.
MOST_NUMBERS = 8
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")
#: Nothing but a page's number, as it is printed: ``7``, ``- 7 -``, ``11652-1``, ``3 / 9``.
_NUMBER = re.compile(r"\W*\d{1,6}(?:\s*[-–/]\s*\d{1,5})?\W*")
#: The same, named, so that it is one in a document of a single page, too.
_NAMED = re.compile(r"\W*(?:sayfa|sayfa no|page)\W*\d+(?:\s*(?:[-–/]|of)\s*\d+)?\W*", re.IGNORECASE)


def without_running_lines(texts: Sequence[str]) -> list[str]:
    """Texts of a document's pages in order, without lines that repeat at their edges.

    Lines repeat if they differ in nothing or in one number that counts the pages; rows of a table
    do not. Printed page numbers go from every page. The first page keeps its lines of words, for
    they often say what the document is; a page that would lose half of its text keeps all.
    """
    pages = [text.split("\n") for text in texts]
    running = _running(pages)
    return [_stripped(lines, number, running) for number, lines in enumerate(pages, 1)]


def _running(pages: Sequence[list[str]]) -> set[str]:
    """Keys of the lines that stand on enough pages; of two pages, on both."""
    counts: Counter[str] = Counter()
    filled = 0
    for number, lines in enumerate(pages, 1):
        places = list(_edges(lines))
        filled += bool(places)
        counts.update({key for at in places for key in _keys(lines[at], number)})
        counts.update({_position(lines, at, places) for at in (places[:1] + places[-1:])})
    least = max(MIN_SHARE * filled, 2)
    return {key for key, count in counts.items() if count >= least and key}


def _edges(lines: Sequence[str]) -> Iterator[int]:
    """Places of the first and last lines with text, each once."""
    places = [at for at, line in enumerate(lines) if line.strip()]
    yield from sorted({*places[:TOP], *places[-BOTTOM:]})


def _keys(line: str, number: int) -> Iterator[str]:
    """What a line is on every page: as it is, and with each number counted from the page's."""
    bare = _BLANKS.sub("", line)
    found = list(_DIGITS.finditer(bare))
    yield bare
    if len(found) > MOST_NUMBERS:
        return
    if not (any(sign.isalpha() for sign in bare) or _NUMBER.fullmatch(line)):
        return
    for match in found:
        beyond = int(match[0][:9]) - number
        yield f"{bare[: match.start()]}#{beyond}#{bare[match.end() :]}"


def _position(lines: Sequence[str], at: int, places: Sequence[int]) -> str:
    """A key that all pages share whose first, or last, line is nothing but a number."""
    if not _NUMBER.fullmatch(lines[at]):
        return ""
    return "#first" if at == places[0] else "#last"


def _stripped(lines: Sequence[str], number: int, running: set[str]) -> str:
    places = list(_edges(lines))
    dropped = {at for at in places if _goes(lines, at, places, number, running)}
    kept = "\n".join(line for at, line in enumerate(lines) if at not in dropped)
    whole = "\n".join(lines)
    return kept if 2 * len(kept) > len(whole) else whole


def _goes(
    lines: Sequence[str], at: int, places: Sequence[int], number: int, running: set[str]
) -> bool:
    """Whether this line at the edge of a page is none of its text."""
    if _NAMED.fullmatch(lines[at]):
        return True
    if at in (places[0], places[-1]) and _position(lines, at, places) in running:
        return True
    if number == 1 and not _NUMBER.fullmatch(lines[at]):
        return False
    return any(key in running for key in _keys(lines[at], number))
