"""What people say in everyday speech for what documents call otherwise.

For judging whether a passage speaks of what is asked, and for ranking passages; none of it is
searched for by itself. What goes one way is in :mod:`docrag.everyday_law`,
:mod:`docrag.everyday_safety`, :mod:`docrag.everyday_labour` and :mod:`docrag.everyday_plant`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from docrag.everyday_labour import LABOUR
from docrag.everyday_law import CALLED
from docrag.everyday_plant import PLANT
from docrag.everyday_safety import SAFETY

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
vefat olum_ olumu olume olumle
engelli ozurlu sakat
masraf gider_ giderl maliyet
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
acil_ ivedi
juri komisyon kurul_ kurulu_ kurula
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
#: Letters that endings add to a stem at most ("-leriniz"), and to a short one, which begins other
#: words too; on training questions of laws 6 to 10 do the same.
_ENDINGS, _FEWER = 8, 6
#: Letters of such a short stem at most.
_SHORT: Final = 4
#: Shortest stem that a word is looked up by.
_SHORTEST: Final = 3
#: How the tables write the edge of a word, and what it is compared as.
_EDGE, _BLANK = "_", " "


class Names:
    """What words of one language are called otherwise. Immutable, so thread-safe."""

    def __init__(self, tables: Iterable[Mapping[str, str]], groups: Iterable[str]) -> None:
        """Read the tables.

        :param tables: from beginnings of everyday words to those of documents' words, as
            :mod:`docrag.everyday_law` writes them; of a pair that stands twice the first counts.
        :param groups: beginnings that mean the same in either direction.
        """
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for everyday, called in (entry for table in tables for entry in table.items()):
            same, _, wider = called.partition("|")
            for stem in _stems(everyday):
                for strength, others in ((SAME, same), (WIDER, wider)):
                    for other in _stems(others):
                        found[stem].setdefault(other, strength)
        for group in map(_stems, groups):
            for stem in group:
                for other in group:
                    found[stem].setdefault(other, SAME)
        self._names = {
            stem: tuple((other, strength) for other, strength in others.items() if other != stem)
            for stem, others in found.items()
        }
        self._longest = max(map(len, self._names), default=0)

    def of(self, word: str) -> tuple[tuple[str, float], ...]:
        """As :func:`other_names`, in this language."""
        edged = f"{word}{_BLANK}"
        for length in range(min(len(edged), self._longest), _SHORTEST - 1, -1):
            stem = edged[:length]
            endings = _ENDINGS if length > _SHORT else _FEWER
            if stem in self._names and len(word) - length <= endings:
                return self._names[stem]
        return ()


def _stems(written: str) -> list[str]:
    return [stem.replace(_EDGE, _BLANK) for stem in written.split()]


#: Turkish; another language has tables of its own.
_TURKISH: Final = Names((CALLED, SAFETY, LABOUR, PLANT), _GROUPS)


def other_names(word: str) -> tuple[tuple[str, float], ...]:
    """Beginnings of what a folded word may also be called, with how surely they say the same.

    Of its own stems the longest counts. A beginning that ends in a blank is a whole word.
    """
    return _TURKISH.of(word)


def other_stems(word: str) -> tuple[str, ...]:
    """Beginnings of words that mean the same as a folded word; of its own stems the longest."""
    return tuple(stem for stem, strength in other_names(word) if strength == SAME)
