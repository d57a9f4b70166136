"""Citation markers ``[n]`` in generated text: resolved while it streams, stripped from history."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docrag.answer.markdown import PlainMarkdown

#: What stands between two numbers of a group.
_BETWEEN = r"\s*(?:[,;–-]\s*(?:(?<=\s)(?:ve|and)\s+)?|(?<=\s)(?:ve|and)\s+)"
#: What some models write behind a number, characters at most: ``【1†source】``.
_ASIDE = r"(?:†[^\]】\n]{0,80})?"
#: A marker group in the forms that models write: ``[1]``, ``[1, 2]``, ``[1-3]``, ``[1 ve 2]``,
#: ``【1】``.
_GROUP = re.compile(rf" ?[\[【]\s*(\d{{1,6}}(?:{_BETWEEN}\d{{1,6}})*)\s*{_ASIDE}[\]】]")
#: The start of a group, or of a bracket around one, at the end of a text.
_UNFINISHED = re.compile(rf" ?[\[【][\d\s,;–vedan\[【-]*{_ASIDE}\Z")
#: A bracket around a group: were the group taken out, it could make a new one of what follows.
_OUTER = re.compile(r"[\[【](?=(?:[\d\s,;–-]*|\s*\d[\d\s,;–vedan-]*)[\[【])")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_ROUND = str.maketrans("[]【】", "()()")
#: A buffered tail longer than this is no marker, characters; Markdown's longest label has 999.
_LONGEST = 1100
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
    """Passes streamed text on, keeping only markers that were offered, none a link to elsewhere.

    A marker that is split over pieces is held back until it is whole; ``[1, 2]`` becomes
    ``[1][2]``; numbers that were not offered are removed. Markdown's own links and images become
    plain text (see ``docrag.answer.markdown``). Not thread-safe.
    """

    def __init__(self, offered: Iterable[int]) -> None:
        self._offered = frozenset(offered)
        self._held = ""
        self._markdown = PlainMarkdown()

    def feed(self, piece: str) -> str:
        """Text that is ready to be shown after this piece, perhaps empty."""
        text = self._held + piece
        tail = _UNFINISHED.search(text, max(len(text) - _LONGEST, 0))
        if tail is None and text.endswith(" "):
            cut = len(text) - 1
        else:
            cut = tail.start() if tail else len(text)
        self._held = text[cut:]
        return self._markdown.feed(self._resolved(text[:cut]))

    def finish(self) -> str:
        """What was still held back, at the end of the text."""
        rest, self._held = self._held, ""
        return self._markdown.feed(self._resolved(rest)) + self._markdown.finish()

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
    for part in re.split(r"[,;]|ve|and", group):
        if spread := _RANGE.fullmatch(part.strip()):
            first, last = int(spread.group(1)), int(spread.group(2))
            found += range(first, min(last, first + _WIDEST) + 1)
        else:
            found += [int(number) for number in re.findall(r"\d+", part)]
    return found
