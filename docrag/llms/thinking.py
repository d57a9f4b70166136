"""Thoughts that a model writes in front of its answer, between ``<think>`` and ``</think>``."""

from __future__ import annotations

from typing import Final

from docrag.api import Delta

OPENING: Final = "<think>"
CLOSING: Final = "</think>"


class Thinking:
    """Splits the content of one streamed answer in thoughts and text.

    Only a tag at the very start opens thoughts, so that an answer may speak of the tag. Whatever
    cannot be part of a tag is handed on at once.
    """

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        #: The start is over: nothing can open thoughts any more.
        self._text = False
        #: White space between the thoughts and the text belongs to neither.
        self._trim = False

    def split(self, piece: str) -> list[Delta]:
        """What a piece of content adds, none or more, thoughts and text in deltas of their own.

        :param piece: cut anywhere, also inside a tag.
        """
        self._held += piece
        if not (self._inside or self._text):
            self._start()
        if self._inside:
            return self._thoughts()
        return self._words() if self._text else []

    def end(self) -> list[Delta]:
        """What was held back for the rest of a tag that never came."""
        held, self._held = self._held, ""
        return _deltas(reasoning=held) if self._inside else _deltas(text=held)

    def _start(self) -> None:
        start = self._held.lstrip()
        if start.startswith(OPENING):
            self._inside, self._held = True, start.removeprefix(OPENING)
        elif not OPENING.startswith(start):
            self._text = True

    def _thoughts(self) -> list[Delta]:
        thoughts, tag, rest = self._held.partition(CLOSING)
        if tag:
            self._inside, self._text, self._trim, self._held = False, True, True, rest
            return _deltas(reasoning=thoughts) + self._words()
        kept = _overlap(self._held, CLOSING)
        self._held = thoughts[len(thoughts) - kept :]
        return _deltas(reasoning=thoughts[: len(thoughts) - kept])

    def _words(self) -> list[Delta]:
        text, self._held = self._held.lstrip() if self._trim else self._held, ""
        self._trim = self._trim and not text
        return _deltas(text=text)


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of a text may be the start of a tag."""
    sizes = range(min(len(text), len(tag) - 1), 0, -1)
    return next((size for size in sizes if text.endswith(tag[:size])), 0)


def _deltas(*, text: str = "", reasoning: str = "") -> list[Delta]:
    return [Delta(text=text, reasoning=reasoning)] if text or reasoning else []
