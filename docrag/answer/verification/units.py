"""Units that numbers are counted in, and the words for them."""

from __future__ import annotations

from functools import lru_cache
from math import isclose
from typing import Final

from docrag.answer.verification.endings import ENDINGS, MOST
from docrag.answer.verification.number import Number

#: Unit: kind of what is measured, and folded words for it, Turkish and English.
_UNITS: Final = {
    "second": ("time", "saniye sn second seconds"),
    "minute": ("time", "dakika dk minute minutes"),
    "hour": ("time", "saat sa hour hours"),
    "day": ("time", "gun gundur gunduz day days"),
    "workday": ("time", "isgunu workday workdays"),
    "calendar day": ("time", "takvimgunu"),
    "week": ("time", "hafta week weeks"),
    "month": ("time", "ay month months"),
    "year": ("time", "yil sene year years"),
    "age": ("time", "yas yasinda aged"),
    "decade": ("time", "onyil decade decades"),
    "century": ("time", "yuzyil asir asr century centuries"),
    "semester": ("time", "yariyil donem semester semesters"),
    "mm": ("length", "mm milimetre millimetre millimetres"),
    "cm": ("length", "cm santimetre santim centimetre centimetres"),
    "m": ("length", "m metre meter meters metres mt"),
    "km": ("length", "km kilometre kilometer kilometers kilometres"),
    "mile": ("length", "mil mile miles"),
    "m2": ("area", "m² metrekare"),
    "km2": ("area", "km² kilometrekare"),
    "hectare": ("area", "hektar donum hectare hectares"),
    "m3": ("volume", "m³ metrekup"),
    "l": ("volume", "lt litre liter liters litres"),
    "mg": ("mass", "mg miligram"),
    "g": ("mass", "g gr gram grams"),
    "kg": ("mass", "kg kilogram kilo kilograms"),
    "t": ("mass", "ton tons tonnes"),
    "lira": ("money", "tl lira liras ₺"),
    "dollar": ("money", "dolar usd dollar dollars $"),
    "euro": ("money", "euro avro eur euros €"),
    "kurus": ("money", "kurus"),
    "percent": ("share", "% yuzde percent"),
    "permille": ("share", "‰ binde"),
    "degree": ("temperature", "° derece degree degrees"),
    "db": ("sound", "db dba desibel decibel decibels"),
    "volt": ("electric", "volt volts"),
    "watt": ("electric", "watt kw mw kilowatt megawatt"),
    "hz": ("frequency", "hz mhz ghz khz hertz"),
    "person": ("count", "kisi person people persons"),
    "time": ("count", "kez defa kere times"),
    "fold": ("count", "kat"),
    "piece": ("count", "adet tane pieces"),
    "point": ("count", "puan points"),
    "credit": ("count", "kredi akts credits"),
}
_WORDS: Final = {word: unit for unit, (_, told) in _UNITS.items() for word in told.split()}
#: Units that are another way to count the same.
_SAME: Final = (
    frozenset({"year", "age"}),
    frozenset({"piece", "person"}),
    frozenset({"day", "workday"}),
    frozenset({"day", "calendar day"}),
)
#: How many of the smallest unit of its kind one is, where that is exact.
_WORTH: Final = {
    "minute": 60, "hour": 3_600, "day": 86_400, "calendar day": 86_400, "week": 604_800,
    "mm": 1, "cm": 10, "m": 1_000, "km": 1_000_000,
    "g": 1, "kg": 1_000, "t": 1_000_000,
}  # fmt: skip
#: Words that begin like a unit and are none (moon's, spring, light, sailing).
_OTHERS: Final = frozenset(
    "ayni ayin aydin ayla ayri ayna ayse gunes guney gunay yildi yildir kati katin katlar "
    "sayili sayida kata mile milli millet milin kilis tone tonu yasa yasal yasam yasak "
    "yasasi".split()
)
#: Longest word for a unit, without endings.
_LONGEST: Final = max(map(len, _WORDS))


@lru_cache(maxsize=20_000)
def unit_of(folded: str) -> str:
    """The unit that a folded word names, endings allowed; empty for other words."""
    if folded in _WORDS:
        return _WORDS[folded]
    if folded in _OTHERS or len(folded) > _LONGEST + MOST:
        return ""
    for length in range(min(len(folded) - 1, _LONGEST), 1, -1):
        unit = _WORDS.get(folded[:length], "")
        if unit and ENDINGS.fullmatch(folded, length):
            return unit
    return ""


def kind_of(unit: str) -> str:
    """What a unit measures, such as ``time``; empty for none."""
    return _UNITS[unit][0] if unit else ""


def agree(first: str, second: str) -> bool:
    """True if two units are one, or either is not told."""
    return not first or not second or first == second or {first, second} in _SAME


def is_amount(first: Number, second: Number) -> bool:
    """True if two numbers with their units are as much: "3,5 ton" and "3.500 kg"."""
    if agree(first.unit, second.unit):
        if first.equals(second):
            return True
        return {first.unit, second.unit} == {"percent", ""} and _is_share(first, second)
    if kind_of(first.unit) != kind_of(second.unit):
        return False
    ours, theirs = _WORTH.get(first.unit), _WORTH.get(second.unit)
    if not ours or not theirs:
        return False
    return isclose(first.value * ours, second.value * theirs)


def _is_share(first: Number, second: Number) -> bool:
    """True for a fraction and the percentage that it is."""
    whole, part = (first, second) if first.unit else (second, first)
    return 0 < part.value < 1 and isclose(whole.value, 100 * part.value)
