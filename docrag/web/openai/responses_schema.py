"""What a Responses request may hold, and the chat request that it becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate, validates_schema

from docrag.web.openai.jsonfields import Anything, Flag, Number, Object, Objects, Text, Whole
from docrag.web.openai.responses_items import Messages, messages

Json = dict[str, Any]

#: Says how a conversation goes on without us.
STATELESS: Final = "docrag keeps no conversations; send all turns in input."
#: What the input may be, for the OpenAPI description.
INPUT: Final = {
    "oneOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "array",
            "items": {"type": "object"},
            "minItems": 1,
            "description": "Items of type message, function_call and function_call_output.",
        },
    ]
}
#: An object, for the OpenAPI description.
OBJECT: Final = {"type": "object", "additionalProperties": {}}
#: Fields that the chat API has under the same name and meaning.
SAME: Final = (
    "model", "stream", "temperature", "top_p", "metadata", "user", "seed", "stop", "docrag_date",
)  # fmt: skip
#: Our field for a chat field that a message of the chat API names.
NAMES: Final = {
    "max_completion_tokens": "max_output_tokens",
    "max_tokens": "max_output_tokens",
    "response_format": "text.format",
    "reasoning_effort": "reasoning.effort",
    "messages": "input",
}
_PLACE: Final = re.compile(r"^messages\[(\d+)\]")


class ResponseRequestSchema(Schema):
    """A Responses request; what is not listed is accepted and ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    model = fields.String(required=True)
    input = fields.Raw(required=True, metadata=INPUT)
    instructions = Text(load_default=None, allow_none=True)
    stream = Flag(load_default=False, allow_none=True)
    max_output_tokens = Whole(load_default=None, allow_none=True, validate=validate.Range(min=1))
    temperature = Number(load_default=None, allow_none=True, validate=validate.Range(min=0, max=2))
    top_p = Number(load_default=None, allow_none=True, validate=validate.Range(min=0, max=1))
    tools = Objects(
        load_default=None,
        allow_none=True,
        metadata={"type": "array", "items": {"type": "object"}},
    )
    tool_choice = Anything(load_default=None, allow_none=True)
    text = Object(load_default=None, allow_none=True, metadata=OBJECT)
    reasoning = Object(load_default=None, allow_none=True, metadata=OBJECT)
    metadata = Object(load_default=None, allow_none=True, metadata=OBJECT)
    user = fields.Raw(load_default=None, allow_none=True)
    seed = fields.Raw(load_default=None, allow_none=True)
    stop = fields.Raw(load_default=None, allow_none=True)
    docrag_date = fields.Raw(load_default=None, allow_none=True, metadata={"type": "string"})
    background = Flag(
        load_default=False,
        allow_none=True,
        validate=validate.Equal(False, error="docrag does not answer in the background."),
    )
    previous_response_id = fields.Raw(load_default=None, allow_none=True)
    conversation = fields.Raw(load_default=None, allow_none=True)
    prompt = fields.Raw(load_default=None, allow_none=True)

    @validates_schema
    def check_state(self, body: Json, **more: object) -> None:
        """Refuse what needs something kept from before.

        :raises ValidationError: a conversation or a stored prompt is named.
        """
        for name in ("previous_response_id", "conversation"):
            if body.get(name) is not None:
                raise ValidationError({name: [STATELESS]})
        if body.get("prompt") is not None:
            reason = "docrag keeps no prompts; send the text in instructions."
            raise ValidationError({"prompt": [reason]})

    @validates_schema
    def check_tools(self, body: Json, **more: object) -> None:
        """Refuse functions that nobody could call.

        :raises ValidationError: one has no name.
        """
        for place, tool in enumerate(body.get("tools") or ()):
            if tool.get("type") == "function" and not isinstance(tool.get("name"), str):
                raise ValidationError({"tools": {place: {"name": ["must be a text."]}}})

    @validates_schema
    def check_input(self, body: Json, **more: object) -> None:
        """Refuse an input that is neither text nor items.

        :raises ValidationError: it is something else, or there are no items.
        """
        if "input" in body and (not isinstance(body["input"], str | list) or not body["input"]):
            raise ValidationError({"input": ["must be a text or a list of items, not empty."]})


def conversation(body: Mapping[str, Any]) -> Messages:
    """Instructions and input as chat messages.

    :param body: what :class:`ResponseRequestSchema` loaded.
    :raises ValidationError: an item cannot be read; the message tree starts at ``input``.
    """
    try:
        found = messages(body["input"])
    except ValidationError as exc:
        raise ValidationError({"input": exc.messages}) from exc
    if body["instructions"]:
        found.found.insert(0, {"role": "system", "content": body["instructions"]})
        found.origins.insert(0, -1)
    return found


def chat_body(body: Mapping[str, Any], turns: Messages) -> Json:
    """The request as the chat API would have it.

    :param body: what :class:`ResponseRequestSchema` loaded.
    """
    tools = function_tools(body["tools"])
    form = (body["text"] or {}).get("format")
    wanted: Json = {
        **{name: body[name] for name in SAME},
        "messages": turns.found,
        "max_completion_tokens": body["max_output_tokens"],
        "tools": [_nested("function", tool) for tool in tools],
        "tool_choice": _tool_choice(body["tool_choice"]) if tools else None,
        "response_format": _response_format(form),
        "reasoning_effort": (body["reasoning"] or {}).get("effort"),
    }
    return {name: value for name, value in wanted.items() if value not in (None, [])}


def renamed(param: str, turns: Messages) -> str:
    """Our name of a field that the chat API complains about.

    >>> renamed("messages[1].content", Messages(origins=[-1, 0]))
    'input[0].content'
    """
    found = _PLACE.match(param)
    if found:
        place = int(found[1])
        origin = turns.origins[place] if place < len(turns.origins) else 0
        start = "instructions" if origin < 0 else f"input[{origin}]"
        return start + param[found.end() :]
    name = re.split(r"[.\[]", param, maxsplit=1)[0]
    return NAMES.get(name, name) + param[len(name) :]


def function_tools(tools: Sequence[Json] | None) -> list[Json]:
    """The tools that the caller runs; those that a provider would run are none of ours."""
    return [tool for tool in tools or () if tool.get("type") == "function"]


def _nested(key: str, flat: Json) -> Json:
    """A flat object of the Responses API as the chat API nests it under its type."""
    inner = {name: value for name, value in flat.items() if name != "type" and value is not None}
    return {"type": key, key: inner}


def _tool_choice(choice: Any) -> Any:  # noqa: ANN401 - any JSON
    """The choice as the chat API has it; ``None`` for one among tools that are not ours."""
    if isinstance(choice, str):
        return choice
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "function":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice.get("mode") if kind == "allowed_tools" else None


def _response_format(form: Any) -> Any:  # noqa: ANN401 - any JSON
    """The answer's form as the chat API has it; ``None`` for plain text."""
    kind = form.get("type") if isinstance(form, dict) else None
    if kind == "json_schema":
        return _nested("json_schema", form)
    return None if kind in (None, "text") else form
