"""Is a number the least or the most ("en az 30 gün"), or what a case lies over or under?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docrag.answer.verification.number import Number
from docrag.answer.verification.tokens import Token

LEAST: Final = "least"
MOST: Final = "most"
#: What lies over a number, or under it, is spoken of: "5 litreden fazlaysa", "5 litreden azsa".
OVER: Final = "over"
UNDER: Final = "under"
#: Those of which only one can be true of a number.
_OPPOSITES: Final = ({LEAST, MOST}, {OVER, UNDER})
#: Tokens before and behind a number in which its bound is looked for.
_BEFORE: Final = 3
_BEHIND: Final = 6
#: And for what lies over or under it.
_CLOSE: Final = 5
_LEAST_BEFORE: Final = re.compile(
    r"\b(?:en az|en az[iı]ndan|asgari|en erken|at least|minimum)\b(?! bir)"
)
_MOST_BEFORE: Final = re.compile(
    r"\b(?:en cok|en fazla|en gec|azami|at most|no more than|up to|maximum)\b"
)
_LESS: Final = r"(?:az|asagi|kisa|kucuk|dusuk)"
_GREATER: Final = r"(?:fazla|cok|uzun|yuksek|buyuk)"
_NOT: Final = r"(?:olama|olma[mykz]|degil)"
_SHALL: Final = r"(?:olmali|olmasi (?:gerek|zorun|sart))"
_LEAST_BEHIND: Final = re.compile(rf"\b(?:{_LESS} {_NOT}|{_GREATER} {_SHALL})")
_MOST_BEHIND: Final = re.compile(
    rf"\b(?:{_GREATER} {_NOT}|{_LESS} {_SHALL}"
    r"|asama|asma[mykz]|asila?ma|gecem|gecme[myz]|gecilem)"
)
#: What is done "en geç 14 gün önce" is done at least so long before.
_AHEAD: Final = re.compile(r"\ben gec(?: \w+)*\|(?:\w+ ){1,3}once")
#: Right behind a number and its unit.
_NEAR: Final = r"(?:\w+ ){0,2}?"
_OVER: Final = re.compile(
    rf"{_NEAR}(?:ve )?(?:daha )?(?:{_GREATER}(?! (?:bir|kez|defa))\w*|asan\w*|asiyor\w*|asar\w*"
    r"|gecen\w*|uzeri\w*|ustu\w*|more|over)"
)
_UNDER: Final = re.compile(
    rf"{_NEAR}(?:ve )?(?:daha )?(?:{_LESS}(?! (?:bir|kez|defa))\w*|alti|altinda\w*"
    r"|less|fewer|under)"
)


def bound(found: Sequence[Token], number: Number) -> str:
    """:data:`LEAST`, :data:`MOST`, :data:`OVER` or :data:`UNDER`; empty for none.

    :param found: the tokens of the text of the number.
    """
    before = " ".join(t.folded for t in found[max(number.first - _BEFORE, 0) : number.first])
    behind = " ".join(t.folded for t in found[number.last : number.last + _BEHIND])
    least, most = _last(_LEAST_BEFORE, before), _last(_MOST_BEFORE, before)
    if least >= 0 or most >= 0:
        return LEAST if least > most or _AHEAD.search(before + "|" + behind) else MOST
    if _LEAST_BEHIND.search(behind):
        return LEAST
    if _MOST_BEHIND.search(behind):
        return MOST
    near = " ".join(t.folded for t in found[number.last : number.last + _CLOSE])
    over, under = _OVER.match(near), _UNDER.match(near)
    if over and under:
        return OVER if over.end() < under.end() else UNDER
    return (OVER if over else UNDER) if over or under else ""


def limiting(found: Sequence[Token], number: Number) -> int | None:
    """Place of the denied verb that alone makes a number the least or most; ``None`` for none.

    :param found: the tokens of the text of the number.
    """
    before = " ".join(t.folded for t in found[max(number.first - _BEFORE, 0) : number.first])
    if _LEAST_BEFORE.search(before) or _MOST_BEFORE.search(before):
        return None
    behind = " ".join(t.folded for t in found[number.last : number.last + _BEHIND])
    told = _LEAST_BEHIND.search(behind) or _MOST_BEHIND.search(behind)
    return number.last + behind[: told.end()].count(" ") if told else None


def are_opposite(first: str, second: str) -> bool:
    """True for two bounds of which only one can be true of a number."""
    return {first, second} in _OPPOSITES


def _last(form: re.Pattern[str], text: str) -> int:
    """Where the last match begins; -1 for none."""
    return max((match.start() for match in form.finditer(text)), default=-1)
