"""Turkish endings on folded words: is one word the other with endings?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from docrag.terms import PREFIX_LENGTH

#: Endings of nouns and of what is made of them, folded, as they follow each other: plural,
#: possessive, case, "-li", "-lik", "-ci", "-ki", copula.
ENDINGS: Final = re.compile(
    r"(?:l[ae]r|[iu]nc[iu]|l[iu][kg]?|s[iu]z|s[iu]|[iu]m[iu]z|[iu]n[iu]z|n?[iu]n|[ny]?[iu]"
    r"|n?[dt][ae]n?|[ny]?[ae]|[iu]?yl[ae]|l[ae]|n?c[aeiu]|k[iu]|[dt][iu]r|y?ken|[iu]?m|[iu]?z"
    r"|y?d[iu]|y?m[iu]s|y?s[ae]|ler|lar)*"
)
#: Last letters of a stem that soften before a vowel, and what they were.
_HARD: Final = str.maketrans("bdg", "ptk")
#: Fewest letters of a name whose endings are cut: shorter ones begin too many others.
SHORTEST: Final = 3
#: Most letters of endings, as of "-lerindekilerden"; the pattern is slow on more.
MOST: Final = 16
#: Most letters of the shorter word that may be an ending of its own.
LONGEST: Final = 3


def term(folded: str) -> str:
    """What stands for a folded word and its forms: five letters, the last one hard.

    As F5 terms are, with "kitab" of "kitabı" as "kitap".
    """
    if len(folded) < PREFIX_LENGTH:
        return folded
    return folded[: PREFIX_LENGTH - 1] + folded[PREFIX_LENGTH - 1].translate(_HARD)


@lru_cache(maxsize=50_000)
def same(first: str, second: str) -> bool:
    """True if two folded words are one, but for endings of the longer one or of both.

    "Ankara" and "Ankaralı", "enstitüsü" and "enstitüsünde", "kitap" and "kitabı".
    """
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if len(short) < SHORTEST or len(long) > len(short) + MOST:
        return False
    if long.startswith(short):
        return ENDINGS.fullmatch(long, len(short)) is not None
    common = _common(short, long)
    if _softened(short, long, common):
        return ENDINGS.fullmatch(long, common + 1) is not None
    return common > max(SHORTEST, len(short) - LONGEST - 1) and all(
        ENDINGS.fullmatch(word, common) is not None for word in (short, long)
    )


def _common(first: str, second: str) -> int:
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return place
    return min(len(first), len(second))


def _softened(short: str, long: str, common: int) -> bool:
    return (
        common == len(short) - 1
        and SHORTEST <= common < len(long)
        and long[common].translate(_HARD) == short[common]
    )
