"""Which lines of a document look like headings of articles, and what comes behind each."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from docrag.chunkers.legal_headings import Counters, heading_of
from docrag.chunkers.legal_lines import BLANK, BODY, HEAD, NOTE, is_rule
from docrag.chunkers.legal_notes import begins_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docrag.chunkers.legal_headings import Heading
    from docrag.chunkers.legal_lines import Line

#: Headings before which no table of amendments stands.
_BEFORE_TABLE = 3
#: Headings that are looked at behind one; articles named together are fewer.
_AHEAD = 12


class Order:
    """The headings of one document in reading order."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._headings = {
            at: heading
            for at, line in enumerate(lines)
            if line.role == BODY and (heading := heading_of(line.text[:HEAD]))
        }
        self._next: dict[int, int] = {}  # the next of the same kind
        self._last: dict[tuple[str, str], int] = {}  # the last of each kind and number
        self._places: dict[str, list[int]] = defaultdict(list)  # unquoted ones, by kind
        end = _table_start(lines, next(islice(self._headings, _BEFORE_TABLE - 1, None), len(lines)))
        nearest: dict[str, int] = {}
        for at in reversed(self._headings):
            heading = self._headings[at]
            if heading.kind in nearest:
                self._next[at] = nearest[heading.kind]
            nearest[heading.kind] = at
            self._last.setdefault((heading.kind, heading.name), at)
        for at, heading in self._headings.items():
            if not heading.is_quoted and at < end:
                self._places[heading.kind].append(at)

    def heading(self, at: int) -> Heading | None:
        """The heading that a line has the form of."""
        return self._headings.get(at)

    def following(self, at: int) -> Heading | None:
        """The next heading of the kind of the one in this line."""
        return self._headings.get(self._next.get(at, -1))

    def is_last(self, at: int) -> bool:
        """True if no heading behind this one has its kind and number."""
        heading = self._headings[at]
        return self._last[heading.kind, heading.name] == at

    def has_behind(self, at: int, heading: Heading) -> bool:
        """True if a heading of the same kind and number stands behind a line."""
        return self._last.get((heading.kind, heading.name), -1) > at

    def counts_up(self, at: int) -> bool:
        """True if the two next headings of the kind have the two next numbers."""
        number = self._headings[at].number
        behind = [heading.number for heading in islice(self._behind(at), 2)]
        return behind == [number + 1, number + 2]

    def leads_on(self, at: int, counters: Counters, *, kinds: Sequence[str] | None = None) -> bool:
        """True if the next heading behind a line, of any of the kinds, has a higher number.

        :param kinds: ``None`` for all kinds.
        """
        for kind in kinds or self._places:
            places = self._places.get(kind, [])
            n = bisect_right(places, at)
            if n < len(places) and counters.leads_on(self._headings[places[n]]):
                return True
        return False

    def is_reference(self, at: int, due: int) -> bool:
        """True if a loose heading only names an article that itself comes behind it.

        Either the same number comes next in full form, or the number that is due and then this
        one come before the count begins anew.

        :param due: the next number of the kind.
        """
        own = self._headings[at]
        if not own.is_loose:
            return False
        has_due = has_other = False
        for heading in islice(self._behind(at), _AHEAD):
            if heading.number == 1 or heading.is_quoted:
                return False
            is_same = heading.name == own.name
            if is_same and heading.is_full and not own.is_full and not has_other:
                return True
            if is_same and has_due and heading.is_full >= own.is_full:
                return own.number > due
            has_other = has_other or not is_same
            has_due = has_due or heading.number == due
        return False

    def _behind(self, at: int) -> Iterator[Heading]:
        while at in self._next:
            at = self._next[at]
            yield self._headings[at]


def _table_start(lines: Sequence[Line], first: int) -> int:
    """Place of the first table of amendments from a line on, whose rows are no articles."""
    body = [at for at in range(first, len(lines)) if lines[at].role == BODY]
    for at, following in zip_longest(body, body[1:]):
        below = "" if following is None else lines[following].text[:HEAD]
        if begins_table(lines[at].text, below):
            return at
    return len(lines)


def freed(lines: Sequence[Line]) -> list[Line]:
    """The lines, those text again that stand below an article printed under a page's footnotes.

    Such an article has the number that is due, is not quoted, and comes nowhere else. The lines
    of footnotes from it to the page's end, or to the next rule, are text.
    """
    counters, order = Counters(), Order(lines)
    found = list(lines)
    is_free = False
    for at, line in enumerate(lines):
        is_free = is_free and line.role in (NOTE, BLANK) and not is_rule(line.text)
        heading = order.heading(at)
        if heading is not None:
            counters.accept(heading, order.following(at))
        elif line.role == NOTE:
            heading = heading_of(line.text[:HEAD])
            if heading is not None and _is_due(heading, at, counters, order):
                is_free = counters.accept(heading)
            if is_free:
                found[at] = replace(line, role=BODY)
    return found


def _is_due(heading: Heading, at: int, counters: Counters, order: Order) -> bool:
    if heading.is_quoted or not heading.is_separated or not counters.is_due(heading):
        return False
    return not order.has_behind(at, heading)
