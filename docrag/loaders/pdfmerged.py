"""Typed letters of a page and what text recognition found in the picture beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrag.api import fold, lower

#: Share of the words of a recognised line that are typed on the page, too, from which on it is the
#: same line, if all its numbers are.
SAME_WORDS = 0.8
_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
#: Signs that change what a number means, and that recognition gets wrong.
_SIGN = re.compile("[%°+±²³½¼≤≥<>µ₺×÷≠]")
_SAYS = re.compile(r"[^\W\d_]{3}|\d")


def merged(typed: str, said: str) -> str:
    """The typed text, with the recognised lines that it lacks behind it.

    Only what was recognised where all that is typed is in it, for it has the order of the page;
    the typed text unchanged where nothing else was recognised.
    """
    beyond = "\n".join(_lacking(said, typed))
    if not beyond:
        return typed
    if not any(_lacking(typed, said)) and set(_SIGN.findall(typed)) <= set(_SIGN.findall(said)):
        return said
    return f"{typed.rstrip()}\n{beyond}"


def _lacking(text: str, other: str) -> Iterator[str]:
    """The lines of a text that say something which the other does not."""
    words, numbers = set(_words(other)), set(_NUMBER.findall(other))
    for line in text.splitlines():
        said = _words(line)
        known = sum(word in words for word in said)
        seen = known >= SAME_WORDS * len(said) and numbers.issuperset(_NUMBER.findall(line))
        if _SAYS.search(line) and not seen:
            yield line


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(lower(text))]
