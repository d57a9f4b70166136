"""Running heads, feet and printed page numbers, which are no part of what a page says."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    #: Places of the first and of the last lines with text.
    _Edges = tuple[list[int], list[int]]

#: Lines at the top and at the bottom of a page among which running lines stand.
TOP, BOTTOM = 3, 2
#: Share of the pages with text on which a running line stands, 0 to 1. Less, and what three of four
#: cards or forms say alike would go.
MIN_SHARE = 0.8
#: Most numbers in a running line; a line with more is a row of a table.
MOST_NUMBERS = 8
_DIGITS = re.compile(r"\d+")
#: Keys of the outermost places whose lone numbers count the pages.
_FIRST, _LAST = "#first", "#last"
_SIGNS = r"[-–—.()\[\]/|\s]*"
#: Nothing but a page's number, as it is printed: ``7``, ``- 7 -``, ``11652-1``, ``3 / 9``.
_NUMBER = re.compile(rf"{_SIGNS}\d{{1,6}}(?:\s*[-–/]\s*\d{{1,5}})?{_SIGNS}")
_PAGE = r"(?:sayfa(?:[ \t]+no)?|page)"
#: The same, named, so that it is one in a document of a single page, too.
_NAMED = re.compile(rf"{_SIGNS}{_PAGE}[:\s.]*\d+(?:\s*(?:[-–/]|of)\s*\d+)?{_SIGNS}", re.IGNORECASE)
#: A line in which a number may be that of the page.
_WITH_PAGE = re.compile(rf"\b{_PAGE}\b", re.IGNORECASE)
#: The heading of a part, also one that each page has, and a value with its name.
_PART = "(?:madde|adım|aşama|basamak|bölüm|kısım|kural|soru|işlem|tablo|şekil|form|kart|ek)"
_HEADING = re.compile(rf"\b{_PART}\W{{0,3}}\d|\d\W{{0,3}}{_PART}\b", re.IGNORECASE)
_VALUE = re.compile(r":\s*\S")
#: Names of values that tell of the document: its number, its revision, who made it.
_OF_DOCUMENT = re.compile(
    r"\b(?:sayfa|page|do[kc][uü]man|belge|rev|revizyon|yayın|hazırlayan|onaylayan|tel|telefon|faks|"
    r"fax|adres|e-?posta|e-?mail|web|https?)\b",
    re.IGNORECASE,
)


def without_running_lines(texts: Sequence[str]) -> list[str]:
    """Texts of a document's pages in order, without lines that repeat at their edges.

    Lines repeat if they are the same on nearly all pages, but for a number that counts the pages
    and is named or alone; only what stands outside all other text goes. Headings (``MADDE 3``) and
    values (``Risk: yüksek``) stay. Printed page numbers go from every page. The first page keeps
    its lines of words, for they often say what the document is; a page that would lose half of its
    text keeps all.
    """
    pages = [text.split("\n") for text in texts]
    edges = [_edges(lines) for lines in pages]
    running = _running(pages, edges)
    return [
        _stripped(lines, ends, number, running)
        for number, (lines, ends) in enumerate(zip(pages, edges, strict=True), 1)
    ]


def _running(pages: Sequence[list[str]], edges: Sequence[_Edges]) -> set[str]:
    """Keys of the lines that stand on enough pages; of two pages, on both."""
    counts: Counter[str] = Counter()
    filled = 0
    for number, (lines, (top, bottom)) in enumerate(zip(pages, edges, strict=True), 1):
        filled += bool(top)
        counts.update({key for at in {*top, *bottom} for key in _keys(lines[at], number)})
    least = max(MIN_SHARE * filled, 2)
    counting = {place for place in (_FIRST, _LAST) if _counts(pages, edges, place)}
    return counting | {key for key, count in counts.items() if count >= least and key}


def _counts(pages: Sequence[list[str]], edges: Sequence[_Edges], place: str) -> bool:
    """Whether the lone numbers at the edge count on from page to page (``11652``, ``11652-1``)."""
    places = [(top if place == _FIRST else bottom)[:1] for top, bottom in edges]
    numbers = [_lone(lines[at[0]]) for lines, at in zip(pages, places, strict=True) if at]
    steps = [after - before for before, after in pairwise(numbers) if before >= 0 <= after]
    on = steps.count(1)
    return (
        len(numbers) > 1
        and 2 * on >= len(steps) > 0
        and (on + steps.count(0) >= MIN_SHARE * (len(numbers) - 1))
    )


def _lone(line: str) -> int:
    """The number that a line is nothing but; -1 for another line."""
    return int(_DIGITS.findall(line)[0]) if _NUMBER.fullmatch(line) else -1


def _edges(lines: Sequence[str]) -> _Edges:
    """Places of the first and of the last lines with text, each from the edge inwards."""
    filled = (at for at, line in enumerate(lines) if line.strip())
    last = len(lines) - 1
    backwards = (last - at for at, line in enumerate(reversed(lines)) if line.strip())
    return list(islice(filled, TOP)), list(islice(backwards, BOTTOM))


def _keys(line: str, number: int) -> Iterator[str]:
    """What a line is on every page: as it is, and with each number counted from the page's."""
    numbered = _DIGITS.search(line)  # most lines have no number, and nothing more is to be asked
    if numbered and _HEADING.search(line):
        return
    if ":" in line and _VALUE.search(line) and not _OF_DOCUMENT.search(line):
        return
    bare = "".join(line.split())
    if not numbered:
        yield bare
        return
    alone = _NUMBER.fullmatch(line)
    if not alone:
        yield bare
    found = list(_DIGITS.finditer(bare))
    if len(found) > MOST_NUMBERS or not (alone or _WITH_PAGE.search(line)):
        return
    for match in found:
        beyond = int(match[0][:9]) - number
        yield f"{bare[: match.start()]}#{beyond}#{bare[match.end() :]}"


def _stripped(lines: Sequence[str], edges: _Edges, number: int, running: set[str]) -> str:
    top, bottom = edges
    dropped = {
        *_outer(lines, top, number, running, place=_FIRST),
        *_outer(lines, bottom, number, running, place=_LAST),
    }
    whole = "\n".join(lines)
    if not dropped:
        return whole
    kept = "\n".join(line for at, line in enumerate(lines) if at not in dropped)
    return kept if 2 * len(kept) > len(whole) else whole


def _outer(
    lines: Sequence[str], places: Sequence[int], number: int, running: set[str], *, place: str
) -> Iterator[int]:
    """The lines that go, from the edge inwards up to the first that stays."""
    within = False
    for at in places:
        line = lines[at]
        named = _NAMED.fullmatch(line)
        counts = at == places[0] and place in running and _NUMBER.fullmatch(line)
        # Most documents have no running line, so no line is one.
        repeats = bool(running) and (
            bool(counts) or any(key in running for key in _keys(line, number))
        )
        if named or (repeats and not within and (number > 1 or _NUMBER.fullmatch(line))):
            yield at
        # On the first page a running line stays and hides no page's number further in.
        within = within or not (named or repeats)
