"""What a chat request may hold, and the record it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, fields, validate

from docrag.api import GenerationOptions, Message, storable
from docrag.assistant import Sampling
from docrag.web.openai.calls import Call
from docrag.web.openai.jsonfields import (
    CHOICE,
    CONTENT,
    FORMATS,
    STOP,
    Choice,
    Content,
    ContentField,
    Day,
    Flag,
    Format,
    Metadata,
    Number,
    Objects,
    Stop,
    Whole,
)

#: Our role for each role of the wire.
ROLES: Final[dict[str, str]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
#: Largest whole number that a model's server can be expected to read.
_WIDEST: Final = 2**63 - 1


class MessageSchema(Schema):
    """One turn of the conversation; keys that are not known are ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    content = ContentField(load_default=None, allow_none=True, metadata=CONTENT)
    tool_calls = Objects(
        load_default=None,
        allow_none=True,
        metadata={"type": "array", "items": {"type": "object"}},
    )
    tool_call_id = fields.String(load_default=None, allow_none=True)


class StreamOptionsSchema(Schema):
    """Options of a streamed answer."""

    class Meta:
        """Unknown keys are no mistake."""

        unknown = EXCLUDE

    include_usage = Flag(load_default=False, allow_none=True)


class ChatRequestSchema(Schema):
    """A chat request; what is not listed is accepted and ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    model = fields.String(required=True)
    messages = fields.List(
        fields.Nested(MessageSchema), required=True, validate=validate.Length(min=1)
    )
    stream = Flag(load_default=False, allow_none=True)
    stream_options = fields.Nested(StreamOptionsSchema, load_default=None, allow_none=True)
    n = Whole(
        load_default=1, allow_none=True, validate=validate.Equal(1, error="only 1 is supported.")
    )
    max_tokens = Whole(load_default=None, allow_none=True, validate=validate.Range(min=1))
    max_completion_tokens = Whole(
        load_default=None, allow_none=True, validate=validate.Range(min=1)
    )
    temperature = Number(load_default=None, allow_none=True, validate=validate.Range(min=0, max=2))
    top_p = Number(load_default=None, allow_none=True, validate=validate.Range(min=0, max=1))
    stop = Stop(load_default=None, allow_none=True, metadata=STOP)
    seed = Whole(
        load_default=None, allow_none=True, validate=validate.Range(min=-_WIDEST, max=_WIDEST)
    )
    tools = Objects(
        load_default=None,
        allow_none=True,
        metadata={"type": "array", "items": {"type": "object"}},
    )
    tool_choice = Choice(load_default=None, allow_none=True, metadata=CHOICE)
    response_format = Format(
        load_default=None,
        allow_none=True,
        metadata={
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string", "enum": [*FORMATS]}},
        },
    )
    reasoning_effort = fields.String(load_default=None, allow_none=True)
    metadata = Metadata(
        load_default=None,
        allow_none=True,
        metadata={"description": "docrag: {retrieval: off} answers without documents."},
    )
    docrag_date = Day(
        load_default=None,
        allow_none=True,
        metadata={
            "type": "string",
            "description": "Day whose versions of documents answer, as 2015-04-01; else today.",
        },
    )


def chat_call(body: Mapping[str, Any]) -> Call:
    """The record of a loaded request.

    :param body: what :class:`ChatRequestSchema` loaded.
    """
    return Call(
        model=body["model"],
        messages=tuple(_message(turn) for turn in body["messages"]),
        stream=bool(body["stream"]),
        include_usage=bool((body["stream_options"] or {}).get("include_usage")),
        sampling=Sampling(
            max_tokens=body["max_completion_tokens"] or body["max_tokens"],
            temperature=body["temperature"],
            options=_options(body),
        ),
        retrieval=body["metadata"],
        on=body["docrag_date"],
    )


def _message(turn: Mapping[str, Any]) -> Message:
    content: Content = turn["content"] or Content()
    return Message(
        role=ROLES[turn["role"]],
        content=content.text,
        parts=content.parts,
        tool_calls=turn["tool_calls"] or (),
        tool_call_id=storable(turn["tool_call_id"] or ""),
    )


def _options(body: Mapping[str, Any]) -> GenerationOptions | None:
    """What is asked of the model besides; ``None`` for nothing."""
    options = GenerationOptions(
        top_p=body["top_p"],
        stop=body["stop"] or (),
        seed=body["seed"],
        tools=body["tools"] or (),
        tool_choice=body["tool_choice"],
        response_format=body["response_format"],
        reasoning_effort=body["reasoning_effort"] or None,
    )
    return None if options == GenerationOptions() else options
