"""The question inside what a front end's own retrieval has wrapped around it.

Open WebUI puts its passages in front of the last user message, or behind the system message:
``### Task:``, rules, ``<context>`` with ``<source id="1">`` passages, ``</context>``, and then the
user's words. docrag finds its own passages, so those are taken off; their numbers stay taken,
since the front end shows them beside docrag's. AnythingLLM's blocks in the system message stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from docrag.api import Message, ending

#: How the wrapper begins, and background tasks as well.
MARKER: Final = "### Task:"
#: Around the passages.
OPENING: Final = "<context>"
CLOSING: Final = "</context>"
#: Characters that are kept of a wrapper without the user's words, the last ones outside of its
#: passages: an operator's own template may have put the words anywhere.
LONGEST: Final = 4_000
#: Highest number of a front end's passage that is believed; markers have at most three digits.
HIGHEST: Final = 900

_SOURCE: Final = re.compile(r"<source\b[^<>]{0,400}?\bid=[\"']?(\d{1,4})\b")
#: Older templates put tags around the words.
_TAGS: Final = ("<user_query>", "</user_query>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwrapped:
    """A conversation without what the front end's own retrieval added."""

    messages: tuple[Message, ...]
    #: First number that docrag's citations may have.
    first_number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapper:
    """A text in three pieces."""

    before: str
    #: From the opening to the closing tag.
    passages: str
    after: str

    @classmethod
    def of(cls, text: str) -> _Wrapper | None:
        """The pieces of a text that is a front end's work; ``None`` for people's own words."""
        start, end = text.find(OPENING), text.rfind(CLOSING)
        if not 0 <= start < end:
            return None
        end += len(CLOSING)
        found = cls(before=text[:start], passages=text[start:end], after=text[end:])
        return found if MARKER in found.before or found.numbers else None

    @property
    def numbers(self) -> list[int]:
        """Numbers of the passages."""
        found = (int(number) for number in _SOURCE.findall(self.passages))
        return [number for number in found if number <= HIGHEST]


def unwrap(messages: Sequence[Message]) -> Unwrapped:
    """The conversation with the front end's passages taken off its last question and its rules.

    A conversation without such passages comes back as it is.
    """
    places = [place for place, turn in enumerate(messages) if turn.role == "user"]
    last = places[-1] if places else -1
    kept: list[Message] = []
    highest = 0
    for place, turn in enumerate(messages):
        wrapped = place == last or turn.role == "system"
        wrapper = _Wrapper.of(turn.content) if wrapped else None
        if wrapper is None:
            kept.append(turn)
            continue
        highest = max(highest, *wrapper.numbers, 0)
        clean = _question(wrapper) if place == last else _rules(wrapper)
        if clean:
            kept.append(replace(turn, content=clean))
    return Unwrapped(messages=tuple(kept), first_number=highest + 1)


def _question(wrapper: _Wrapper) -> str:
    """The user's words: what follows the passages, or else what stands around them."""
    for text in (wrapper.after, wrapper.before):
        start, end = text.find(_TAGS[0]), text.rfind(_TAGS[1])
        tagged = text[start + len(_TAGS[0]) : end].strip() if 0 <= start < end else ""
        if tagged:
            return tagged
    rest = ending(wrapper.before, LONGEST) or ending(wrapper.passages, LONGEST)
    return wrapper.after.strip() or rest


def _rules(wrapper: _Wrapper) -> str:
    """The system message without the wrapper, which was appended to it."""
    start = wrapper.before.rfind(MARKER)
    own = wrapper.before if start < 0 else wrapper.before[:start]
    return f"{own.rstrip()}\n{wrapper.after.strip()}".strip()
