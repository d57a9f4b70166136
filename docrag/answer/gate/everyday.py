"""What people say in everyday speech for what documents call otherwise.

Only for judging whether a passage speaks of what is asked; none of it is searched for. What goes
one way is in :mod:`docrag.answer.gate.everyday_law`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from docrag.answer.gate.everyday_law import CALLED

#: Beginnings of folded words that mean the same in either direction, a group a line.
_GROUPS: Final = """
isci calisan
yukumlu zorunlu mecbur
sure zaman vakit
kosul sart
izin izn
fesih fesh
kayit kayd
nakil nakl
devir devr
haciz hacz
sekil sekl
isim ism
emir emr
kayip kayb
sebep sebeb neden_
cocuk cocug
ilisik ilisig
basvur muracaat talep taleb istek isteg
sozlesme akit
sakla muhafaza
tehlike risk
mahkeme dava yargi
vefat olum
engelli ozurlu sakat
masraf gider maliyet
ekipman donanim malzeme techizat
hekim tabip
gebe hamile
belge evrak kagit
sigorta sgk
dilekce basvur yazili
iptal kaldir
gecerli kapsa uygulan
yanar devred
kilo kg_
santim cm_
nikah evlen
kullan yararlan
izinli muaf
muaf istisna haric
durdur birak
acil ivedi
juri komisyon kurul
grev lokavt
emekli yaslilik
dogum dunyaya
vergi kesinti
fakulte universite yuksekogretim
ucret odenek bedel
mola dinlenme
temsil vekil
derhal hemen
kanun yasa_
koruyucu kkd
""".strip().splitlines()
#: How surely another word stands for one that is asked: it means the same, or tells of a wider or
#: neighbouring thing; on training questions of laws .7 to 1 and .3 to .7 do nearly as well.
SAME, WIDER = 0.85, 0.4
#: Letters that endings add to a stem at most.
_ENDINGS: Final = 6
#: Shortest stem that a word is looked up by.
_SHORTEST: Final = 3
#: How the tables write the edge of a word, and what it is compared as.
_EDGE, _BLANK = "_", " "


def _names() -> Mapping[str, tuple[tuple[str, float], ...]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for everyday, called in CALLED.items():
        same, _, wider = called.partition("|")
        for stem in _stems(everyday):
            for strength, others in ((SAME, same), (WIDER, wider)):
                for other in _stems(others):
                    found[stem].setdefault(other, strength)
    for group in _GROUPS:
        stems = _stems(group)
        for stem in stems:
            for other in stems:
                found[stem].setdefault(other, SAME)
    return {
        stem: tuple((other, strength) for other, strength in others.items() if other != stem)
        for stem, others in found.items()
    }


def _stems(written: str) -> list[str]:
    return [stem.replace(_EDGE, _BLANK) for stem in written.split()]


_NAMES: Final = _names()
_LONGEST: Final = max(map(len, _NAMES))


def other_names(word: str) -> tuple[tuple[str, float], ...]:
    """Beginnings of what a folded word may also be called, with how surely they say the same.

    Of its own stems the longest counts. A beginning that ends in a blank is a whole word.
    """
    edged = f"{word}{_BLANK}"
    for length in range(min(len(edged), _LONGEST), _SHORTEST - 1, -1):
        stem = edged[:length]
        if stem in _NAMES and len(word) - length <= _ENDINGS:
            return _NAMES[stem]
    return ()


def other_stems(word: str) -> tuple[str, ...]:
    """Beginnings of words that mean the same as a folded word; of its own stems the longest."""
    return tuple(stem for stem, strength in other_names(word) if strength == SAME)
