"""What one sentence says that a source must hold: words, names, numbers, dates and articles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from docrag.answer.gate.evidence import STOP_WORDS
from docrag.answer.verification.dates import Date, dates
from docrag.answer.verification.endings import term
from docrag.answer.verification.names import Mention, Name, mentions, names
from docrag.answer.verification.number import Number
from docrag.answer.verification.numbers import numbers
from docrag.answer.verification.polarity import verb_stem
from docrag.answer.verification.references import Reference, places, references
from docrag.answer.verification.tokens import Token, composed, tokens
from docrag.answer.verification.units import unit_of

#: Characters of a sentence that are read, and most values of a kind; what has more is a table or
#: code, and would take seconds.
LONGEST, MOST = 1_500, 20
#: Number or letter of a list's item at the start of a line, and Markdown's signs of headings,
#: items and stress.
_ITEM: Final = re.compile(
    r"^[\s>#]*(?:\d{1,2}[.)]\s+(?=[A-ZÇĞİÖŞÜ])(?!Yüzyıl)|[a-zçğıöşü]\)\s+|[-•–—]\s+)?"
)
_STRESS: Final = re.compile(r"[*_`]{1,3}")
#: Folded words behind a number of an article's part, which is no amount.
_PARTS: Final = ("fikra", "bent", "bend", "madde", "sayili")
#: Folded words that an answer says of its sources or of itself, and not of the matter.
_SAYING: Final = frozenset(
    """
    belge belgede belgeye belgelere belgelerde kaynak kaynakta kaynaga pasaj pasajda pasaja
    pasajlarda metin metne metinde yukaridaki asagidaki ilgili soz konusu belirtilen belirtilmistir
    belirtildigi bilgi bilgiye bilgilere cevap yanit soru ozetle kisaca sonuc sonucta dolayisiyla
    ayrica bunun bunlar bunlarin buna boyle sekilde seklinde yani ornegin fakat ise ancak etmek
    bulunmaktadir olmaktadir etmektedir edilmektedir edilmistir olmustur bulunur tarafindan
    according source passage document stated therefore also thus
    """.split()
)
#: How biographies write birth and death in short, and the stems of the verbs.
_LIFE: Final = {"d": "dog-", "ö": "ol-", "Ö": "ol-", "D": "dog-"}
#: Folded beginnings of words that say as much as another verb.
_ALIASES: Final = {"dogum": "dog-", "olum": "ol-", "vefat": "ol-", "dunyay": "dog-", "yitir": "ol-"}
#: Stems of verbs that only carry the word before them.
_LIGHT: Final = frozenset("et ed edil ol olun bulun kal".split())


@dataclass(frozen=True, slots=True)
class Word:
    """A content word of a claim."""

    folded: str
    #: As written.
    written: str
    place: int
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, read."""

    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    names: tuple[Name, ...]
    mentions: tuple[Mention, ...]
    numbers: tuple[Number, ...]
    dates: tuple[Date, ...]
    references: frozenset[Reference]
    #: What stands for each token where contexts are compared.
    keys: tuple[frozenset[str], ...]

    @property
    def values(self) -> bool:
        """True if it has a number, a date or an article."""
        return bool(self.numbers or self.dates or self.references)


def read(sentence: str) -> Claim:
    """The sentence, read; list signs and Markdown's stress are left out."""
    text = composed(_ITEM.sub("", _STRESS.sub("", sentence[:LONGEST]), count=1))
    found = tokens(text)
    told = dates(text, found)
    aside = frozenset(_aside(text, found))
    dated = frozenset(place for date in told for place in range(date.first, date.last))
    counted = numbers(text, found, dated)
    named = tuple(name for name in names(text, found) if name.place not in dated | aside)
    values = tuple(
        n for n in counted if n.is_sure and not aside.intersection(range(n.first, n.last))
    )
    spoken = {place for number in values for place in range(number.first, number.last)}
    rest = {*dated, *aside, *spoken, *(name.place for name in named if name.is_sure)}
    return Claim(
        text=text,
        tokens=tuple(found),
        words=tuple(_words(found, rest)),
        names=named,
        mentions=tuple(mentions(text, found, named))[:MOST],
        numbers=values[:MOST],
        dates=tuple(told)[:MOST],
        references=references(text),
        keys=tuple(map(keys, found)),
    )


def keys(token: Token) -> frozenset[str]:
    """What stands for a token where contexts are compared; none for a word that says nothing."""
    if token.is_figures:
        return frozenset({token.text})
    if token.text in _LIFE:
        return frozenset({_LIFE[token.text]})
    return _keys(token.folded)


@lru_cache(maxsize=50_000)
def _keys(folded: str) -> frozenset[str]:
    if len(folded) < 2 or folded in STOP_WORDS:  # noqa: PLR2004 - a letter or sign
        return frozenset()
    found = {term(folded)}
    if stem := verb_stem(folded):
        found.add(f"{stem}-")
    found |= {key for beginning, key in _ALIASES.items() if folded.startswith(beginning)}
    return frozenset(found)


def _aside(text: str, found: Sequence[Token]) -> list[int]:
    """Places of tokens that name an article or a part of it."""
    spans = places(text)
    inside = [
        place
        for place, token in enumerate(found)
        if any(start <= token.start < end for start, end in spans)
    ]
    parts = [place for place, after in enumerate(found[1:]) if after.folded.startswith(_PARTS)]
    return [*inside, *parts]


def _words(found: Sequence[Token], left_out: set[int]) -> list[Word]:
    """Content words, each once, in order; units belong to their numbers."""
    read: dict[str, Word] = {}
    for place, token in enumerate(found):
        if place in left_out or token.is_figures or len(token.folded) < 2:  # noqa: PLR2004 - a letter
            continue
        if token.folded in STOP_WORDS or token.folded in _SAYING:
            continue
        if verb_stem(token.folded) in _LIGHT:
            continue
        if place and place - 1 in left_out and unit_of(token.folded):
            continue
        read.setdefault(token.folded, Word(token.folded, token.text, place, keys(token)))
    return list(read.values())
