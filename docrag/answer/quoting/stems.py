"""Beginnings of words by which the forms of a noun are one: "tankın", "tanka", "tankta"."""

from __future__ import annotations

import re
from typing import Final

from docrag.answer.subject import content_words

#: Letters of a word that tell its kind, and softened ends of stems: "yanık", "yanığında".
_STEM: Final = 5
_HARD: Final = str.maketrans("gdb", "ktp")
#: Case endings of folded words.
_CASE: Final = re.compile(r"(?<=\w{3})(?:[dt][ae]n?|n?[iu]n)$|(?<=\w{4})[aeiu]$")
#: A vowel that folded short nouns lose before an ending: "devir", "devri".
_DROPPED: Final = re.compile(r"^(\w{0,2}[aeiou]\w)[iu]([lmnrsz])$")
#: Letters of stems that longer ones may begin with.
_SHORT: Final = (3, 4)


def stem(word: str) -> str:
    """Beginning of a folded word without its case: "tank" of "tankın", "tanka" and "tankta"."""
    return _DROPPED.sub(r"\1\2", _CASE.sub("", word))[:_STEM].translate(_HARD)


#: Stems of words that tell no subject.
_GENERAL: Final = frozenset(
    map(
        stem,
        """
        kisi kisiler calisan calismak isveren isyeri personel is isi isin kanun madde fikra bent
        hukum hukmu birinci ikinci ucuncu gun saat sure suresi sirasinda durum hal halinde ilgili
        gereken uygun tarih itibaren yapilacak yapilan alinan verilen kullanilan edilen bulunan
        saglik guvenlik bakanlik kurum kurumu esas usul hakkinda zorunda zorunlu yonetmelik
        """.split(),
    )
)


def stems(text: str) -> frozenset[str]:
    """Stems of the words of a text that tell what it speaks of, without figures; may be empty."""
    found = (stem(word) for word in content_words(text) if not word[0].isdigit())
    return frozenset(found) - _GENERAL


def common(some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Those of some that are one of the others, or of which a short one begins the other."""
    heads = {other[:length] for other in others for length in _SHORT}
    short = {other for other in others if len(other) in _SHORT}
    return frozenset(
        one
        for one in some
        if one in others
        or (len(one) in _SHORT and one in heads)
        or any(one[:length] in short for length in _SHORT)
    )
