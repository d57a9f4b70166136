"""Citation markers ``[n]`` in generated text: resolved while it streams, stripped from history."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: A marker group in the forms that models write: ``[1]``, ``[1, 2]``, ``[1-3]``, ``【1】``.
_GROUP = re.compile(r" ?[\[【]\s*(\d{1,6}(?:\s*[,;–-]\s*\d{1,6})*)\s*[\]】]")
_UNFINISHED = re.compile(r" ?[\[【][\d\s,;–\[【-]*\Z")
#: A bracket around a group: were the group taken out, it could make a new one of what follows.
_OUTER = re.compile(r"[\[【](?=[\d\s,;–-]*[\[【])")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_ROUND = str.maketrans("[]【】", "()()")
#: A buffered tail longer than this is no marker, characters.
_LONGEST = 400
#: Most numbers that a range stands for.
_WIDEST = 20


def numbers(text: str) -> tuple[int, ...]:
    """Numbers of the markers in a text, each once, in order of first mention."""
    return tuple(
        dict.fromkeys(number for group in _GROUP.findall(text) for number in _listed(group))
    )


def spans(text: str) -> list[tuple[int, int, int]]:
    """Number, start and end (exclusive, characters) of every single-number marker, in order."""
    return [(int(m.group(1)), m.start(), m.end()) for m in re.finditer(r"\[(\d{1,3})\]", text)]


def strip(text: str) -> str:
    """The text without marker groups, for earlier answers whose numbers mean nothing now."""
    return _GROUP.sub("", text)


def neutral(text: str) -> str:
    """A document's own text with what looks like a marker put in round brackets.

    Otherwise a document that holds ``[2]`` would cite source 2 when it is quoted.
    """
    return _GROUP.sub(lambda group: group.group(0).translate(_ROUND), text)


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
        return self._resolved(text[:cut])

    def finish(self) -> str:
        """What was still held back, at the end of the text."""
        rest, self._held = self._held, ""
        return self._resolved(rest)

    def _resolved(self, text: str) -> str:
        return _GROUP.sub(self._resolve, _OUTER.sub("(", text))

    def _resolve(self, group: re.Match[str]) -> str:
        wanted = dict.fromkeys(_listed(group.group(1)))
        kept = "".join(f"[{number}]" for number in wanted if number in self._offered)
        space = " " if group.group(0).startswith(" ") else ""
        return space + kept if kept else ""


def _listed(group: str) -> list[int]:
    """The numbers of a group, ranges written out."""
    found: list[int] = []
    for part in re.split(r"[,;]", group):
        if spread := _RANGE.fullmatch(part.strip()):
            first, last = int(spread.group(1)), int(spread.group(2))
            found += range(first, min(last, first + _WIDEST) + 1)
        else:
            found += [int(number) for number in re.findall(r"\d+", part)]
    return found
