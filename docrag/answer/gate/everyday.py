"""What people say in everyday speech for what documents call otherwise.

Only for judging whether a passage speaks of what is asked; none of it is searched for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

#: Beginnings of folded words that may mean the same at work or at school, a group a line.
_GROUPS: Final = """
patron isveren amir yonetici mudur
eleman isci calisan personel memur adam arkadas kisi kimse
maas ucret aylik para odeme odenir
ucret odenek tazminat bedel
mesai calisma
sene yil
mola dinlenme
tatil izin izn
kovul cikar gonder atil fesih fesh son
ayril birak istifa fesih fesh
hamile gebe
bebek cocuk dogum emzir
taseron yuklenici alt
master yukseklisans lisans yuksek
hoca danisman ogretim
asistan arastirma uzmanlik
vize ara
final sonu
okul universite yuksekogretim fakulte
donem yariyil
puan not
harc katki
diploma mezun
transkript durum belge
doktor hekim tabip
hastane saglik
kurs egitim
soyle bildir haber duyur
haber bildir
zorunda zorunlu yukumlu mecbur sart gerek
sart kosul
ceza yaptirim para
lira tl
kaza olay
hasta saglik rapor
rapor belge
kagit belge sinav
dilekce basvur yazili
ehliyet belge yetki operatorluk
gecerli kapsa uygulan
yanar devred
kilo kg
santim cm
basvur muracaat talep taleb istek isteg
iptal kaldir
engelli ozurlu sakat
sigorta prim
temsil vekil
risk tehlike
gorev is
fabrika isyeri isletme
atolye isyeri
sirket isyeri isletme firma kurum
firma isveren isyeri isletme
juri komisyon kurul
sozlesme akit
mahkeme dava hakim yargi
nikah evlen
kullan yararlan
izinli muaf
muaf istisna haric
durdur birak
acil ivedi
ekipman donanim arac malzeme techizat
alet arac gerec
baret koruyucu
yangin acil
vardiya posta
grev lokavt
emekli yaslilik
vefat olum
dogum dunyaya
sure zaman vakit
vergi kesinti
kesinti kes
kkd koruyucu donanim
isg sagligi guvenligi
sgk sosyal sigorta
msds gbf sds
gbf msds guvenlik
ohs sagligi guvenligi
""".strip().splitlines()
#: Letters that endings add to a stem at most.
_ENDINGS: Final = 6
#: Shortest stem that a word is looked up by.
_SHORTEST: Final = 3


def _others() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in _GROUPS:
        stems = line.split()
        for stem in stems:
            found[stem] += [other for other in stems if other != stem]
    return {stem: tuple(dict.fromkeys(others)) for stem, others in found.items()}


_OTHERS: Final = _others()
_LONGEST: Final = max(map(len, _OTHERS))


def other_stems(word: str) -> tuple[str, ...]:
    """Beginnings of what a folded word may also be called; of its own stems the longest counts."""
    for length in range(min(len(word), _LONGEST), _SHORTEST - 1, -1):
        stem = word[:length]
        if stem in _OTHERS and len(word) - length <= _ENDINGS:
            return _OTHERS[stem]
    return ()
