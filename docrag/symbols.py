"""Signs of symbol fonts, which come in Unicode's private places U+F020 to U+F0FF."""

from __future__ import annotations

import re
from typing import Final

#: Signs of the font Symbol that change what a number means, and the ticks of Wingdings.
SIGNS: Final = {
    0xF0A3: "≤", 0xF0B0: "°", 0xF0B1: "±", 0xF0B3: "≥", 0xF0B4: "×", 0xF0B8: "÷", 0xF0B9: "≠",
    0xF0BB: "≈", 0xF057: "Ω", 0xF0FB: "✗", 0xF0FC: "✓", 0xF0FD: "☒", 0xF0FE: "☑",
}  # fmt: skip
#: Signs of Symbol that are pictures and bullets in Wingdings: a bullet where they begin a line.
INSIDE: Final = {
    **{0xF000 + ord(sign): sign for sign in "%()+,-./0123456789:;<=>"},
    0xF044: "Δ", 0xF061: "α", 0xF062: "β", 0xF067: "γ", 0xF06C: "λ", 0xF06D: "µ", 0xF070: "π",
    0xF073: "σ",
}  # fmt: skip
BULLET: Final = "•"
_PRIVATE = re.compile("[\uf020-\uf0ff]")
_FIRST = re.compile("^([ \t]*)[\uf025-\uf03e\uf044\uf061-\uf073](?=[ \t]|$)", re.MULTILINE)
_INSIDE = SIGNS | INSIDE


def named(text: str) -> str:
    """The text with each such sign as what it shows, or as a bullet where that is not known."""
    if not _PRIVATE.search(text):
        return text
    text = _FIRST.sub(rf"\1{BULLET}", text).translate(_INSIDE)
    return _PRIVATE.sub(BULLET, text)
