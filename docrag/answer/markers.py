"""Citation markers ``[n]`` in generated text: resolved while it streams, stripped from history."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: What a marker group may look like: ``[1]``, ``[1, 2]``, ``[1][2]`` is two groups.
_GROUP = re.compile(r" ?\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_UNFINISHED = re.compile(r" ?\[[\d\s,;]*\Z")
#: A buffered tail longer than this is no marker, characters.
_LONGEST = 40


def numbers(text: str) -> tuple[int, ...]:
    """Numbers of the markers in a text, each once, in order of first mention."""
    found = [int(part) for group in _GROUP.findall(text) for part in re.findall(r"\d+", group)]
    return tuple(dict.fromkeys(found))


def spans(text: str) -> list[tuple[int, int, int]]:
    """Number, start and end (exclusive, characters) of every single-number marker, in order."""
    return [(int(m.group(1)), m.start(), m.end()) for m in re.finditer(r"\[(\d{1,3})\]", text)]


def strip(text: str) -> str:
    """The text without marker groups, for earlier answers whose numbers mean nothing now."""
    return _GROUP.sub("", text)


class MarkerFilter:
    """Passes streamed text on, keeping only markers that were offered. Not thread-safe.

    A marker that is split over pieces is held back until it is whole; ``[1, 2]`` becomes
    ``[1][2]``; numbers that were not offered are removed.
    """

    def __init__(self, offered: Iterable[int]) -> None:
        self._offered = frozenset(offered)
        self._held = ""

    def feed(self, piece: str) -> str:
        """Text that is ready to be shown after this piece, perhaps empty."""
        text = self._held + piece
        tail = _UNFINISHED.search(text)
        if tail is None and text.endswith(" "):
            cut = len(text) - 1
        else:
            cut = tail.start() if tail and len(text) - tail.start() <= _LONGEST else len(text)
        self._held = text[cut:]
        return _GROUP.sub(self._resolve, text[:cut])

    def finish(self) -> str:
        """What was still held back, at the end of the text."""
        rest, self._held = self._held, ""
        return _GROUP.sub(self._resolve, rest)

    def _resolve(self, group: re.Match[str]) -> str:
        wanted = [int(part) for part in re.findall(r"\d+", group.group(1))]
        kept = "".join(f"[{number}]" for number in wanted if number in self._offered)
        space = " " if group.group(0).startswith(" ") else ""
        return space + kept if kept else ""
