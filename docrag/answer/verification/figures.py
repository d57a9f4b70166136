"""Numbers in figures: Turkish and English stops, fractions, percent; and Roman numerals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docrag.answer.verification.number import Number
from docrag.answer.verification.tokens import Token
from docrag.answer.verification.wording import more

_TURKISH: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_ENGLISH: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL: Final = re.compile(r"(\d+)[.,:](\d+)")
_ROMAN: Final = re.compile(r"(?=[IVXL])(?:X[LC]|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50}
#: Endings of an ordinal behind figures.
_NTH: Final = re.compile("[iu]?nc[iu]")


def in_figures(text: str, found: Sequence[Token], place: int) -> Number:
    """The number that a token in figures begins, with what multiplies or divides it."""
    token = found[place]
    value, also = _values(token.text)
    last = place + 1
    if _is_fraction(text, found, place):
        under = _values(found[place + 2].text)[0]
        value = also = value / under
        last = place + 3
    while last < len(found) and (step := more(found, last)) is not None:
        value, also, last = step[0] * value + step[1], step[0] * also + step[1], last + 1
    stop = text[token.end : token.end + 2] in (". ", ".\n") and last == place + 1
    nth = bool(_NTH.match(token.tail)) or (stop and text[token.end + 2 : token.end + 3].islower())
    unit = "percent" if place and found[place - 1].folded in ("%", "yuzde") else ""
    unit = "permille" if place and found[place - 1].folded in ("‰", "binde") else unit
    end = found[last - 1].end
    return Number(value, also, unit, nth, True, text[token.start : end], place, last)


def _values(figures: str) -> tuple[float, float]:
    """Both readings of figures with stops: "1.006" is a thousand and six, or one and a little."""
    if _TURKISH.fullmatch(figures):
        value = float(figures.replace(".", "").replace(",", "."))
        return value, float(figures) if figures.count(".") == 1 and "," not in figures else value
    if _ENGLISH.fullmatch(figures):
        value = float(figures.replace(",", ""))
        alone = figures.count(",") == 1 and "." not in figures
        return value, float(figures.replace(",", ".")) if alone else value
    if decimal := _DECIMAL.fullmatch(figures):
        value = float(f"{decimal[1]}.{decimal[2]}")
        return value, value
    # Parts of a number such as "4.1.2" or a telephone's: equal only to the same figures.
    value = float("".join(filter(str.isdecimal, figures)))
    return value, value


def _is_fraction(text: str, found: Sequence[Token], place: int) -> bool:
    """True for "1/4": single figures around a stroke, the first the smaller."""
    if place + 2 >= len(found) or found[place + 1].text != "/":
        return False
    above, under = found[place], found[place + 2]
    whole = (
        above.text.isdecimal() and under.text.isdecimal() and text[above.end : under.start] == "/"
    )
    return whole and 0 < int(above.text) < int(under.text) <= 100  # noqa: PLR2004 - as people write


def in_roman(text: str, found: Sequence[Token], place: int) -> Number | None:
    """The Roman number that a token is, counted as an ordinal; ``None`` for other tokens."""
    token = found[place]
    if not token.text or not _ROMAN.fullmatch(token.text):
        return None
    stopped = text[token.end : token.end + 1] == "."
    if len(token.text) == 1 and not stopped:
        return None
    figures = [_ROMAN_VALUES[sign] for sign in token.text]
    value = float(
        sum(
            -one if one < after else one
            for one, after in zip(figures, [*figures[1:], 0], strict=True)
        )
    )
    return Number(value, value, "", True, len(token.text) > 1, token.text, place, place + 1)
