"""Markdown in streamed text: links, their definitions and images are shown as plain text.

A definition ``[1]: address`` would make a link of every later ``[1]``, and an image is fetched
without a click; the addresses are then a model's or a document's, not docrag's.
"""

from __future__ import annotations

import re
from typing import Final

#: Places where a blank is put: into an image, and behind a bracket that goes on as a link or may be
#: a definition.
_BREAKS: Final = re.compile(r"!(?=\[)|\](?=[(:])")
#: What must wait for the next character, whole markers so that no client sees half of one.
_UNDECIDED: Final = re.compile(r"(?:!?\[\d{1,6}\]|!|\])\Z")
_MARKER: Final = re.compile(r"\[\d{1,6}\]\Z")
#: Characters of the longest marker.
_LONGEST: Final = 8
#: Nothing but signs, figures and ticked boxes may stand before a definition on its line.
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_LINE_ENDS: Final = "\n\r\v\f\x85\u2028\u2029"
#: Characters of a line's start and of its end that are kept to judge what comes next.
_START: Final = 64
_END: Final = 16


class PlainMarkdown:
    """Passes streamed text on, with a blank where Markdown would see a link. Not thread-safe."""

    def __init__(self) -> None:
        self._held = ""
        self._line = ""

    def feed(self, piece: str) -> str:
        """Text that is ready to be shown after this piece, perhaps empty."""
        text = self._held + piece
        found = _UNDECIDED.search(text)
        cut = found.start() if found else len(text)
        self._held = text[cut:]
        return self._broken(text[:cut])

    def finish(self) -> str:
        """What was still held back, at the end of the text."""
        rest, self._held = self._held, ""
        return self._broken(rest)

    def _broken(self, text: str) -> str:
        whole, start = self._line + text, len(self._line)
        pieces: list[str] = []
        for found in _BREAKS.finditer(whole, start):
            if not _is_harmless(whole, found.end()):
                pieces.append(f"{whole[start : found.end()]} ")
                start = found.end()
        self._line = _kept(whole)
        return "".join((*pieces, whole[start:]))


def _is_harmless(text: str, end: int) -> bool:
    """True for a marker with a colon in the middle of a line, as before a list."""
    marker = _MARKER.search(text, max(end - _LONGEST, 0), end)
    if marker is None or text[end] != ":":
        return False
    return _WORD.search(text, _line_start(text, end), marker.start()) is not None


def _kept(text: str) -> str:
    line = text[_line_start(text, len(text)) :]
    return line if len(line) <= _START + _END else line[:_START] + line[-_END:]


def _line_start(text: str, end: int) -> int:
    return 1 + max(text.rfind(sign, 0, end) for sign in _LINE_ENDS)
