"""The body of a request to Ollama's native chat API."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from docrag.api import GenerationOptions, LLMRefused, Message
from docrag.llms.arguments import arguments_of
from docrag.llms.pictures import Picture, parts_of

#: Words of OpenAI that Ollama does not know, and what stands for them there.
_EFFORTS: Final[Mapping[str, str | bool]] = {
    "none": False,
    "minimal": "low",
    "xhigh": "high",
}


def messages_of(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """A conversation in Ollama's form, one message for each turn.

    A content is always one text: Ollama would make a message of each part of a list.

    :raises LLMRefused: a picture that is an address, since Ollama fetches none, or a part that is
        neither text nor picture.
    """
    names = {
        str(call.get("id")): str(call["function"].get("name", ""))
        for turn in messages
        for call in turn.tool_calls
        if isinstance(call.get("function"), Mapping)
    }
    return [_message(turn, names) for turn in messages]


def asked(options: GenerationOptions, capabilities: Container[str] | None) -> dict[str, Any]:
    """What a caller asks for beside length and temperature, for the top of the body.

    A tool cannot be forced there: of a choice that names one function, only that one is offered.

    :param capabilities: what the model can do; ``None`` if the server does not tell.
    """
    body: dict[str, Any] = {}
    tools = _tools(options)
    if tools:
        body["tools"] = tools
    form = _form(options.response_format)
    if form is not None:
        body["format"] = form
    effort = options.reasoning_effort
    # A model that cannot think refuses the whole request if it is told how hard to think.
    if effort and (capabilities is None or "thinking" in capabilities):
        body["think"] = _EFFORTS.get(effort, effort)
    return body


def sampling(options: GenerationOptions) -> dict[str, Any]:
    """What a caller asks for beside length and temperature, for the body's ``options``."""
    asked_for = {"top_p": options.top_p, "stop": list(options.stop) or None, "seed": options.seed}
    return {key: value for key, value in asked_for.items() if value is not None}


def _message(turn: Message, names: Mapping[str, str]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": turn.role, "content": turn.content}
    pictures = [part for part in parts_of(turn) if isinstance(part, Picture)]
    if any(picture.url for picture in pictures):
        raise LLMRefused(
            "Ollama fetches no picture from an http address; send the picture as a data URL"
        )
    if pictures:
        message["images"] = [picture.data for picture in pictures]
    if turn.tool_calls:
        message["tool_calls"] = [{"function": _function(call)} for call in turn.tool_calls]
    if turn.role == "tool":
        message["tool_name"] = names.get(turn.tool_call_id, "")
    return message


def _function(call: Mapping[str, Any]) -> dict[str, Any]:
    name, arguments = arguments_of(call)
    return {"name": name, "arguments": arguments}


def _tools(options: GenerationOptions) -> list[Mapping[str, Any]]:
    choice = options.tool_choice
    if choice == "none":
        return []
    if isinstance(choice, Mapping) and isinstance(choice.get("function"), Mapping):
        name = choice["function"].get("name")
        return [
            tool
            for tool in options.tools
            if isinstance(tool.get("function"), Mapping) and tool["function"].get("name") == name
        ]
    return list(options.tools)


def _form(asked_for: Mapping[str, Any] | None) -> object:
    kind = (asked_for or {}).get("type")
    if asked_for is None or kind not in ("json_object", "json_schema"):
        return None
    schema = asked_for.get("json_schema")
    schema = schema.get("schema") if isinstance(schema, Mapping) else None
    return "json" if kind == "json_object" or not isinstance(schema, Mapping) else schema
