"""Dates in a text: days, months of a year, days of a month and years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.verification.tokens import Token
from docrag.api import fold

_TURKISH: Final = (
    "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik".split()
)
_ENGLISH: Final = (
    "january february march april may june july august september october november december"
).split()
_MONTHS: Final = {name: place % 12 + 1 for place, name in enumerate((*_TURKISH, *_ENGLISH))}
_ENDED: Final = {"ocag": 1, "aralig": 12, "subat": 2}
#: Years that four figures alone stand for.
YEARS: Final = range(1000, 2101)
_NUMERIC: Final = re.compile(
    r"(?<![\d/-])(?<!\d[.,])(?:(?P<day>\d{1,2})(?P<sign>[./-])(?P<month>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})"
    r"|(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2}))(?![\d/]|[.,-]\d)"
)
#: A day of a year in figures, which may also be a time: "31.03'e".
_DAY: Final = re.compile(r"(\d{1,2})[./](\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as far as it is told."""

    day: int | None
    month: int | None
    year: int | None
    #: As written.
    written: str
    #: First token, and the one behind the last.
    first: int
    last: int

    def holds(self, other: Date) -> bool:
        """True if everything that the other tells, this one tells as well."""
        return (
            other.day in (None, self.day)
            and other.month in (None, self.month)
            and other.year in (None, self.year)
        )


def dates(text: str, found: Sequence[Token]) -> list[Date]:
    """Dates in order of their place, each token in one at most.

    :param found: the tokens of the text.
    """
    numeric = list(_numeric(text, found))
    taken = {place for date in numeric for place in range(date.first, date.last)}
    named = list(_named(text, found, taken))
    taken |= {place for date in named for place in range(date.first, date.last)}
    years = [
        _date(text, found, place, place + 1, year=int(token.text))
        for place, token in enumerate(found)
        if place not in taken and _is_year(text, token)
    ]
    return sorted((*numeric, *named, *years), key=lambda date: date.first)


def _is_year(text: str, token: Token) -> bool:
    return (
        token.is_figures
        and len(token.text) == 4  # noqa: PLR2004 - years of four figures
        and token.text.isdecimal()
        and int(token.text) in YEARS
        and text[max(token.start - 1, 0) : token.start] not in ("%", "/")
    )


def _date(
    text: str,
    found: Sequence[Token],
    first: int,
    last: int,
    *,
    day: int | None = None,
    month: int | None = None,
    year: int | None = None,
) -> Date:
    written = text[found[first].start : found[last - 1].end]
    return Date(day, month, year, written, first, last)


def _numeric(text: str, found: Sequence[Token]) -> Iterator[Date]:
    for match in _NUMERIC.finditer(text):
        day, month = int(match["day"] or match["d"]), int(match["month"] or match["m"])
        year = int(match["year"] or match["y"])
        if not (1 <= day <= 31 and 1 <= month <= 12):  # noqa: PLR2004 - days and months
            continue
        inside = [
            place
            for place, token in enumerate(found)
            if token.start < match.end() and match.start() < token.end
        ]
        if match["year"] and len(match["year"]) == 2:  # noqa: PLR2004 - two figures of a year
            year += 2000 if year < 50 else 1900  # noqa: PLR2004 - as calendars of computers do
        yield _date(text, found, inside[0], inside[-1] + 1, day=day, month=month, year=year)


def _named(text: str, found: Sequence[Token], taken: set[int]) -> Iterator[Date]:
    for place, token in enumerate(found):
        month = _month(token) if place not in taken else None
        if month is None:
            continue
        before, after = _small(found, place - 1), _small(found, place + 1)
        year = _year(text, found, place + 1)
        if year is None and after and before is None:  # March 12, 2019
            year = _year(text, found, place + 2)
            if year is not None or token.folded in _ENGLISH:
                last = place + 2 + (year is not None)
                yield _date(text, found, place, last, day=after, month=month, year=year)
            continue
        if before is None and year is None:
            continue
        first, last = place - (before is not None), place + 1 + (year is not None)
        yield _date(text, found, first, last, day=before, month=month, year=year)


def _month(token: Token) -> int | None:
    """The month that a word with a capital names, or one with a small letter by itself."""
    if token.folded in _MONTHS:
        return _MONTHS[token.folded]
    if not token.is_capital:
        return None
    return next(
        (
            month
            for name, month in (*_MONTHS.items(), *_ENDED.items())
            if len(name) > 3
            and token.folded.startswith(name)
            and len(token.folded) <= len(name) + 4  # noqa: PLR2004
        ),
        None,
    )


def _small(found: Sequence[Token], place: int) -> int | None:
    """The day of a month that a token in figures names."""
    if not 0 <= place < len(found) or not found[place].text.isdecimal():
        return None
    value = int(found[place].text)
    return value if 1 <= value <= 31 and len(found[place].text) <= 2 else None  # noqa: PLR2004


def _year(text: str, found: Sequence[Token], place: int) -> int | None:
    if place < len(found) and _is_year(text, found[place]):
        return int(found[place].text)
    return None


def month_of(word: str) -> int | None:
    """The month that a word names without endings; ``None`` for other words."""
    return _MONTHS.get(fold(word))


def day_of(written: str) -> tuple[int, int] | None:
    """Day and month that figures without a year may be; ``None`` for others."""
    found = _DAY.match(written)
    if found is None:
        return None
    day, month = int(found[1]), int(found[2])
    return (day, month) if 1 <= day <= 31 and 1 <= month <= 12 else None  # noqa: PLR2004
