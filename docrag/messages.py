"""Records of a conversation with a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    #: ``system``, ``user``, ``assistant`` or ``tool``.
    role: str
    content: str
    #: All content parts in OpenAI's form where some are no text (pictures), else empty; only a
    #: model that answers without documents is given them.
    parts: tuple[Mapping[str, Any], ...] = ()
    #: Calls of tools that an assistant's turn asked for, in OpenAI's form.
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    #: The call that a tool's turn answers.
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """What a caller asks of a model beside length and temperature; ``None`` asks for nothing."""

    #: 0 to 1, share of the probability that is sampled from.
    top_p: float | None = None
    #: Texts at which the answer ends.
    stop: tuple[str, ...] = ()
    seed: int | None = None
    #: Functions that the model may call, in OpenAI's form.
    tools: tuple[Mapping[str, Any], ...] = ()
    #: ``none``, ``auto``, ``required`` or the object that names one function.
    tool_choice: str | Mapping[str, Any] | None = None
    #: OpenAI's object of type ``text``, ``json_object`` or ``json_schema``.
    response_format: Mapping[str, Any] | None = None
    #: ``low``, ``medium`` or ``high``, and whatever word a server knows besides.
    reasoning_effort: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that a model read and wrote, by its own count or by estimate."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of a streamed answer; it has text or thoughts, never both."""

    text: str = ""
    #: What the model thinks before it answers.
    reasoning: str = ""
    #: Pieces of tool calls in OpenAI's form for streams, each with its ``index``, no nulls.
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    #: ``stop``, ``length``, ``tool_calls`` or ``content_filter`` on the last piece, else ``None``.
    finish_reason: str | None = None
    #: On the last piece only, where the model tells.
    usage: Usage | None = None
