"""Printed page numbers: which lines of a page are one, and no value of the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = re.compile(
    r"[-–][ \t]?(?P<dashed>\d{1,4})[ \t]?[-–]|(?P<plain>\d{1,6})(?:[-–](?P<inserted>\d{1,3}))?"
    r"|(?P<first>\d{1,4})[ \t]?/[ \t]?\d{1,4}"
)
#: Says itself what it is.
_NAMED = re.compile(r"(?:[Ss]ayfa|SAYFA|[Ss]\.)[ \t]?\d{1,4}(?:[ \t]?/[ \t]?\d{1,4})?")


def page_numbers(pages: Sequence[Sequence[str]], first: int) -> list[set[int]]:
    """For each page the places of its lines that are a printed page number.

    Only the first and the last line can be one. A bare number must rise by one to the next page
    or from the one before, at the same edge; one in dashes or with a stroke may be the page's own.

    :param pages: lines of neighbouring pages, blank ones counted in.
    :param first: physical number of the first page.
    """
    found: list[set[int]] = [set() for _ in pages]
    for edge in (0, -1):
        places = [_edge(lines, edge) for lines in pages]
        values = [
            None if at is None else _value(lines[at])
            for lines, at in zip(pages, places, strict=True)
        ]
        for n, at in enumerate(places):
            if at is not None and (_rising(values, n) or _is_marked(pages[n][at], first + n)):
                found[n].add(at)
    return found


def _edge(lines: Sequence[str], edge: int) -> int | None:
    """Place of the first or last line that is not blank."""
    order = range(len(lines)) if edge == 0 else range(len(lines) - 1, -1, -1)
    return next((at for at in order if lines[at].strip()), None)


def _is_marked(line: str, page: int) -> bool:
    """True for ``Sayfa 3``, and for ``- 3 -``, ``3 / 9`` and ``11652-3`` on page 3."""
    text = line.strip()
    value = _value(text)
    marked = value is not None and page in value and not text.isdigit()
    return marked or _NAMED.fullmatch(text) is not None


def _value(line: str) -> tuple[int, int] | None:
    """A page's number and that of a page inserted behind it, 0 for none: 11652-1."""
    found = _NUMBER.fullmatch(line.strip())
    if found is None:
        return None
    return int(found["dashed"] or found["plain"] or found["first"]), int(found["inserted"] or 0)


def _rising(values: Sequence[tuple[int, int] | None], at: int) -> bool:
    """True if a page's number fits that of the page before or of the next one."""
    before = values[at - 1] if at else None
    behind = values[at + 1] if at + 1 < len(values) else None
    return _rises(before, values[at]) or _rises(values[at], behind)


def _rises(value: tuple[int, int] | None, following: tuple[int, int] | None) -> bool:
    if value is None or following is None:
        return False
    return following in ((value[0] + 1, 0), (value[0], value[1] + 1))
