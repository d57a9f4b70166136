"""Finds the letters behind signs that a font without a proper table gives instead of them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from docrag.textnorm import lower

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: What such a sign stands for in Turkish files, ligatures among them.
LETTERS = ("i", "ı", "ti", "fi", "ş", "ğ")
#: Times that a sign must stand inside lower-case words; fewer are formulas, names or dirt.
MIN_TIMES = 20
#: Share of the words with the sign that the right letter makes known ones at least, and how many
#: times those of the next best letter.
MIN_KNOWN, MIN_LEAD = 0.1, 1.5
#: Signs of the Latin-1 table in place of Turkish ones, with their capitals.
_CAPITALS = {"ý": ("Ý", "İ"), "þ": ("Þ", "Ş"), "ð": ("Ð", "Ğ")}
#: A sign that no word of Latin letters has: controls, other scripts, private use; not marks,
#: punctuation, raised numbers and ligatures, nor a hyphen as pdfium prints it.
_FOREIGN = (
    "[\x01\x03-\x08\x0e-\x1f\x7f-\x9fýþð\u0250-\u02af\u0370-\u1dff\u1f00-\u1fff\u20d0-\ufaff"
    "\ufb07-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_SIGN = re.compile(_FOREIGN)
_SMALL = "[a-zâçîğıöşüû]"
#: (A run of letters at a time is twice as fast as a letter at a time.)
_WORD = re.compile(rf"(?:[^\W\d_]+|{_FOREIGN})+")
#: Common words of Turkish regulations that hold one of `LETTERS`.
COMMON = frozenset(
    "ile bir için ilgili iş işçi işyeri işveren işlem işlemleri kişi kişiler kişinin çalışan "
    "çalışma değişik değişiklik eğitim eğitimi öğretim öğrenci öğrenciler öğrencilerin öğretimi "
    "yönetim yönetmelik yönetmeliğin yönerge üniversite üniversitesi fakülte enstitü lisans "
    "lisansüstü tez tezli kabul kurulu kurulunun ilgilidir ilişkin ilişkili idari idare ise iki "
    "üçüncü birinci ikinci beşinci bölüm bölümü fıkra fıkrası maddesi maddesinde hükümleri "
    "hükümlerine gereği gerekli gerektiği değil değerlendirme değerlendirilir verilir edilir "
    "alınır yapılır yapılması yazılı sayılı tarihli tarihinde tarih sınav sınavı sınıf başarılı "
    "başvuru başkanı başkanlığı bakanlığı bakanlık kanun kanunu kanunun sağlık sağlığı güvenliği "
    "dili diğer değişikliği resmi resmî gazetede yürürlüğe yürürlük girer kadar aşağıdaki "
    "şekilde şartları şart eş dış ilk için kendi belirlenen belirtilen belirlenir bilgi bilim "
    "dalı olarak tarafından asgari nitelik hizmet hizmetleri siyasi etik eğitici kimlik sicil "
    "profil defin teftiş tarife tefsir fiil fikir fiyat fizik sınıfı rektörlük lığı liği ilan "
    "ığdır kısmi kısım ayrı aynı adı adına sayısı bazı bağlı doğru sağlar çağrı ağır uğraş".split()
)


def readings(texts: Sequence[str]) -> Mapping[str, str]:
    """What stands behind each foreign sign of a document's raw pages; empty for "unknown".

    A sign that stands `MIN_TIMES` or more inside lower-case words is tried as each of `LETTERS`;
    the letter that makes the most known words is taken if its lead is clear. The document's own
    words without the sign are known, too.
    """
    times = _inside(texts)
    signs = [sign for sign, count in times.most_common() if count >= MIN_TIMES]
    if not signs:
        return {}
    words: Counter[str] = Counter()
    for text in texts:
        words.update(_WORD.findall(lower(text)))
    strange = frozenset(signs)
    sound = {word for word, count in words.items() if count > 1 and strange.isdisjoint(word)}
    known = COMMON | sound
    found: dict[str, str] = {}
    for sign in signs:
        letter = _letter(sign, words, known)
        found[sign] = letter
        if letter and sign in _CAPITALS:
            found |= dict([_CAPITALS[sign]])
    return found


def _inside(texts: Sequence[str]) -> Counter[str]:
    """Times that each sign stands inside lower-case words; rare ones are left out."""
    # Nearly every file has none but bullets, which their number tells fast.
    strange = (text for text in texts if _SIGN.search(text))
    found = {sign for text in strange for sign in _SIGN.findall("".join(set(text)))}
    often = [sign for sign in found if sum(text.count(sign) for text in texts) >= MIN_TIMES]
    if not often:
        return Counter()
    # The sign first, for the same speed: what begins with a look back is tried at every letter.
    inside = re.compile(f"[{''.join(often)}](?<={_SMALL}.)(?={_SMALL})")
    return Counter(sign for text in texts for sign in inside.findall(text))


def _letter(sign: str, words: Mapping[str, int], known: frozenset[str]) -> str:
    """The letter behind a sign; empty if no letter makes clearly more known words than others."""
    holding = {word: count for word, count in words.items() if sign in word}
    scores: Counter[str] = Counter()
    for letter in LETTERS:
        right = (word for word in holding if word.replace(sign, letter) in known)
        scores[letter] = sum(holding[word] for word in right)
    (best, most), (_, second) = scores.most_common(2)
    least = MIN_KNOWN * sum(holding.values())
    return best if most and most >= max(least, MIN_LEAD * second) else ""
