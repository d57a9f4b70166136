"""What a chat request may hold, and the record it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate, validates_schema

from docrag.api import Message, storable
from docrag.assistant import Sampling

#: Our role for each role of the wire; ``None`` for turns that carry no text for the model.
ROLES: Final[dict[str, str | None]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": None,
    "function": None,
}


#: What a message may hold, for the OpenAPI description.
CONTENT: Final = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "object"}, "description": "Parts of type text."},
        {"type": "null"},
    ]
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCall:
    """A chat request, checked."""

    model: str
    messages: tuple[Message, ...]
    stream: bool
    include_usage: bool
    sampling: Sampling


class ContentField(fields.Field[str]):
    """Message content: a string, null, or a list of parts, whose texts are joined by a newline.

    Parts that are no text are left out here; the last question may have none, see
    :class:`ChatRequestSchema`.
    """

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:  # noqa: ANN401
        if value is None:
            return ""
        if isinstance(value, str):
            return storable(value)
        if not isinstance(value, list):
            raise ValidationError("must be a string, null or a list of parts.")
        return storable("\n".join(text for part in value if (text := _part(part))))


class MessageSchema(Schema):
    """One turn of the conversation; keys that are not known are ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    content = ContentField(load_default="", allow_none=True, metadata=CONTENT)


class StreamOptionsSchema(Schema):
    """Options of a streamed answer."""

    class Meta:
        """Unknown keys are no mistake."""

        unknown = EXCLUDE

    include_usage = fields.Boolean(load_default=False, allow_none=True)


class ChatRequestSchema(Schema):
    """A chat request; what is not listed is accepted and ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    model = fields.String(required=True)
    messages = fields.List(
        fields.Nested(MessageSchema), required=True, validate=validate.Length(min=1)
    )
    stream = fields.Boolean(load_default=False, allow_none=True)
    stream_options = fields.Nested(StreamOptionsSchema, load_default=None, allow_none=True)
    n = fields.Integer(
        load_default=1, allow_none=True, validate=validate.Equal(1, error="only 1 is supported.")
    )
    max_tokens = fields.Integer(load_default=None, allow_none=True, validate=validate.Range(min=1))
    max_completion_tokens = fields.Integer(
        load_default=None, allow_none=True, validate=validate.Range(min=1)
    )
    temperature = fields.Float(
        load_default=None, allow_none=True, validate=validate.Range(min=0, max=2)
    )

    @validates_schema(pass_original=True)
    def check_question(self, body: dict[str, Any], original: Any, **more: object) -> None:  # noqa: ANN401 - JSON
        """Refuse a question of which a part would not be read; earlier turns may have pictures.

        :raises ValidationError: the last user message has a part that is no text.
        """
        turns = body.get("messages", [])
        asked = [place for place, turn in enumerate(turns) if turn.get("role") == "user"]
        parts = original["messages"][asked[-1]].get("content") if asked else None
        for place, part in enumerate(parts if isinstance(parts, list) else ()):
            if _part(part) is None:
                shown = repr(part.get("type") if isinstance(part, dict) else None)[:40]
                reason = f"only text is read, not a part of type {shown}."
                raise ValidationError({"messages": {asked[-1]: {"content": {place: [reason]}}}})


def chat_call(body: dict[str, Any]) -> ChatCall:
    """The record of a loaded request.

    :param body: what :class:`ChatRequestSchema` loaded.
    """
    turns = [(ROLES[turn["role"]], turn["content"] or "") for turn in body["messages"]]
    return ChatCall(
        model=body["model"],
        messages=tuple(Message(role=role, content=text) for role, text in turns if role),
        stream=bool(body["stream"]),
        include_usage=bool((body["stream_options"] or {}).get("include_usage")),
        sampling=Sampling(
            max_tokens=body["max_completion_tokens"] or body["max_tokens"],
            temperature=body["temperature"],
        ),
    )


def _part(part: Any) -> str | None:  # noqa: ANN401 - any JSON
    """The text of one content part, empty for null; ``None`` if it is no text."""
    kind = part.get("type") if isinstance(part, dict) else None
    if kind not in ("text", "refusal"):
        return None
    text = part.get(kind)
    return "" if text is None else text if isinstance(text, str) else None
