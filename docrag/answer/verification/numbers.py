"""Numbers in a text: figures, number words, fractions, Roman numerals; with their units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from docrag.answer.verification.figures import in_figures, in_roman
from docrag.answer.verification.number import Number
from docrag.answer.verification.tokens import Token
from docrag.answer.verification.units import unit_of
from docrag.answer.verification.wording import in_words

#: Words that may stand between a number and its unit ("30 iş günü").
_BETWEEN: Final = frozenset(
    "is takvim tam bin milyon milyar ay yil ders ardisik gibi kusur adet working calendar".split()
)
#: Kinds of days by the word before them.
_DAYS: Final = {"is": "workday", "takvim": "calendar day", "working": "workday"} | {
    "calendar": "calendar day"
}
#: Units in which something happens once, as in "yılda bir" and "her yıl".
_EACH: Final = {
    "yilda": "year", "senede": "year", "ayda": "month", "haftada": "week", "gunde": "day",
    "saatte": "hour",
}  # fmt: skip
_EVERY: Final = frozenset("yil sene ay hafta gun saat".split())
#: What figures behind it count atoms of.
_GASES: Final = frozenset("CO SO NO H O N CH".split())
#: What joins numbers of a range or a list, which share the unit of the last.
_JOINING: Final = frozenset("ile ila ve veya ya da to or and arasi".split())
#: What parts a number from words that count something else.
_BREAK: Final = re.compile(r"[,;:()]|\.\s")
_ORDINAL_BREAK: Final = re.compile(r"[,;:()]")
#: Most tokens behind a number in which its unit is looked for.
_NEAR: Final = 3
#: Folded beginnings of words that are counted: before them "altı" and the like are numbers.
_COUNTED: Final = tuple(
    "isci calisa ogrenc madde fikra bent uye eser kitap cilt cocuk kardes ders sayfa bolum dil "
    "ulke sehir kisi ayri farkli bucuk haneli katli".split()
)


def numbers(text: str, found: Sequence[Token], taken: frozenset[int] = frozenset()) -> list[Number]:
    """Numbers in order of their place.

    :param found: the tokens of the text.
    :param taken: places of tokens that are no numbers, since they were read as a date.
    """
    read = [
        replace(number, unit=number.unit or _unit(number, text, found))
        for number in _read(text, found, taken)
    ]
    read = _restated(text, found, read)
    return [
        replace(
            number,
            is_sure=number.is_sure
            or (bool(number.unit) and not number.written.lower().startswith("her "))
            or _is_counted(number, found)
            or _is_listed(number, found, following),
        )
        for number, following in zip_longest(read, read[1:])
    ]


def _read(text: str, found: Sequence[Token], taken: frozenset[int]) -> Iterator[Number]:
    place = last = 0
    while place < len(found):
        number = _once(text, found, place, last)
        if number is None and place not in taken and not _is_formula(found, place):
            if found[place].is_figures:
                number = in_figures(text, found, place)
            else:
                number = in_words(text, found, place) or in_roman(text, found, place)
        if number is None:
            place += 1
            continue
        yield number
        place = last = number.last


def _once(text: str, found: Sequence[Token], place: int, last: int) -> Number | None:
    """The 1 of "yılda bir" and "her yıl"; ``None`` where a number stands before it.

    :param last: place behind the number before; 0 for none.
    """
    if place + 1 >= len(found) or (place and place == last):
        return None
    token, following = found[place], found[place + 1]
    written = text[token.start : following.end]
    if following.folded == "bir" and token.folded in _EACH:
        return Number(1, 1, _EACH[token.folded], False, True, written, place, place + 2)
    if token.folded == "her" and following.folded in _EVERY:
        return Number(1, 1, unit_of(following.folded), False, False, written, place, place + 2)
    return None


def _is_formula(found: Sequence[Token], place: int) -> bool:
    """True for the figure of "CO2"."""
    before = found[place - 1] if place else None
    return (
        before is not None
        and found[place].is_figures
        and before.end == found[place].start
        and before.text in _GASES
    )


def _unit(number: Number, text: str, found: Sequence[Token]) -> str:
    """The unit behind a number, in the same clause."""
    before = found[number.last - 1]
    if text[before.end : before.end + 1] == ")":
        before = replace(before, end=before.end + 1)
    for behind in range(number.last, min(number.last + _NEAR, len(found))):
        token = found[behind]
        if (_ORDINAL_BREAK if number.is_ordinal else _BREAK).search(text, before.end, token.start):
            break
        if unit := unit_of(token.folded):
            said = found[behind - 1].folded if behind > number.last else ""
            if unit == "day" and said in _DAYS:
                return _DAYS[said]
            ahead = found[behind + 1] if behind + 1 < len(found) else None
            if token.folded in _BETWEEN and ahead is not None and unit_of(ahead.folded):
                return unit_of(ahead.folded)
            return unit
        if token.folded not in _BETWEEN:
            break
        before = token
    return ""


def _restated(text: str, found: Sequence[Token], read: Sequence[Number]) -> list[Number]:
    """The numbers, each with the unit of one that repeats it in brackets: "otuz (30) gün"."""
    told = list(read)
    for place in range(len(told) - 2, -1, -1):
        number, following = told[place], told[place + 1]
        between = text[found[number.last - 1].end : found[following.first].start]
        if number.value == following.value and between.strip() == "(" and not number.unit:
            told[place] = replace(number, unit=following.unit, is_sure=True)
    return told


def _is_listed(number: Number, found: Sequence[Token], following: Number | None) -> bool:
    """True for a number that is listed with one that has a unit: "altı veya yedi ay"."""
    if following is None or not following.unit or number.is_ordinal:
        return False
    between = found[number.last : following.first]
    return len(between) < _NEAR and all(token.folded in _JOINING for token in between)


def _is_counted(number: Number, found: Sequence[Token]) -> bool:
    following = found[number.last].folded if number.last < len(found) else ""
    return number.value != 1 and following.startswith(_COUNTED)
