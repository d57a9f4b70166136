"""Days as people and programs write them."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def day(text: str) -> date:
    """The day that is written as ISO 8601 has it, blanks around it aside.

    >>> day("2015-04-01")
    datetime.date(2015, 4, 1)

    :raises ValueError: it is written in another way, or there is no such day; the message says so.
    """
    written = text.strip()
    try:
        if _ISO.fullmatch(written):
            return date.fromisoformat(written)
    except ValueError:
        pass  # such as the 30th of February
    raise ValueError(f"{written[:40]!r} is no day; write it as year-month-day, such as 2015-04-01")
