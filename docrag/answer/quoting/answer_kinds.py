"""What kind of answer a question wants, and whether a sentence holds one of that kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from docrag.api import NUMBER_NAMES, fold, lower, words

#: Kinds of answers, and how a folded question asks for them (Turkish and English), in blanks.
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    kind: re.compile(rf" (?:{form}) ")
    for kind, form in {
        "date": r"(?:ne|hangi) zaman\w*|ne vakit|(?:hangi|kac) (?:yuzyil|asir|tarih|donem)\w*"
        r"|hangi (?:yil|sene|ay|gun)\w*|kac (?:yilinda|senesinde)|(?:tarih|yil)\w* (?:nedir|kac\w*)"
        r"|when|what year",
        "number": r"kac\w*|ne kadar\w*|(?:sayisi|orani|suresi|siniri) (?:ne|nedir)"
        r"|how (?:many|much|long)",
        "person": r"kim\w*|who|whom|whose",
        "place": r"nere\w*|where|hangi (?:ulke|sehi?r|il|ilce|bolge|kent|koy|yer|kita|semt|mahalle"
        r"|universite|okul|kurum|lise|medrese|devlet)\w*",
        "reason": r"neden\w*|nicin|niye|sebeb\w*|sebep\w*|amac\w*|ne amacla|ne icin|why",
        "manner": r"nasil\w*|ne sekilde|hangi sekilde|how",
        "name": r"ne demek\w*|ne anlam\w*|\w*tanim(?:i|l\w+)"
        r"|ne(?:ye)? (?:denir|denmektedir|denilmektedir)"
        r"|(?:adi|ismi) nedir|(?:ne|hangi) (?:ad|isim|ism)\w*",
        "list": r"neler\w*|hangiler\w*|kimler\w*",
        "thing": r"nedir|ne\w{0,3}|hangi\w*|what|which",
    }.items()
}  # fmt: skip
#: What "kaç" counts in a folded question: "kaç gün", "ne kadar süre".
_UNIT: Final = re.compile(r" kac(?:inci)? ([a-z]+) ")
#: Beginnings of what else a unit may be called, by its folded beginning.
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "gun": ("gun", "isgun"), "sene": ("yil",), "kisi": ("kisi", "isci", "calis"),
    "kisin": ("kisi", "isci", "calis"), "elema": ("isci", "calis"), "isci": ("isci", "calis"),
    "para": ("lira", "tl"), "lira": ("lira", "tl"), "maas": ("aylik", "ucret"),
}  # fmt: skip
_NUMBER: Final = "|".join(sorted({fold(word) for word in NUMBER_NAMES} - {"bir"}, key=len)[::-1])
#: A folded word of number words, with a case ending.
_NUMBER_WORD: Final = re.compile(
    rf"(?:{_NUMBER})+(?:y?[ea]|[dt][ea]n?|n?[iu]n?|s[iu]|l[iu]k|l[ea]r\w*)?"
)
_FIGURES: Final = re.compile(r"\d+")
_YEAR: Final = re.compile(r"(?<!\d)(?:1\d{3}|20\d\d)(?!\d)")
_MONTHS: Final = frozenset(
    "ocak subat mart nisan mayis hazir temmu agust eylul ekim kasim arali".split()
)
_DATE: Final = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}|y[üu]zy[ıi]l|\d+\.? ?as[ıi]r")
#: A name with the ending of a place; in law texts, of any word.
_PLACED: Final = re.compile(r"[A-ZÇĞİÖŞÜ]\w+['’](?:[dt][ae]n?|n[dt]?[ae]n?|y?[ae]|n?[ıiuü]n)(?!\w)")
_REASON: Final = re.compile(
    r"(?<!\w)(?:için|neden(?:i|iyle|le|lerle)|dolayı\w*|çünkü|zira|sebe[bp]\w*|sonucu(?:nda)?"
    r"|yüzünden|üzere|amac\w+|ötürü|sayesinde)(?!\w)"
)
_MANNER: Final = re.compile(
    r"\w(?:arak|erek|[ıiuü]p|yoluyla|şekilde|surette)(?!\w)|(?<!\w)ile(?!\w)"
)
_NAMING: Final = re.compile(
    r"(?<!\w)(?:den(?:ir|mekte|ilir|ilmekte)|ifade eder|ad[ıi] ver|olarak (?:adland|bilin)"
    r"|tan[ıi]mlan|anlam[ıi]na|demektir)|[\"“‘]|^\W*(?:\w\) ?)?[^:.]{2,60}: ?\w"
)
#: A capitalised word behind another one.
_CAPITAL: Final = re.compile(r"(?<=\S\s)[\"“‘(]?([A-ZÇĞİÖŞÜÂÎÛ][^\W\d_]+)")
#: Names or figures beyond which more tell nothing.
_ENOUGH: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a question wants, prepared once."""

    #: Words of :data:`KINDS`; empty where the question does not tell.
    kinds: frozenset[str]
    #: F5 terms of the question's words, which are no answer to it.
    said: frozenset[str]
    #: Folded beginning of what is counted ("gun" of "kaç gün"); empty for nothing.
    unit: str


#: All kinds, in a fixed order.
KINDS: Final = tuple(_ASKED)


def wanted(question: str) -> Wanted:
    """The kinds of answers that a question wants; a date is no number as well."""
    folded = [fold(word) for word in words(question)]
    text = f" {' '.join(folded)} "
    kinds = {kind for kind, form in _ASKED.items() if form.search(text)}
    if "date" in kinds:
        kinds.discard("number")
    counted = _UNIT.search(text)
    return Wanted(
        kinds=frozenset(kinds),
        said=frozenset(word[:5] for word in folded),
        unit=counted[1][:5] if counted else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a sentence holds that may be an answer."""

    #: Those of the wanted kinds that it holds.
    kinds: frozenset[str]
    #: Names and figures that the question does not say, 0 to 1 (of five or more).
    names: float
    figures: float
    #: True for a number before what the question counts.
    has_unit: bool


def held(wanted: Wanted, text: str, folded: tuple[str, ...]) -> Held:
    """What a sentence holds of the wanted kinds, beyond the question's own words.

    :param folded: its folded words, in order.
    """
    names = _names(text, wanted.said)
    figures = [word for word in folded if is_number(word) and word[:5] not in wanted.said]
    tests: Mapping[str, Callable[[], bool]] = {
        "date": lambda: _is_dated(text, folded, wanted.said),
        "number": lambda: bool(figures),
        "person": lambda: bool(names),
        "place": lambda: bool(names) or _PLACED.search(text) is not None,
        "reason": lambda: _REASON.search(lower(text)) is not None,
        "manner": lambda: _MANNER.search(lower(text)) is not None,
        "name": lambda: _NAMING.search(text) is not None,
        "list": lambda: text.count(",") > 1,
        "thing": lambda: True,
    }
    return Held(
        kinds=frozenset(kind for kind in wanted.kinds if tests[kind]()),
        names=min(len(names), _ENOUGH) / _ENOUGH,
        figures=min(len(figures), _ENOUGH) / _ENOUGH,
        has_unit=bool(wanted.unit) and _counts(folded, wanted.unit),
    )


def is_number(folded: str) -> bool:
    """True for figures and for number words other than "bir"."""
    return folded[:1].isdigit() or _NUMBER_WORD.fullmatch(folded) is not None


def _names(text: str, said: frozenset[str]) -> list[str]:
    """Words with a capital behind the first word, without those of the question."""
    found = _CAPITAL.findall(text)
    return [word for word in found if fold(lower(word))[:5] not in said]


def _is_dated(text: str, folded: tuple[str, ...], said: frozenset[str]) -> bool:
    years = [year for year in _YEAR.findall(text) if year not in said]
    if years or _DATE.search(lower(text)):
        return True
    return not _MONTHS.isdisjoint(word[:5] for word in folded)


def _counts(folded: tuple[str, ...], unit: str) -> bool:
    """True if a number stands at most two words before the unit."""
    units = _ALSO.get(unit, (unit,))
    return any(
        word.startswith(units) and any(map(is_number, folded[max(at - 2, 0) : at]))
        for at, word in enumerate(folded)
    )
