"""Conversations with tools and pictures, and the calls that answers to them ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from docrag.api import GenerationOptions, Message

#: What the fake model answers; dotted and dotless letters must arrive as they are.
ANSWER = "İşveren yangın tüplerini altı ayda bir kontrol ettirir; Iğdır şubesi ve ÇĞÖŞÜ dâhil. [1]"
#: A conversation of two turns.
MESSAGES = (
    Message(role="system", content="Yalnızca pasajlardan yanıtla."),
    Message(
        role="user", content="[1] Yangın tüpleri altı ayda bir kontrol edilir.\n\nNe sıklıkla?"
    ),
)
#: Arguments of a tool call; its letters must arrive as they are.
ARGUMENTS: Mapping[str, object] = {"soru": "Iğdır'da İSG kurulu", "sayı": 3}
#: Name and arguments of two calls, one of them without arguments.
CALLS: tuple[tuple[str, Mapping[str, object]], ...] = (("mevzuat_ara", ARGUMENTS), ("saat", {}))
#: A function that a model may call.
TOOL: Mapping[str, object] = {
    "type": "function",
    "function": {
        "name": "mevzuat_ara",
        "description": "Mevzuatta arar.",
        "parameters": {"type": "object", "properties": {"soru": {"type": "string"}}},
    },
}
#: Everything that a caller may ask for at once.
OPTIONS = GenerationOptions(
    top_p=0.9,
    stop=("\n\nSoru:",),
    seed=7,
    tools=(TOOL,),
    tool_choice="auto",
    response_format={
        "type": "json_schema",
        "json_schema": {"name": "yanıt", "schema": {"type": "object"}},
    },
    reasoning_effort="low",
)
_CALL = {"name": "mevzuat_ara", "arguments": json.dumps(ARGUMENTS)}
#: A conversation in which a tool was called, and answered.
TOOL_MESSAGES = (
    Message(role="user", content="Kurul ne zaman toplanır?"),
    Message(
        role="assistant",
        content="",
        tool_calls=({"id": "call_1", "type": "function", "function": _CALL},),
    ),
    Message(role="tool", content="Ayda bir toplanır.", tool_call_id="call_1"),
)
#: A small picture and a question about it.
PICTURE = "iVBORw0KGgo="
PICTURE_MESSAGE = Message(
    role="user",
    content="Bu levha ne anlatıyor?",
    parts=(
        {"type": "text", "text": "Bu levha ne anlatıyor?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
    ),
)
#: Keys of a piece of a tool call, all that OpenAI knows.
CALL_KEYS = frozenset({"index", "id", "type", "function"})


def joined(pieces: Iterable[Mapping[str, Any]]) -> list[tuple[str, object]]:
    """Name and arguments of each call, as a client puts them together.

    :raises AssertionError: a null, a key that OpenAI does not know, or a call without its head.
    """
    heads: dict[int, Mapping[str, Any]] = {}
    arguments: dict[int, str] = {}
    for piece in pieces:
        assert set(piece) <= CALL_KEYS
        assert None not in (*piece.values(), *piece["function"].values())
        index = piece["index"]
        heads.setdefault(index, piece)
        arguments[index] = arguments.get(index, "") + piece["function"].get("arguments", "")
    assert list(heads) == list(range(len(heads)))
    assert len({head["id"] for head in heads.values()}) == len(heads)
    assert {head["type"] for head in heads.values()} == {"function"}
    return [(heads[index]["function"]["name"], json.loads(arguments[index])) for index in heads]
