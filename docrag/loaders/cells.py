"""Values of a spreadsheet's cells as people write them in Turkey."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TypeAlias

#: What a cell may hold.
Value: TypeAlias = str | int | float | bool | date | datetime | time | timedelta | None

#: Whole numbers below this are exact in a spreadsheet, which keeps 15 digits.
_EXACT = 1e15
#: Decimals of a per cent, beyond which binary fractions show.
_DECIMALS = 10


def written(value: Value) -> str:
    """The value as text: ``40``, ``12,5``, ``12.02.2025``, ``08:30``, ``DOĞRU``."""
    if isinstance(value, bool):
        return "DOĞRU" if value else "YANLIŞ"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, date | time | timedelta):
        return _when(value)
    return value or ""


def formed(value: Value, form: str) -> str:
    """A value as its cell shows it.

    :param form: ``%`` writes ``%18`` for 0.18, ``00000`` writes ``00007`` for 7; anything else
        takes the place of the value.
    """
    if form.strip("%0"):
        return form
    if isinstance(value, bool) or not isinstance(value, int | float):
        return written(value)
    if form == "%":
        return f"%{_number(round(value * 100, _DECIMALS))}"
    return _number(value).zfill(len(form)) if value >= 0 and value == int(value) else _number(value)


def _when(value: date | time | timedelta) -> str:
    if isinstance(value, timedelta):
        return _length(value)
    if isinstance(value, time):
        return _clock(value)
    if isinstance(value, datetime) and value.time() != time.min:
        return f"{_day(value)} {_clock(value.time())}"
    return _day(value)


def _number(value: float) -> str:
    """Without a separator of thousands, with a comma before the decimals."""
    if abs(value) < _EXACT and value == int(value):
        return str(int(value))
    return format(value, ".15g").replace(".", ",")


def _day(value: date) -> str:
    return f"{value.day:02d}.{value.month:02d}.{value.year}"


def _clock(value: time) -> str:
    return value.strftime("%H:%M:%S" if value.second else "%H:%M")


def _length(value: timedelta) -> str:
    """Hours and minutes; seconds where there are some."""
    sign = "-" if value < timedelta() else ""
    minutes, seconds = divmod(round(abs(value).total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours:02d}:{minutes:02d}" + (f":{seconds:02d}" if seconds else "")
