"""The letters of list items as they are due: ``ğ)`` that was read as ``&)`` or ``8)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

#: Order in which Turkish regulations letter their items.
LETTERS: Final = "abcçdefgğhıijklmnoöprsştuüvyz"
#: What each sign may have been printed as. None of the letters could stand there itself: a letter
#: is not used twice, and no list leaves three letters out.
ALIKE: Final = {
    "&": "ğg", "8": "ğg", "9": "g", "g": "ğ", "c": "ç", "e": "c", "I": "l", "|": "l", "ı": "i",
    "o": "ö", "s": "ş", "u": "ü", "i": "ı",
}  # fmt: skip
#: The one letter that some lists leave out, so that the item behind it must tell.
DOUBTFUL: Final = "ı"
_ITEM = re.compile(r"([ \t]*)(\w|[&|])(\).*)", re.DOTALL)
_NEW = re.compile(r"[ \t]*(?:\(\d{1,2}\)|(?:\w+[ \t]+)?(?:MADDE|Madde)[ \t]+\d)")


def in_order(text: str) -> str:
    """The text with the letters at the start of its lines as the order of the list demands.

    A sign is changed only where the letter that is due looks like it and it cannot be right itself.
    """
    lines = text.split("\n")
    items = {at: found for at, line in enumerate(lines) if (found := _ITEM.fullmatch(line))}
    signs = _signs(lines, items)
    for at, found in items.items():
        lines[at] = f"{found[1]}{signs[at]}{found[3]}"
    return "\n".join(lines)


def _signs(lines: Sequence[str], items: dict[int, re.Match[str]]) -> dict[int, str]:
    """The sign of each item, by line."""
    places, signs, due, number = sorted(items), {}, LETTERS[0], 0
    for at, line in enumerate(lines):
        if at not in items:
            due = LETTERS[0] if _NEW.match(line) else due
            continue
        sign = items[at][2]
        if sign.isdigit() and int(sign) in (1, number + 1):
            signs[at], number = sign, int(sign)
            continue
        behind = next((items[place][2] for place in places if place > at), "")
        signs[at] = due if _misread(sign, due, behind) else sign
        due, number = _after(signs[at]) or due, 0
    return signs


def _misread(sign: str, due: str, behind: str) -> bool:
    return due in ALIKE.get(sign, "") and (due != DOUBTFUL or behind == sign)


def _after(letter: str) -> str:
    """The next letter; empty for another sign and behind the last one."""
    return LETTERS[LETTERS.index(letter) + 1 :][:1] if letter in LETTERS else ""
