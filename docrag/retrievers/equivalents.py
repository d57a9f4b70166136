"""Phrases that mean the same as a phrase of the question, to be searched for beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from docrag.api import NUMBER_NAMES, SettingsError, asked_terms, fold, other_forms, words

Groups = Sequence[Sequence[str]]
#: Folded words of a phrase.
_Parts = tuple[str, ...]

#: Most phrases that one question gets; a question of people has up to five.
MOST = 24
#: Most groups of an operator, phrases of a group, and characters of a phrase.
MOST_GROUPS, MOST_PHRASES, LONGEST = 1_000, 20, 100
#: Folded letters from which a word may have endings; a shorter one begins too many others.
_INFLECTED: Final = 5
#: Phrases that mean the same, by whoever writes them; the shorter first.
DEFAULT: Final[Groups] = (
    ("İSG", "iş sağlığı ve güvenliği"),
    ("KKD", "kişisel koruyucu donanım"),
    ("SGK", "Sosyal Güvenlik Kurumu"),
    ("ÇSGB", "Çalışma ve Sosyal Güvenlik Bakanlığı"),
    ("İSGB", "işyeri sağlık ve güvenlik birimi"),
    ("OSGB", "ortak sağlık ve güvenlik birimi"),
    ("GBF", "MSDS", "SDS", "güvenlik bilgi formu"),
    ("TSE", "Türk Standardları Enstitüsü", "Türk Standartları Enstitüsü"),
    ("TBMM", "Türkiye Büyük Millet Meclisi"),
    ("KHK", "kanun hükmünde kararname"),
    ("RG", "Resmî Gazete"),
    ("KVKK", "Kişisel Verilerin Korunması Kanunu"),
    ("TCK", "Türk Ceza Kanunu"),
    ("TBK", "Türk Borçlar Kanunu"),
    ("TMK", "Türk Medeni Kanunu"),
    ("YÖK", "Yükseköğretim Kurulu"),
    ("ÖSYM", "Ölçme, Seçme ve Yerleştirme Merkezi"),
    ("AKTS", "Avrupa Kredi Transfer Sistemi"),
    ("STK", "sivil toplum kuruluşu"),
    ("KDV", "katma değer vergisi"),
    ("TL", "Türk lirası"),
    ("kg", "kilogram"),
    ("km", "kilometre"),
    ("cm", "santimetre"),
    ("mm", "milimetre"),
    ("dk", "dakika"),
    ("dB", "desibel"),
    ("işyeri", "iş yeri"),
    ("işgücü", "iş gücü"),
    ("işgünü", "iş günü"),
    ("işveren", "iş veren"),
    ("işbaşı", "iş başı"),
    ("işbirliği", "iş birliği"),
    ("işkolu", "iş kolu"),
    ("işgören", "iş gören"),
    ("iş kazası", "işkazası"),
    ("iş makinesi", "işmakinesi", "iş makinası"),
    ("ilk yardım", "ilkyardım"),
    ("altişveren", "alt işveren"),
    ("yurt dışı", "yurtdışı"),
    ("yurt içi", "yurtiçi"),
    ("hizmet içi", "hizmetiçi"),
    ("ön koşul", "önkoşul"),
    ("ön lisans", "önlisans"),
    ("lisansüstü", "lisans üstü"),
    ("yükseköğretim", "yüksek öğretim"),
    ("ana bilim", "anabilim"),
    ("ara sınav", "arasınav"),
    ("yarıyıl", "yarı yıl"),
    ("söz konusu", "sözkonusu"),
    ("göz önünde", "gözönünde"),
    ("başhekim", "baş hekim"),
)


class Equivalents:
    """Finds the other phrases for a question's own. Immutable, so thread-safe."""

    def __init__(self, groups: Groups = ()) -> None:
        """Take groups beside :data:`DEFAULT`.

        :param groups: lists of two phrases or more that mean the same, in any spelling. A word of
            five letters or more at the end of a phrase may have endings in a question.
        :raises SettingsError: it is no list of lists of phrases, or too long.
        """
        #: Groups by the first letters of the first word of each phrase, longest phrase first.
        self._phrases: dict[str, list[tuple[_Parts, list[str]]]] = defaultdict(list)
        for group in (*_checked(groups), *DEFAULT):
            for phrase in group:
                parts = _folded(phrase)
                others = [other for other in group if _folded(other) != parts]
                self._phrases[parts[0][:_INFLECTED]].append((parts, others))
        for entries in self._phrases.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        known = (*NUMBER_NAMES, *(phrase for group in (*groups, *DEFAULT) for phrase in group))
        #: Terms of a question, with their marks, that stand for words known to be spelt well.
        self.known: Final = frozenset(term for phrase in known for term in asked_terms(phrase))

    def alternatives(self, question: str) -> list[str]:
        """Phrases that mean the same as a phrase or number of the question, without those in it.

        Of phrases that begin with the same word of the question the longest counts, and none that
        begins within it.

        :returns: at most :data:`MOST`, those of the groups first, in the question's order; none
            for no match.
        """
        asked = _folded(question)
        whole = f" {' '.join(asked)} "
        found: dict[_Parts, str] = {}
        for phrase in (*self._others(asked), *other_forms(question)):
            parts = _folded(phrase)
            if f" {' '.join(parts)} " not in whole:
                found.setdefault(parts, phrase)
            if len(found) == MOST:
                break
        return list(found.values())

    def _others(self, asked: _Parts) -> Iterator[str]:
        place = 0
        while place < len(asked):
            entries = self._phrases.get(asked[place][:_INFLECTED], ())
            length = 1
            for parts, others in entries:
                if len(parts) >= length and _matches(parts, asked[place : place + len(parts)]):
                    yield from others
                    length = len(parts)
            place += length


def _matches(parts: _Parts, asked: _Parts) -> bool:
    """True if the words are those of a phrase, the last with any ending."""
    if len(parts) != len(asked) or parts[:-1] != asked[:-1]:
        return False
    last, word = parts[-1], asked[-1]
    if len(parts) == 1 and len(last) < _INFLECTED:
        return word == last
    # "iş günü" is also in "iş günleri".
    return word.startswith((last, f"{last[:-1]}ler", f"{last[:-1]}lar"))


def _folded(text: str) -> _Parts:
    return tuple(folded for word in words(text) if (folded := fold(word)))


def _checked(groups: object) -> Groups:
    """The groups as given.

    :raises SettingsError: they are not lists of phrases.
    """
    if not isinstance(groups, (list, tuple)) or len(groups) > MOST_GROUPS:
        raise SettingsError(
            f"equivalents must be a list of at most {MOST_GROUPS} groups, such as "
            '[["KKD", "kişisel koruyucu donanım"]]'
        )
    for place, group in enumerate(groups, 1):
        if not _is_group(group):
            raise SettingsError(
                f"equivalents: group {place} must be a list of 2 to {MOST_PHRASES} phrases of at "
                f'most {LONGEST} characters, such as ["KKD", "kişisel koruyucu donanım"]'
            )
    return groups


def _is_group(group: object) -> bool:
    return (
        isinstance(group, (list, tuple))
        and 2 <= len(group) <= MOST_PHRASES  # noqa: PLR2004 - in the message
        and all(isinstance(p, str) and len(p) <= LONGEST and _folded(p) for p in group)
    )
