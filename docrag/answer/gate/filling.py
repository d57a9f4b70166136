"""Words that only hold together what is told, in whatever form they are asked.

They stand in any passage or, being everyday speech, in none: that one of them is missing tells
nothing.
"""

from __future__ import annotations

import re
from typing import Final

#: Folded words of this kind: of place, time and manner, of anybody, and of asking.
_WORDS: Final = frozenset(
    """
    diye sey seyi seyler bile yine gene hatta ustelik ayrica hemen artik zaten hala henuz sadece
    hani yani ancak belki mesela ornegin falan filan boyle soyle oyle oldukca ragmen dolayi
    yuzunden beri itibaren hic hicbir hep hepsi tum butun tam tek tane
    iken varken yokken birden birlikte beraber simdi
    kez kere kerede defa defasinda sefer seferde
    icinde icin yer yere yerde yerden yana karsi arada orada burada buradan buraya oraya
    onune onunde yanimda yanina yaninda uzerimden uzerine uzerinde basi basina
    beni bende benden bizi bizden bizde seni senden bana bize
    onu onda ondan ona bunu buna bunda bundan bunun sunu
    kendi kendim kendime kendimi kendisi baska baskasi baskasina
    adam kimse biri birisi birinin birine herkes arkadas
    halde durum durumda durumunda
    anlama anlamda geliyor denir deniyor demek dedi derse derler
    neye gore kadari kadarini kadarina kactan kaca kacinci kacincida kaci kacini
    nelerin nelere kimlerdir kimlere anlatiyor anlatir
    yaziyor yazmiyor bakilir bakar bakiliyor
    gerekli gereken gerekmez gerekirse gerekiyorsa sart lazimsa mumkun
    """.split()
)
#: Stems of verbs that mean little by themselves: "karar vermek", "izin almak", "işe girmek".
_STEMS: Final = (
    r"(?:al|ver|ol|et|ed|yap|gel|git|gid|kal|gir|cik|dur|gor|bul|tut|iste|ist|koy|sok"
    r"|getir|gotur)"
)
#: Their passive or causative, negation and "can".
_MIDDLE: Final = r"(?:[iu]?[nlr])?(?:m[ae]z?|m(?=[iu]yor)|[ae]?bil)?"
#: Their ends: -yor, -acak, -di, -miş, -ar, -maz, -an, -ip, -ince, -mak, -ma, -sa, -dığı.
_ENDS: Final = (
    r"(?:[iu]?yor(?:lar|m[iu])?|y?[ae]c[ae][kg]\w{0,4}|[dt][iu](?:ler|lar|m|k)?"
    r"|m[iu]s(?:tir|sa)?|[aeiu]?r(?:lar|ler|[iu][mz]|s[ae]\w?)?|z(?:s[ae]\w?|lar|ler)?"
    r"|y?[ae]n(?:[aeiu]|lar\w{0,3}|ler\w{0,3}|[iu]n)?|y?[iu]p|y?[iu]nc[ae]"
    r"|m[ae]k(?:t[ae]n?)?|m[ae](?:[sl][iu]|d[ae]n|ler[iu]?|lar[iu]?|y[ae])?|s[ae]\w?"
    r"|d[iu]g\w{1,5})?"
)
#: What looks like them and is a noun or a verb that tells something: "altı", "alacak", "alanı",
#: "durum", "görev", "işten", "kalite", "ölen", "tutar".
_OTHERS: Final = (
    r"(?!al(?:ti|eti?$|an|in$|im|aca[kg])|bulut|cikar$|durum|elin|gelir|gider|girdi|gorev|gorme$"
    r"|iste[n]?$|kal(?:an$|in$|i[pr]$|ite)|koyun|ol(?:en|um)|sokma$|tutar|tutma$)"
)
_VERB: Final = re.compile(_OTHERS + _STEMS + _MIDDLE + _ENDS)


def is_filling(word: str) -> bool:
    """True for a folded word of this kind, or a verb that means little by itself, in any form."""
    return word in _WORDS or _VERB.fullmatch(word) is not None
