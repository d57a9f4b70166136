"""Input items of the Responses API as messages of the chat API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from marshmallow import ValidationError

Json = dict[str, Any]

#: Names of text parts of the Responses API; a chat message knows one.
TEXTS: Final = frozenset({"input_text", "output_text", "text", "summary_text", "reasoning_text"})
#: Items that hold no text for the model: thoughts, and calls of tools that ran at a provider.
SILENT: Final = frozenset(
    {
        "reasoning",
        "compaction",
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_list_tools",
        "mcp_call",
    }
)
#: Stands for an answer that a client names by its id only: docrag keeps none, and turns alternate.
LEFT_OUT: Final = "(…)"


@dataclass(slots=True)
class Messages:
    """Chat messages, and which input item each came from."""

    found: list[Json] = field(default_factory=list)
    #: Position of the item, from 0, of each message; -1 for the instructions.
    origins: list[int] = field(default_factory=list)

    def add(self, message: Json, origin: int) -> None:
        """Append a message."""
        self.found.append(message)
        self.origins.append(origin)

    def call(self, call: Json, origin: int) -> None:
        """Append a tool call to the assistant's turn that it belongs to, or as one of its own."""
        if not self.found or self.found[-1]["role"] != "assistant":
            self.add({"role": "assistant", "content": None}, origin)
        self.found[-1].setdefault("tool_calls", []).append(call)


def messages(items: str | list[Any]) -> Messages:
    """The conversation that an ``input`` holds.

    :param items: a text, which is one user message, or a list of items.
    :raises ValidationError: an item is none, or of a kind that docrag cannot read; by position.
    """
    found = Messages()
    if isinstance(items, str):
        found.add({"role": "user", "content": items}, 0)
        return found
    for place, item in enumerate(items):
        kind = _kind(item, place)
        read = READERS.get(kind)
        if read is not None:
            read(item, place, found)
        elif kind not in SILENT:
            raise ValidationError({place: [f"items of type {kind[:40]!r} are not read."]})
    return found


def _kind(item: object, place: int) -> str:
    """The type of an item; a message may leave it out."""
    if not isinstance(item, dict):
        raise ValidationError({place: ["must be an object."]})
    kind = item.get("type")
    if kind is None and "role" in item:
        return "message"
    if not isinstance(kind, str):
        raise ValidationError({place: {"type": ["must be a text."]}})
    return kind


def _message(item: Json, place: int, found: Messages) -> None:
    found.add({"role": item.get("role"), "content": _content(item.get("content"))}, place)


def _call(item: Json, place: int, found: Messages) -> None:
    function = {"name": item.get("name"), "arguments": item.get("arguments") or ""}
    found.call({"id": item.get("call_id"), "type": "function", "function": function}, place)


def _output(item: Json, place: int, found: Messages) -> None:
    content = _content(item.get("output"))
    found.add({"role": "tool", "tool_call_id": item.get("call_id"), "content": content}, place)


def _reference(item: Json, place: int, found: Messages) -> None:
    """An item that a client takes for kept; of an answer at least its place is known."""
    name = str(item.get("id"))
    if name.startswith("msg_"):
        found.add({"role": "assistant", "content": LEFT_OUT}, place)
    elif not name.startswith("rs_"):
        reason = "docrag keeps no items; send the item itself (store: false makes clients do so)."
        raise ValidationError({place: [reason]})


#: What reads an item of each type.
READERS: Final[Mapping[str, Callable[[Json, int, Messages], None]]] = {
    "message": _message,
    "function_call": _call,
    "function_call_output": _output,
    "item_reference": _reference,
}


def _content(content: Any) -> Any:  # noqa: ANN401 - any JSON; the chat schema judges it
    """Content as a chat message has it."""
    return [_part(part) for part in content] if isinstance(content, list) else content


def _part(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """A content part as a chat message has it; one that is not known stays as it is."""
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str):
        return part
    if kind in TEXTS:
        return {"type": "text", "text": part.get("text")}
    if kind == "input_image":
        picture = {"url": part.get("image_url"), "detail": part.get("detail") or "auto"}
        return {"type": "image_url", "image_url": picture}
    if kind == "input_file":
        return {"type": "file", "file": {k: v for k, v in part.items() if k != "type"}}
    return part
