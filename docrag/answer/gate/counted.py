"""What a question counts ("kaç ay", "ücreti ne kadar"), and whether a sentence tells it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

from docrag.answer.quoting.answer_kinds import is_number
from docrag.answer.quoting.ranges import Amounts
from docrag.api import fold, words

#: The word behind "kaç" in a folded question, but not where it asks for a date ("kaç yılında").
_KAC: Final = re.compile(r" (?:kac|how many) (?!(?:yil|sene)(?:s?i|s?ind\w+) )([a-z]+) ")
#: How a folded question asks for money.
_MONEY: Final = re.compile(
    r" (?:maas|ucret|fiyat|bedel|maliyet)(?!siz)[a-z]* (?:\w+ )?(?:ne kadar|kac)[a-z]* "
)
#: Measures that signs stand for as well.
_LIRA: Final = "lira"
_DEGREE: Final = "degree"
#: Beginnings of folded words of sentences that speak of money.
_PAID: Final = re.compile(r"maas|ucret|fiyat|bedel|maliyet|tutar[iu]|ode[nm]|avans|tazmin|aylig")
#: Folded words that tell how much money in another way: "yüzde 25'i", "iki katı".
_SHARES: Final = re.compile(r"yuzde|kat[iu](?:n[aei]\w*)?|tutar[iu]\w*|(?:usd|eur|euro|dolar)\w*")
#: Number words that end in one, alone or in a longer one.
_ONE: Final = re.compile(r"(?:[a-z]*(?:on|yirmi|otuz|kirk|elli|mis|sen|san|yuz|bin))?bir")
#: Words behind a number among which its unit is ("15 iş günü").
_BEHIND: Final = 2
#: Different words that are kept; there are a few dozen units with their endings.
_KEPT: Final = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A unit that a question asks a number of."""

    #: The folded word of the question; empty for money, which has none.
    word: str
    #: What it measures, such as "day", and how much of it.
    measure: str
    factor: float

    @classmethod
    def of(cls, question: str) -> Self | None:
        """The unit behind "kaç", or money; ``None`` where there is none that is known."""
        folded = f" {' '.join(fold(word) for word in words(question))} "
        found = _KAC.search(folded)
        measure, factor = _unit(found[1]) if found else ("", 1.0)
        if found and measure:
            return cls(word=found[1], measure=measure, factor=factor)
        return cls(word="", measure=_LIRA, factor=1.0) if _MONEY.search(folded) else None

    def is_told(self, said: Sequence[str], text: str = "") -> bool:
        """True if a sentence has a number of the unit, or of a smaller one of that measure.

        :param said: its folded words.
        :param text: itself, for what is no word ("%25").
        """
        if self.measure == _LIRA and any(map(_PAID.match, said)):
            return "%" in text or any(map(_SHARES.fullmatch, said)) or self._is_in(said)
        if self.measure == _DEGREE and "°" in text:
            return True
        return self._is_in(said)

    def _is_in(self, said: Sequence[str]) -> bool:
        return any(
            (is_number(word) or _ONE.fullmatch(word))
            and any(map(self._is_of, said[at + 1 : at + 1 + _BEHIND]))
            for at, word in enumerate(said)
        )

    def _is_of(self, unit: str) -> bool:
        measure, factor = _unit(unit)
        return measure == self.measure and factor <= self.factor


@lru_cache(maxsize=_KEPT)
def _unit(word: str) -> tuple[str, float]:
    amounts = Amounts.of(f"1 {word}").amounts
    return (amounts[0].measure, amounts[0].value) if amounts else ("", 1.0)
