"""Is a number the least or the most: "en az 30 gün", "30 günden az olamaz"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docrag.answer.verification.number import Number
from docrag.answer.verification.tokens import Token

LEAST: Final = "least"
MOST: Final = "most"
#: Tokens before and behind a number in which its bound is looked for.
_BEFORE: Final = 3
_BEHIND: Final = 6
_LEAST_BEFORE: Final = re.compile(
    r"\b(?:en az|en az[iı]ndan|asgari|en erken|at least|minimum)\b(?! bir)"
)
_MOST_BEFORE: Final = re.compile(
    r"\b(?:en cok|en fazla|en gec|azami|at most|no more than|up to|maximum)\b"
)
_LEAST_BEHIND: Final = re.compile(r"\b(?:az|asagi|kisa|kucuk|dusuk) (?:olama|olma[my]|degil)")
_MOST_BEHIND: Final = re.compile(
    r"\b(?:(?:fazla|cok|uzun|yuksek|buyuk) (?:olama|olma[my]|degil)"
    r"|asama|asma[my]|asila?ma|gecem|gecme[my]|gecilem)"
)


def bound(found: Sequence[Token], number: Number) -> str:
    """:data:`LEAST` or :data:`MOST`, empty for a number without a bound.

    :param found: the tokens of the text of the number.
    """
    before = " ".join(t.folded for t in found[max(number.first - _BEFORE, 0) : number.first])
    behind = " ".join(t.folded for t in found[number.last : number.last + _BEHIND])
    least, most = _last(_LEAST_BEFORE, before), _last(_MOST_BEFORE, before)
    if least >= 0 or most >= 0:
        return LEAST if least > most else MOST
    if _LEAST_BEHIND.search(behind):
        return LEAST
    return MOST if _MOST_BEHIND.search(behind) else ""


def _last(form: re.Pattern[str], text: str) -> int:
    """Where the last match begins; -1 for none."""
    return max((match.start() for match in form.finditer(text)), default=-1)
