"""Numbers of a Turkish question the other way: figures in words, words in figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docrag.textnorm import fold, lower

_UNITS = "bir iki üç dört beş altı yedi sekiz dokuz".split()
_TENS = "on yirmi otuz kırk elli altmış yetmiş seksen doksan".split()
_WORDS = (*_UNITS, *_TENS, "yüz", "bin")
_ORDINALS = (
    "birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu yirminci "
    "otuzuncu kırkıncı ellinci altmışıncı yetmişinci sekseninci doksanıncı yüzüncü bininci"
).split()
_ORDINAL = dict(zip(_WORDS, _ORDINALS, strict=True))
#: All number words and their ordinals.
NUMBER_NAMES = (*_WORDS, *_ORDINALS)
_AMOUNTS = (*range(1, 10), *range(10, 100, 10), 100, 1000)
#: Folded number words and their values, with the stem of "dördü".
_VALUE = {**dict(zip(map(fold, _WORDS), _AMOUNTS, strict=True)), "dord": 4}
#: Letters that tell how number words may follow each other.
_KIND = {100: "h", 1000: "k"} | {n: "u" for n in range(1, 10)} | {n: "t" for n in range(10, 100)}
#: A number below a million, in those letters, such as "tu" for "yirmi beş".
_NUMBER = re.compile("(?:(?:u?h)?t?u?k)?(?:u?h)?t?u?")
#: Most words of a number that is searched in words; longer ones are years and amounts of money,
#: which are written in figures.
MOST_WORDS = 3
#: Four figures without a stop that are a year, and never written in words.
_YEARS = range(1001, 2101)
#: Numbers from here on are also written with stops between thousands.
_STOPPED = 10_000
#: Number words that are also other words (they, under, ate, face, mount); with a case ending most
#: of all, alone only before what can be counted.
_AMBIGUOUS = frozenset({10, 6, 7, 100, 1000})
_UNINFLECTED = frozenset({10, 100, 1000})
#: Beginnings of words that fold to a number word and are none (front, tip).
_OTHERS = ("ön", "uç", "ucu", "uca")
#: Folded words that are counted; of the longer ones their beginning.
_COUNTED = re.compile(
    "(?:is|ay|gun|yil|yas|kat|kez|tl|uye|ton|kisi|ders|puan|kilo|lira|bent|saat|tane|adet)"
    "(?:l[iu]k|den|dan|e|de|da|te|ta|i|u|in|un|si)?"
    "|(?:dakik|saniye|hafta|calis|isci|perso|ogrenc|metre|santim|milim|madde|fikra|kredi|yariy"
    "|donem|litre|derec|yuzde)\\w*"
)
_TOKEN = re.compile(r"\w+")
_SPELLED = "|".join(sorted(_VALUE, key=len, reverse=True))
_PART = re.compile(_SPELLED)
_ENDING = "y?[ea]|[dt][ea]n?|n?[iu]n?|s[iu]"
#: A folded word made of number words, with a case ending or that of an ordinal.
_WORD = re.compile(rf"((?:{_SPELLED})+)(?:(?P<case>{_ENDING})|(?P<nth>[iu]?nc[iu]\w*))?")
#: Figures that are no part of a decimal, a date or a code, with what stands behind them.
_FIGURES = re.compile(
    r"(?<![\w.,/-])(\d{1,3}(?:\.\d{3})+|\d{1,6})"
    r"(?:(?P<stop>\.)(?=\s*[^\W\d_])"
    r"|(?:['’](?P<tail>[^\W\d_]+)|(?P<glued>[^\W\d_]{2,}))?(?![\w/-]|[.,]\d))"
)
_NTH_TAIL = re.compile("[ıiuü]?nc[ıiuü]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    value: int
    ordinal: bool


def other_forms(question: str) -> Iterator[str]:
    """Other ways to write the numbers of a question; repeats and its own ways included.

    Figures are given in words, written apart and together (``on beş``, ``onbeş``), words in
    figures. "Bir" alone is an article, and ``1`` stands in every list: neither has another form
    (``birinci`` has). Ambiguous words such as ``altı`` count before a unit only.

    :param question: any text; figures first, then words, each in order.
    """
    text = lower(question)
    for found in _FIGURES.finditer(text):
        yield from _of_figures(found)
    tokens = _TOKEN.findall(text)
    for number in _in_words([(token, fold(token)) for token in tokens]):
        yield str(number.value)
        yield from _stopped(number.value)
        yield from _spelled(number)


def ordinal(text: str) -> int | None:
    """The number that an ordinal in words names (``yirmi beşinci``); ``None`` for other text."""
    tokens = [(token, fold(token)) for token in _TOKEN.findall(lower(text))]
    if any(word.startswith(_OTHERS) or not _WORD.fullmatch(folded) for word, folded in tokens):
        return None
    found = list(_in_words(tokens))
    return found[0].value if len(found) == 1 and found[0].ordinal else None


def cardinal(text: str) -> int | None:
    """The number above one that these words are (``yirmi beş``); ``None`` for other text."""
    tokens = _TOKEN.findall(lower(text))
    found = [_WORD.fullmatch(fold(word)) for word in tokens if not word.startswith(_OTHERS)]
    plain = [one[1] for one in found if one and not one["case"] and not one["nth"]]
    values = [_VALUE[part] for word in plain for part in _PART.findall(word)]
    kinds = "".join(_KIND[value] for value in values)
    if len(plain) != len(tokens) or not values or not _NUMBER.fullmatch(kinds):
        return None
    return _sum(values) if values != [1] else None


def _of_figures(found: re.Match[str]) -> Iterator[str]:
    figures, tail, glued = found[1], found["tail"], found["glued"]
    ending = tail or glued or ""
    ordinal = found["stop"] is not None or _NTH_TAIL.match(ending) is not None
    if glued and not ordinal and not re.fullmatch(_ENDING, fold(glued)):
        return  # a code or an amount such as "42nm" or "5kg"
    value = int(figures.replace(".", ""))
    if glued or "." in figures:
        yield str(value)
    yield from _stopped(value)
    if figures[0] != "0" and ("." in figures or value not in _YEARS):
        yield from _spelled(_Number(value=value, ordinal=ordinal))


def _stopped(value: int) -> Iterator[str]:
    if value >= _STOPPED:
        yield f"{value:,}".replace(",", ".")


def _spelled(number: _Number) -> Iterator[str]:
    """The number in words, apart and together; nothing for a long one, nor for one alone."""
    parts = list(_parts(number.value))
    if len(parts) > MOST_WORDS or not parts or (parts == ["bir"] and not number.ordinal):
        return
    if number.ordinal:
        parts[-1] = _ORDINAL[parts[-1]]
    yield " ".join(parts)
    if len(parts) > 1:
        yield "".join(parts)


def _parts(value: int) -> Iterator[str]:
    thousands, rest = divmod(value, 1000)
    if thousands:
        yield from _parts(thousands) if thousands > 1 else ()
        yield "bin"
    hundreds, rest = divmod(rest, 100)
    if hundreds:
        yield from _UNITS[hundreds - 1 : hundreds] if hundreds > 1 else ()
        yield "yüz"
    tens, units = divmod(rest, 10)
    yield from _TENS[tens - 1 : tens] if tens else ()
    yield from _UNITS[units - 1 : units] if units else ()


def _in_words(tokens: list[tuple[str, str]]) -> Iterator[_Number]:
    """Numbers that are written in words, in order."""
    run: list[int] = []
    for place, (token, folded) in enumerate(tokens):
        found = None if token.startswith(_OTHERS) else _WORD.fullmatch(folded)
        values = [_VALUE[part] for part in _PART.findall(found[1])] if found else []
        if found is None or (found["case"] and values[-1] in _UNINFLECTED):
            run = []
            continue
        run += values
        following = tokens[place + 1][1] if place + 1 < len(tokens) else ""
        if found["case"] or found["nth"] or not _WORD.fullmatch(following):
            counted = bool(found["case"]) or _COUNTED.fullmatch(following) is not None
            yield from _numbers(run, ordinal=bool(found["nth"]), counted=counted)
            run = []


def _numbers(values: list[int], *, ordinal: bool, counted: bool) -> Iterator[_Number]:
    """The numbers that neighbouring number words make; the last has what stands behind them."""
    kinds = "".join(_KIND[value] for value in values)
    for found in _NUMBER.finditer(kinds):
        part = values[found.start() : found.end()]
        last = found.end() == len(values)
        nth = ordinal and last
        alone = part[0] if len(part) == 1 else 0
        sure = nth or (alone != 1 and (alone not in _AMBIGUOUS or (counted and last)))
        if part and sure:
            yield _Number(value=_sum(part), ordinal=nth)


def _sum(values: list[int]) -> int:
    total = current = 0
    for value in values:
        if value == 1000:  # noqa: PLR2004 - "bin"
            total, current = total + max(1, current) * value, 0
        else:
            current = max(1, current) * value if value == 100 else current + value  # noqa: PLR2004
    return total + current
