"""Numbers in words: several words that make one number, fractions, "buçuk" and "milyon"."""

from __future__ import annotations

from collections.abc import Sequence

from docrag.answer.verification.number import Number
from docrag.answer.verification.spelled import HALVES, MULTIPLIER, Spelled, spelled
from docrag.answer.verification.tokens import Token
from docrag.api import lower


def in_words(text: str, found: Sequence[Token], place: int) -> Number | None:
    """The number that number words from here on make; ``None`` if none does."""
    spoken = _run(found, place)
    if not spoken:
        return None
    values = [value for word in spoken for value in word.values]
    value, last = _sum(values), place + len(spoken)
    sure = len(values) > 1 or spoken[0].is_sure
    if spoken[-1].is_whole and (above := _above(found, last)) and above < value:
        value, sure, last = above / value, True, last + 1
    while last < len(found) and (step := more(found, last)) is not None:
        value, sure, last = step[0] * value + step[1], True, last + 1
    unit = "percent" if place and found[place - 1].folded in ("%", "yuzde") else ""
    written = text[found[place].start : found[last - 1].end]
    ordinal = spoken[-1].is_ordinal
    return Number(value, value, unit, ordinal, sure or bool(unit), written, place, last)


def _run(found: Sequence[Token], place: int) -> list[Spelled]:
    """Number words from here on that make one number."""
    spoken: list[Spelled] = []
    current, least = 0.0, float("inf")
    for token in found[place:]:
        word = None if token.is_figures else spelled(lower(token.text))
        if word is None or (token.folded == "yuzde" and not spoken):
            break
        value = word.values[0]
        if not _follows(value, current, least):
            break
        spoken.append(word)
        least = word.values[-1]
        current = 0.0 if least > MULTIPLIER else _sum([current, *word.values])
        if word.is_closed or word.is_ordinal:
            break
    return spoken


def _sum(values: Sequence[float]) -> float:
    total = current = 0.0
    for value in values:
        if value > MULTIPLIER:
            total, current = total + max(current, 1) * value, 0.0
        elif value == MULTIPLIER:
            current = max(current, 1) * value
        else:
            current += value
    return total + current


def _above(found: Sequence[Token], place: int) -> float:
    """The upper half of a fraction ("biri" of "dörtte biri"); 0 for none."""
    if place >= len(found) or found[place].is_figures:
        return 0.0
    if found[place].folded.startswith("bir"):
        return 1.0
    word = spelled(lower(found[place].text))
    return word.values[0] if word else 0.0


def more(found: Sequence[Token], place: int) -> tuple[float, float] | None:
    """Factor and addend of a word behind a number: "milyon", "buçuk"."""
    token = found[place]
    if token.folded in HALVES:
        return 1.0, HALVES[token.folded]
    word = None if token.is_figures else spelled(lower(token.text))
    if word and len(word.values) == 1 and word.values[0] > MULTIPLIER and not word.is_ordinal:
        return word.values[0], 0.0
    return None


def _follows(value: float, current: float, least: float) -> bool:
    """True if a number word goes on with a number, as "beş" with "yirmi" and "yüz" with "iki"."""
    if value >= MULTIPLIER:
        return current < value
    return value < least and not (least < 10 or (least < MULTIPLIER and value >= 10))  # noqa: PLR2004
