"""Ranges of numbers in a text, and whether an amount of a question lies in one of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from docrag.api import NUMBER_NAMES, fold, lower
from docrag.numerals import cardinal

#: Units by what they measure, how much of it, and their folded beginnings.
_MEASURES: Final = (
    ("month", 12, "yil|sene"), ("month", 1, "ay"), ("day", 7, "hafta"), ("day", 1, "gun"),
    ("minute", 60, "saat"), ("minute", 1, "dakika|dk"), ("age", 1, "yas"),
    ("person", 1, r"(?:kisi(?!sel)|calisan|isci|personel|eleman|ogrenci|uye|katilimci)\w*"),
    ("metre", 1000, "km|kilometre"), ("metre", 1, "m(?!.)|mt|metre"), ("metre", 0.01, "cm|santim"),
    ("kilo", 1000, "ton"), ("kilo", 1, "kg|kilo"), ("lira", 1, "tl|lira"),
    ("degree", 1, "derece"), ("decibel", 1, "db|desibel"),
)  # fmt: skip
_CASE: Final = r"(?:n?[dt][ae]n?|n?y?[ae]|n?[iu]n?|l[iu]k|s[iu]|d[iu]r)?"
_UNITS: Final = tuple(
    (measure, factor, re.compile(rf"(?:{names})(?:l[ae]r)?[iu]?{_CASE}(?:ki)?"))
    for measure, factor, names in _MEASURES
)
_NAMES: Final = "|".join(sorted({fold(name) for name in NUMBER_NAMES}, key=len)[::-1])
#: Figures with or without stops and decimals, number words with a case ending, words, dashes.
_TOKEN: Final = re.compile(
    r"(?P<figures>(?<![\w.,])\d{1,3}(?:\.\d{3})+(?:,\d+)?|(?<![\w.,])\d+(?:,\d+)?)(?![\w/])"
    rf"|(?P<spelled>(?:{_NAMES})+)(?P<case>[dt][ae]n|y?[ae]|n?[iu]n)?(?![a-z])"
    r"|(?P<dash>(?<=\d) ?[-–] ?(?=\d))|(?P<word>\w+)"
)
#: Characters of a text that are looked at; a longer one is no clause or row.
_LOOKED_AT: Final = 2_000
#: A number of the tokens ("#3"), and the word that it counts.
_N: Final = r"#(\d+)"
_U: Final = r"((?: (?!#|ile |ila |ve |veya |- )\w+){0,2}?)"
_FROM: Final = r"(?: [dt][ae]n|(?<=[dt][ae]n))"
_TO: Final = r"(?: y?[ae]|(?<=[ae]))"
_MORE: Final = r"(?:fazla|cok|buyuk|uzun|yuksek)\w*"
_LESS: Final = r"(?:az|kucuk|kisa|dusuk)\w*"
#: A limit ("az olamaz") is a rule and no range.
_NO_LIMIT: Final = r"(?! ol(?:ama|mama|maz|amay|maya)\w*)(?!\w)"
_FORMS: Final = tuple(
    (kind, re.compile(form))
    for kind, form in (
        ("both", rf"{_N}{_U} (?:-|ila) {_N}((?: (?!#)\w+){{0,2}})"),
        ("both", rf"{_N}{_U} ile {_N}{_U}(?= aras)"),
        ("both", rf"{_N}{_U}{_FROM} {_N}{_U}{_TO} (?:kadar|dek)"),
        ("open", rf"{_N}{_U}{_FROM} {_MORE}(?: \w+)? {_N}{_U}{_FROM} {_LESS}{_NO_LIMIT}"),
        (
            "least",
            rf"{_N}{_U}(?: dahil)? (?:ve|veya|ya da) (?:daha )?"
            rf"(?:{_MORE}|ust\w*|uzer\w*|yukari\w*)",
        ),
        ("above", rf"{_N}{_U}{_FROM} (?:daha )?{_MORE}{_NO_LIMIT}"),
        ("above", rf"{_N}{_U} (?:uzerind\w*|ustund\w*|uzeri|asan|gecen)"),
        ("below", rf"{_N}{_U}{_FROM} (?:daha )?{_LESS}{_NO_LIMIT}"),
        ("below", rf"{_N}{_U} altind\w*"),
        ("most", rf"{_N}{_U}{_TO} kadar"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Amount:
    value: float
    #: What is measured; empty where the unit is none of the known ones.
    measure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Range:
    low: float
    high: float
    measure: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """The amounts that a question tells, such as 620 persons."""

    amounts: tuple[_Amount, ...]

    @classmethod
    def of(cls, question: str) -> Self:
        """The numbers of a question with a known unit behind them."""
        text, values = _read(question)
        found = [
            _amount(values[int(at)], unit) for at, unit in re.findall(rf"{_N}((?: \w+)?)", text)
        ]
        return cls(amounts=tuple(amount for amount in found if amount.measure))

    def within(self, text: str) -> bool | None:
        """True if a range of the text holds an amount, False if none of its ranges does.

        :returns: ``None`` where the text has no range of what the question measures.
        """
        if not self.amounts:
            return None
        fits = [
            amount.value in one
            for one in _ranges(text)
            for amount in self.amounts
            if amount.measure == one.measure
        ]
        return any(fits) if fits else None


def has_range(text: str) -> bool:
    """True if a text tells a range of amounts, such as a row for so many years."""
    return next(_ranges(text), None) is not None


def _ranges(text: str) -> Iterator[_Range]:
    """Ranges in a text; one without a unit of its own has what the text measures anywhere."""
    told, values = _read(text[:_LOOKED_AT])
    for kind, form in _FORMS:
        for found in form.finditer(told):
            yield from _range(kind, found, values, told)
        told = form.sub(" ", told)


def _range(kind: str, found: re.Match[str], values: list[float], told: str) -> Iterator[_Range]:
    """The range of a match, in each unit that it may have."""
    groups = found.groups()
    first, last = values[int(groups[0])], values[int(groups[-2])]
    is_usual = kind == "above" and first == 1  # "birden fazla" is many
    if is_usual or (kind in ("both", "open") and first >= last):
        return
    step = 1e-9 * max(abs(first), abs(last), 1)
    low = {"below": -math.inf, "most": -math.inf, "above": first + step, "open": first + step}
    high = {"least": math.inf, "above": math.inf, "below": last - step, "open": last - step}
    for measure, factor in _measures(" ".join(groups[1::2])) or _measures(told):
        yield _Range(
            low=low.get(kind, first) * factor,
            high=high.get(kind, last) * factor,
            measure=measure,
        )


def _measures(told: str) -> set[tuple[str, float]]:
    """What the words of a text measure, and how much of it."""
    return {found for word in told.split() for found in [_measure(word)] if found[0]}


def _amount(value: float, unit: str) -> _Amount:
    measure, factor = _measure(unit.strip())
    return _Amount(value=value * factor, measure=measure)


def _measure(word: str) -> tuple[str, float]:
    return next(
        ((measure, factor) for measure, factor, form in _UNITS if form.fullmatch(word)), ("", 1)
    )


def _read(text: str) -> tuple[str, list[float]]:
    """The folded words of a text with ``#n`` for its numbers, and the numbers."""
    plain = re.sub(r"[^\W\d]+", lambda word: fold(word[0]), lower(text))
    told: list[str] = []
    values: list[float] = []
    run: list[str] = []

    def end() -> None:
        value = cardinal(" ".join(run)) if run else None
        if run == ["bir"]:
            value = 1
        if value is not None:
            told.append(f"#{len(values)}")
            values.append(float(value))
        else:
            told.extend(run)
        run.clear()

    for token in _TOKEN.finditer(plain):
        if token["spelled"]:
            run.append(token["spelled"])
            if token["case"]:
                end()
                told.append(token["case"])
            continue
        end()
        if token["figures"]:
            told.append(f"#{len(values)}")
            values.append(float(token["figures"].replace(".", "").replace(",", ".")))
        else:
            told.append(token["word"] or "-")
    end()
    return " ".join(told), values
