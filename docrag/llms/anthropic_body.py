"""The body of a request to Anthropic's messages API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from docrag.api import GenerationOptions, LLMRefused, Message
from docrag.llms.arguments import arguments_of
from docrag.llms.pictures import Picture, parts_of

#: Highest temperature there; OpenAI's goes to 2.
MAX_TEMPERATURE: Final = 1.0
_CHOICES: Final[Mapping[str, str]] = {"auto": "auto", "required": "any", "none": "none"}


def system_of(messages: Sequence[Message]) -> str:
    """The text of all system messages, which stand outside of the conversation there."""
    texts = (turn.content for turn in messages if turn.role == "system")
    return "\n\n".join(text for text in texts if text)


def messages_of(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation without its system messages.

    Turns of one side are joined, since results of tools belong to the user's side and all those of
    one answer must stand in one message. Turns that say nothing are left out, since they are
    refused.

    :raises LLMRefused: something that cannot be said there.
    """
    joined: list[dict[str, Any]] = []
    for turn in messages:
        blocks = _blocks(turn) if turn.role != "system" else []
        side = "assistant" if turn.role == "assistant" else "user"
        if blocks and joined and joined[-1]["role"] == side:
            joined[-1]["content"] += blocks
        elif blocks:
            joined.append({"role": side, "content": blocks})
    return joined


def asked(options: GenerationOptions) -> dict[str, Any]:
    """What a caller asks for beside length and sampling; seed and effort are not known there.

    :raises LLMRefused: a tool without a function, or JSON without a schema.
    """
    body: dict[str, Any] = {}
    if options.stop:
        body["stop_sequences"] = list(options.stop)
    if options.tools:
        body["tools"] = [_tool(tool) for tool in options.tools]
        choice = _choice(options.tool_choice)
        body |= {"tool_choice": choice} if choice else {}
    schema = _schema(options.response_format)
    if schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return body


def sampling(options: GenerationOptions, temperature: float) -> dict[str, float]:
    """Temperature or, if it is asked for, ``top_p``: newer models refuse both in one request."""
    if options.top_p is not None:
        return {"top_p": options.top_p}
    return {"temperature": min(temperature, MAX_TEMPERATURE)}


def _blocks(turn: Message) -> list[dict[str, Any]]:
    content = [_block(part) for part in parts_of(turn) if part]
    if turn.role == "tool":
        return [{"type": "tool_result", "tool_use_id": turn.tool_call_id, "content": content}]
    return content + [_use(call) for call in turn.tool_calls]


def _block(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if part.url:
        return {"type": "image", "source": {"type": "url", "url": part.url}}
    source = {"type": "base64", "media_type": part.media_type, "data": part.data}
    return {"type": "image", "source": source}


def _use(call: Mapping[str, Any]) -> dict[str, Any]:
    name, arguments = arguments_of(call)
    return {"type": "tool_use", "id": str(call.get("id", "")), "name": name, "input": arguments}


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool.get("function")
    if not isinstance(function, Mapping):
        raise LLMRefused("this model's server takes tools of type 'function' only")
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    told = {"name": function.get("name"), "description": function.get("description")}
    return {key: value for key, value in told.items() if value} | {"input_schema": schema}


def _choice(asked_for: str | Mapping[str, Any] | None) -> dict[str, Any] | None:
    if isinstance(asked_for, Mapping):
        function = asked_for.get("function")
        name = function.get("name") if isinstance(function, Mapping) else None
        return {"type": "tool", "name": name} if name else None
    kind = _CHOICES.get(asked_for or "")
    return {"type": kind} if kind else None


def _schema(asked_for: Mapping[str, Any] | None) -> object:
    kind = (asked_for or {}).get("type")
    if asked_for is None or kind not in ("json_object", "json_schema"):
        return None
    described = asked_for.get("json_schema")
    schema = described.get("schema") if isinstance(described, Mapping) else None
    if not isinstance(schema, Mapping):
        raise LLMRefused("this model's server gives JSON by a schema only; send a json_schema")
    return schema
