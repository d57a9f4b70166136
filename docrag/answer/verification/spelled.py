"""Number words: what one word says, Turkish and English, with endings."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from docrag.api import NUMBER_NAMES, fold

_SMALL: Final = (*range(1, 10), *range(10, 100, 10), 100, 1000)
#: Folded number words of Turkish; the second half of the names are the ordinals of the first.
_TURKISH: Final = dict(
    zip(map(fold, NUMBER_NAMES[: len(_SMALL)]), map(float, _SMALL), strict=True)
) | {"dord": 4.0, "milyon": 1e6, "milyar": 1e9, "trilyon": 1e12}
_ENGLISH: Final = (
    {
        word: float(value)
        for value, word in enumerate(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen".split(),
            start=2,
        )
    }
    | {
        word: float(value)
        for value, word in zip(
            range(20, 100, 10),
            "twenty thirty forty fifty sixty seventy eighty ninety".split(),
            strict=True,
        )
    }
    | {"hundred": 100.0, "thousand": 1000.0, "million": 1e6, "billion": 1e9}
)
#: Letters of a number in one word, such as "bindokuzyüzyetmişsekizinci".
LONGEST: Final = 40
#: From here on a word multiplies what stands before it.
MULTIPLIER: Final = 100
#: Parts that are said behind a number ("iki buçuk").
HALVES: Final = {"bucuk": 0.5, "half": 0.5}
_HALF: Final = "bucuk"
_PARTS: Final = {"yarim": 0.5, "yari": 0.5}
#: What "ilk" and the like say, as ordinals.
_FIRSTS: Final = {
    "ilk": 1.0,
    "first": 1.0,
    "second": 2.0,
    "third": 3.0,
    "fourth": 4.0,
    "fifth": 5.0,
}
_SPELLED: Final = "|".join(sorted(_TURKISH, key=len, reverse=True))
_PART: Final = re.compile(_SPELLED)
_WORD: Final = re.compile(
    rf"(?P<stem>(?:{_SPELLED})+?)(?:(?P<nth>[iu]?nc[iu]\w*)|(?P<whole>[dt][ae])"
    r"|(?P<case>s?[iu]n(?:[iu]|[ae]|[dt][ae]n?)|y?[ea]|[dt][ea]n?|n?[iu]n|[iu]|s[iu]\w{0,3}|l[iu]k?|l[ae]r\w*|y?l[ae]|s?[ae]r))?"
)
#: Words that are number words only by their beginning or their folding, lower case with all dots.
_OTHERS: Final = re.compile(
    r"(?:ön|uç|ucu|uca|binas|bini[şc]|biri(?!nc)|birl|bira|yüzü(?!nc)|yüzl|yüze|yüzd|onlar|altın|altl"
    r"|yediğ|yediler|kırkl|elle|beşer)\w*|bine|bini|bin[ei]n|on[aui]n?|onda|ondan|onunla|onla|ona"
)
#: Number words that are also other words: one, they, under, ate, face, mount, hand.
_AMBIGUOUS: Final = frozenset({1.0, 6.0, 7.0, 10.0, 100.0, 1000.0})


@dataclass(frozen=True, slots=True)
class Spelled:
    """What one word says of a number."""

    #: Values of its parts in order: "yirmibeş" has two.
    values: tuple[float, ...]
    is_ordinal: bool
    #: True with an ending after which no other number word goes on.
    is_closed: bool
    #: True with the ending of a fraction's lower half, as of "dörtte".
    is_whole: bool
    #: True if it can only be a number.
    is_sure: bool


@lru_cache(maxsize=20_000)
def spelled(word: str) -> Spelled | None:
    """What a word says of a number, ``None`` if nothing.

    :param word: as written in lower case, with its dots, without what follows an apostrophe.
    """
    folded = fold(word)
    if len(folded) > len(_HALF) and folded.endswith(_HALF):
        whole = spelled(word[: -len(_HALF)])
        return replace(whole, values=(sum(whole.values) + 0.5,), is_sure=True) if whole else None
    if folded in _ENGLISH:
        return Spelled((_ENGLISH[folded],), False, False, False, True)
    if folded in _FIRSTS:
        return Spelled((_FIRSTS[folded],), True, True, False, False)
    if folded in _PARTS:
        return Spelled((_PARTS[folded],), False, True, False, False)
    found = None if len(word) > LONGEST or _OTHERS.fullmatch(word) else _WORD.fullmatch(folded)
    if found is None:
        return None
    values = tuple(_TURKISH[part] for part in _PART.findall(found["stem"]))
    bare = not (found["case"] or found["whole"])
    sure = len(values) > 1 or values[0] not in _AMBIGUOUS or found["nth"] is not None
    return Spelled(
        values,
        found["nth"] is not None,
        not bare,
        found["whole"] is not None,
        sure and (bare or len(values) > 1 or found["whole"] is not None),
    )
