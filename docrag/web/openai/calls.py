"""A request for an answer as a record, whichever of OpenAI's APIs it came by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from docrag.api import Message
from docrag.assistant import Sampling
from docrag.web.errors import INVALID, RequestRefused

#: Types of content parts whose text is read.
TEXTS: Final = ("text", "refusal")
#: Longest question, characters: far more than any window holds, and read in a blink.
MOST_CHARACTERS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request for an answer, checked."""

    model: str
    #: Roles are ``system``, ``user``, ``assistant`` and ``tool``.
    messages: tuple[Message, ...]
    stream: bool
    #: Send the token counts at the end of a stream.
    include_usage: bool = False
    sampling: Sampling
    #: What ``metadata.docrag.retrieval`` says; ``None`` where it says nothing.
    retrieval: bool | None = None
    #: Day that ``docrag_date`` names, ``None`` where it names none.
    on: date | None = None


def check_question(call: Call) -> None:
    """Refuse a conversation whose last user message is no question that can be read whole.

    Earlier turns may hold pictures: they are left out.

    :raises RequestRefused: there is no user message, the last one has a part that is no text, or
        it has no text.
    """
    places = [place for place, turn in enumerate(call.messages) if turn.role == "user"]
    asked = call.messages[places[-1]] if places else None
    for place, part in enumerate(asked.parts if asked else ()):
        if part.get("type") not in TEXTS:
            param = f"messages[{places[-1]}].content[{place}]"
            shown = repr(part.get("type"))[:40]
            raise RequestRefused(
                INVALID, f"{param}: only text is read, not a part of type {shown}.", param=param
            )
    if asked is None or not asked.content.strip():
        raise RequestRefused(INVALID, "messages: no user message with text.", param="messages")


def check_length(messages: Sequence[Message]) -> None:
    """Refuse a question that no model can read, before anything looks through it.

    :param messages: without what a front end has put around the question.
    :raises RequestRefused: the last user message is too long.
    """
    asked = next((turn for turn in reversed(messages) if turn.role == "user"), None)
    if asked is not None and len(asked.content) > MOST_CHARACTERS:
        raise RequestRefused(
            INVALID,
            f"The question has more than {MOST_CHARACTERS} characters; make it shorter.",
            param="messages",
            code="context_length_exceeded",
        )


def check_messages(call: Call) -> None:
    """Refuse a conversation that holds nothing for a model.

    :raises RequestRefused: every message is empty.
    """
    if not any(turn.content.strip() or turn.parts or turn.tool_calls for turn in call.messages):
        raise RequestRefused(INVALID, "messages: every message is empty.", param="messages")
