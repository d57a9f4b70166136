"""Signs that Tesseract's Turkish does not know, taken from a second reading in English.

``tur.traineddata`` has no ``%``, ``°`` and ``+``: it reads digits or other signs in their place
(``%19,5`` as ``9019,5``). The English data know the three; neither knows ``± ½ ² ³ ≤ ≥ µ ₺``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from docrag.loaders.ocrwords import Word

#: What a person should look at on a page whose numbers are not certain.
DOUBT = "its numbers and signs such as %, °, ±, ² and ≤ may be wrong; check them"
#: Side of the cells by which words are found, pixels: about a line at 200 dots an inch.
_CELL = 32
#: Height of a word, pixels, above which it is a picture.
_MOST_HEIGHT = 600
#: A number with signs, as the second reading has it, at the start of a word.
_SIGNED = re.compile(r"\(?[-\d.,]*[%°+][%°+\d.,]*C?")
#: What the Turkish data make of each sign. None of them gives ``1`` for ``%``: that is a fraction.
_MADE = {
    "%": r"(?:9\d{0,2}|[06]\d?|[A-Za-z]{1,2}|[^\w\s]{1,2}|)",
    "°": r"[^\w\s(),.;:]{0,2}[9oO0]?",
    "+": r"""[4*“"'‘’tf#+]""",
}
#: Longest number with signs that is compared: what a page holds, a regular expression can bear.
_LONGEST = 12
_SIGN_BETWEEN = re.compile(r"\d[%°+]\d")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
#: Signs that both readings know wrong: ``≤`` as ``<``, ``±`` as ``+``, ``m²`` as ``m?``, ``µm``.
_DOUBTFUL = re.compile(
    r"[<>]|\d [^-–—/\w] \d|(?<!\w)[ckdm]?m[^\w\s.,;:'’()/-]|\d ?[upy](?:m|g|l|L)\b"
)


def merged(words: Sequence[Word], others: Sequence[Word]) -> tuple[list[Word], bool]:
    """The words with the signs of the second reading, and whether a number stays doubtful.

    Nothing else of the second reading is taken: a sign stands where both readings have the same
    digits and letters around it.

    :param words: first reading, Turkish.
    :param others: second reading of the same picture.
    """
    cells, found, doubt = _grid(others), [], False
    for word, behind in zip_longest(words, words[1:]):
        beside = sorted(_beneath(word, cells), key=lambda other: other.left)
        joined = " ".join(other.text for other in beside)
        counts = bool(behind) and behind.text[:1].isdigit()
        text = _signed(word.text, joined, counts=counts)
        doubt = doubt or _differ(text, joined)
        found.append(replace(word, text=text))
    return found, doubt


def doubtful(text: str) -> bool:
    """Whether a recognised text holds what stands for a sign that no reading knows."""
    return bool(_DOUBTFUL.search(text))


def _grid(words: Sequence[Word]) -> Mapping[tuple[int, int], list[Word]]:
    """Words by the cell in which their middle lies."""
    cells: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        down, across = word.top + word.height // 2, word.left + word.width // 2
        cells.setdefault((down // _CELL, across // _CELL), []).append(word)
    return cells


def _beneath(word: Word, cells: Mapping[tuple[int, int], list[Word]]) -> Iterator[Word]:
    """Words of the second reading whose middle lies in the word's box."""
    if word.height > _MOST_HEIGHT:
        return
    right, bottom = word.left + word.width, word.top + word.height
    for row in range(word.top // _CELL, bottom // _CELL + 1):
        for column in range(word.left // _CELL, right // _CELL + 1):
            for other in cells.get((row, column), ()):
                across = other.left + other.width // 2
                down = other.top + other.height // 2
                if word.left <= across <= right and word.top <= down <= bottom:
                    yield other


def _signed(text: str, other: str, *, counts: bool) -> str:
    """The word with the signs that the second reading has in it, else as it is.

    :param counts: a number follows, so that a per cent sign by itself is none of ``½`` and ``¼``.
    """
    signs = _SIGNED.match(other)
    if not signs or not set(signs[0]) & set(_MADE) or len(signs[0]) > _LONGEST:
        return text
    if signs[0] == "+" or _SIGN_BETWEEN.search(signs[0]):
        return text
    made = "".join(_MADE.get(sign, re.escape(sign)) for sign in signs[0])
    end = r"(?!\d|[.,]\d)" if signs[0][-1].isdigit() else ""
    found = re.fullmatch(f"{made}{end}(.*)", text)
    if not found or (not counts and _is_fraction(signs[0], text)):
        return text
    blank = " " if other[signs.end() :].startswith(" ") and found[1] else ""
    return f"{signs[0]}{blank}{found[1]}"


def _is_fraction(signs: str, text: str) -> bool:
    """True for what may be ``½`` or ``¼``, which the second reading takes for a per cent sign."""
    digits = sum(map(str.isdigit, signs))
    return "%" in signs and (digits == 0 or len(text) <= digits == 1)


def _differ(text: str, other: str) -> bool:
    """Whether two readings of a word with a number differ in it, or in the signs beside it."""
    one, two = _NUMBER.search(text), _NUMBER.search(other)
    if not one:
        return False
    return not two or one[0] != two[0] or any((sign in text) != (sign in other) for sign in _MADE)
