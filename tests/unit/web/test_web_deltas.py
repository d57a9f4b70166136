"""Thoughts, calls of tools, and what a request asks of the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import TestResponse

from docrag.api import Delta, GenerationOptions
from docrag.web.openai.toolcalls import PIECE, joined, pieces

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]
Chunks = Callable[..., list[dict[str, Any]]]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
TOOL = {"type": "function", "function": {"name": "saat", "parameters": {"type": "object"}}}


@pytest.fixture
def thinking(assistant: StandIn) -> StandIn:
    """A model that thinks before it answers."""
    assistant.script = lambda: iter(
        [
            Delta(reasoning="Acaba [1]? "),
            Delta(reasoning="Evet."),
            Delta(text="Baret takılır [1]."),
            Delta(finish_reason="stop"),
        ]
    )
    return assistant


@pytest.fixture
def calling(assistant: StandIn) -> StandIn:
    """A model that calls two tools."""
    first = {"index": 0, "id": "a", "type": "function", "function": {"name": "saat"}}
    second = {"index": 1, "id": "b", "type": "function", "function": {"name": "gün"}}
    assistant.script = lambda: iter(
        [
            Delta(tool_calls=(first,)),
            Delta(tool_calls=({"index": 0, "function": {"arguments": '{"yer":'}},)),
            Delta(tool_calls=({"index": 0, "function": {"arguments": ' "Iğdır"}'}}, second)),
            Delta(finish_reason="tool_calls"),
        ]
    )
    return assistant


def deltas(chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The deltas of a stream without the first and the last."""
    return [chunk["choices"][0]["delta"] for chunk in chunks][1:-1]


def test_thoughts_have_chunks_of_their_own(chunks: Chunks, thinking: StandIn) -> None:
    """LobeChat drops the text of a chunk that has thoughts."""
    assert [set(delta) for delta in deltas(chunks())] == [
        {"reasoning_content"},
        {"reasoning_content"},
        {"content"},
    ]


def test_markers_in_thoughts_are_no_citations(chunks: Chunks, thinking: StandIn) -> None:
    (mark,) = chunks()[-1]["choices"][0]["delta"]["annotations"]
    assert mark["url_citation"]["start_index"] == len("Baret takılır ")


def test_whole_answer_keeps_thoughts_apart(ask: Ask, thinking: StandIn) -> None:
    message: Any = ask().json["choices"][0]["message"]  # type: ignore[index] # a JSON object
    assert message["reasoning_content"] == "Acaba [1]? Evet."
    assert message["content"] == "Baret takılır [1]."


def test_calls_of_tools_are_relayed(chunks: Chunks, calling: StandIn) -> None:
    found = chunks(model="docrag-plain")
    assert [set(delta) for delta in deltas(found)] == [{"tool_calls"}] * 4
    assert found[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_whole_answer_has_whole_calls(ask: Ask, calling: StandIn) -> None:
    choice: Any = ask(model="docrag-plain").json["choices"][0]  # type: ignore[index] # a JSON object
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert [call["function"]["name"] for call in choice["message"]["tool_calls"]] == ["saat", "gün"]
    arguments = choice["message"]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"yer": "Iğdır"}


def test_plain_answer_has_nothing_of_documents(ask: Ask) -> None:
    body: Any = ask(model="docrag-plain").json
    assert set(body) == {"id", "object", "created", "model", "choices", "usage"}
    assert set(body["choices"][0]["message"]) == {"role", "content", "refusal"}


def test_long_arguments_are_cut_for_a_line() -> None:
    text = "ğ" * (2 * PIECE + 5)
    call = {"index": 2, "id": "a", "function": {"name": "saat", "arguments": text}}
    found = [piece for (piece,) in pieces([call])]
    assert [len(piece["function"]["arguments"]) for piece in found] == [PIECE, PIECE, 5]
    assert [set(piece) for piece in found[1:]] == [{"index", "function"}] * 2
    assert joined(found)[0]["function"] == {"name": "saat", "arguments": text}


def test_options_reach_the_model(ask: Ask, assistant: StandIn) -> None:
    wish: dict[str, Any] = {
        "top_p": 0.5,
        "stop": ["SON", ""],
        "seed": 7,
        "tools": [TOOL],
        "tool_choice": "auto",
        "response_format": {"type": "json_object"},
        "reasoning_effort": "low",
    }
    assert ask(**wish, max_tokens=9, temperature=1).status_code == 200
    sampling: Any = assistant.given[-1]["sampling"]
    assert (sampling.max_tokens, sampling.temperature) == (9, 1.0)
    expected = {**wish, "stop": ("SON",), "tools": (TOOL,)}
    assert sampling.options == GenerationOptions(**expected)


def test_no_wish_is_none(ask: Ask, assistant: StandIn) -> None:
    ask(top_p=None, stop=None, seed=None, tools=[], tool_choice=None, response_format=None)
    assert assistant.given[-1]["sampling"].options is None


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"top_p": "x"}, "top_p"),
        ({"top_p": 2}, "top_p"),
        ({"temperature": True}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_tokens": 1.5}, "max_tokens"),
        ({"max_tokens": "9"}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"seed": "x"}, "seed"),
        ({"seed": 10**30}, "seed"),
        ({"stop": 5}, "stop"),
        ({"stop": ["x", 5]}, "stop"),
        ({"tools": {}}, "tools"),
        ({"tools": [5]}, "tools[0]"),
        ({"tool_choice": 5}, "tool_choice"),
        ({"tool_choice": "belki"}, "tool_choice"),
        ({"tool_choice": []}, "tool_choice"),
        ({"response_format": "json"}, "response_format"),
        ({"response_format": {"type": "xml"}}, "response_format.type"),
        ({"response_format": {"type": []}}, "response_format.type"),
        ({"reasoning_effort": 5}, "reasoning_effort"),
        ({"stream_options": "x"}, "stream_options"),
        ({"stream_options": {"include_usage": "x"}}, "stream_options.include_usage"),
        ({"stream": 1}, "stream"),
        ({"messages": [{"role": "user", "content": [5]}]}, "messages[0].content[0]"),
        ({"messages": [{"role": "user", "tool_calls": 5}]}, "messages[0].tool_calls"),
        ({"messages": [{"role": "tool", "tool_call_id": 5}]}, "messages[0].tool_call_id"),
        ({"model": 5}, "model"),
    ],
    ids=str,
)  # fmt: skip
def test_wrong_type_is_named(ask: Ask, more: dict[str, Any], param: str) -> None:
    response = ask(**more)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == param


@pytest.mark.parametrize(
    "more",
    [
        {"user": {"id": "x"}, "metadata": {"x": "y"}, "max_tokens": 9.0, "seed": -1},
        {"stop": "SON", "tool_choice": {"type": "function", "function": {"name": "saat"}}},
        {"response_format": {"type": "text"}, "reasoning_effort": "", "stop": []},
        {"functions": [5], "function_call": 5, "modalities": 5, "logprobs": "x"},
    ],
)
def test_odd_but_harmless_field_is_taken(ask: Ask, more: dict[str, Any]) -> None:
    assert ask(**more).status_code == 200


def test_turns_keep_calls_and_results(ask: Ask, assistant: StandIn) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "saat", "arguments": "{}"}}
    turns = [
        {"role": "user", "content": "Saat kaç?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "12"}]},
    ]
    assert ask(model="docrag-plain", messages=turns).status_code == 200
    _, asking, told = assistant.plainly[-1]
    assert asking.tool_calls == (call,)
    assert (told.role, told.content, told.tool_call_id) == ("tool", "12", "a")


def test_plain_model_is_given_pictures(ask: Ask, assistant: StandIn) -> None:
    parts = [{"type": "text", "text": "Bu\0 ne?"}, PICTURE]
    assert ask(parts, model="docrag-plain").status_code == 200
    (message,) = assistant.plainly[-1]
    assert message.content == "Bu ne?"
    assert message.parts == ({"type": "text", "text": "Bu ne?"}, PICTURE)


def test_picture_without_words_is_a_question_to_the_plain_model(ask: Ask) -> None:
    assert ask([PICTURE], model="docrag-plain").status_code == 200


@pytest.mark.parametrize("content", ["", " ", None, []])
def test_plain_model_is_not_asked_nothing(ask: Ask, content: object) -> None:
    response = ask(content, model="docrag-plain")
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == "messages"
