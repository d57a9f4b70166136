from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from docrag.api import GenerationOptions, LLMRefused, Message
from docrag.llms.anthropic_body import asked, messages_of, sampling, system_of
from docrag.testing.conversations import ARGUMENTS, PICTURE, PICTURE_MESSAGE, TOOL, TOOL_MESSAGES


def turn(role: str, content: str) -> Message:
    return Message(role=role, content=content)


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def test_system_messages_stand_outside() -> None:
    turns = [turn("system", "Kural"), turn("user", "İş?"), turn("system", ""), turn("system", "b")]
    assert system_of(turns) == "Kural\n\nb"
    assert messages_of(turns) == [{"role": "user", "content": [text("İş?")]}]


def test_turns_of_one_side_are_joined_and_empty_ones_left_out() -> None:
    turns = [turn("user", "a"), turn("assistant", ""), turn("user", "b"), turn("assistant", "c")]
    assert messages_of(turns) == [
        {"role": "user", "content": [text("a"), text("b")]},
        {"role": "assistant", "content": [text("c")]},
    ]


def test_tool_results_belong_to_the_user() -> None:
    second = Message(role="tool", content="", tool_call_id="call_2")
    _, call, results = messages_of([*TOOL_MESSAGES, second])
    use = {"type": "tool_use", "id": "call_1", "name": "mevzuat_ara", "input": dict(ARGUMENTS)}
    assert call == {"role": "assistant", "content": [use]}
    assert results["role"] == "user"
    assert [block["tool_use_id"] for block in results["content"]] == ["call_1", "call_2"]
    assert results["content"][0]["content"] == [text("Ayda bir toplanır.")]


def test_picture_keeps_its_type() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
    (message,) = messages_of([PICTURE_MESSAGE])
    assert message["content"] == [
        text("Bu levha ne anlatıyor?"),
        {"type": "image", "source": source},
    ]


def test_address_of_picture_is_handed_on() -> None:
    part = {"type": "image_url", "image_url": {"url": "https://x/y.png"}}
    (message,) = messages_of([Message(role="user", content="", parts=(part,))])
    assert message["content"][0]["source"] == {"type": "url", "url": "https://x/y.png"}


def test_tool_has_its_schema() -> None:
    assert asked(GenerationOptions(tools=(TOOL,)))["tools"] == [
        {
            "name": "mevzuat_ara",
            "description": "Mevzuatta arar.",
            "input_schema": {"type": "object", "properties": {"soru": {"type": "string"}}},
        }
    ]


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (None, None),
        ("auto", {"type": "auto"}),
        ("required", {"type": "any"}),
        ("none", {"type": "none"}),
        ({"type": "function", "function": {"name": "ara"}}, {"type": "tool", "name": "ara"}),
    ],
)
def test_choice_of_tool_is_translated(choice: str | Mapping[str, Any] | None, sent: object) -> None:
    options = GenerationOptions(tools=(TOOL,), tool_choice=choice)
    assert asked(options).get("tool_choice") == sent


def test_choice_without_tools_is_left_out() -> None:
    assert asked(GenerationOptions(tool_choice="auto", seed=5, reasoning_effort="low")) == {}


def test_schema_and_stop_have_other_names() -> None:
    form = {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}
    assert asked(GenerationOptions(response_format=form, stop=("SON",))) == {
        "stop_sequences": ["SON"],
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    }


@pytest.mark.parametrize("kind", ["json_object", "json_schema"])
def test_json_without_schema_is_refused(kind: str) -> None:
    with pytest.raises(LLMRefused, match="send a json_schema"):
        asked(GenerationOptions(response_format={"type": kind}))


def test_tool_that_is_no_function_is_refused() -> None:
    with pytest.raises(LLMRefused, match="type 'function' only"):
        asked(GenerationOptions(tools=({"type": "web_search"},)))


@pytest.mark.parametrize(
    ("top_p", "temperature", "sent"),
    [
        (None, 0.2, {"temperature": 0.2}),
        (None, 1.7, {"temperature": 1.0}),
        (0.5, 1, {"top_p": 0.5}),
    ],
)
def test_sampling_is_by_one_number(top_p: float | None, temperature: float, sent: object) -> None:
    assert sampling(GenerationOptions(top_p=top_p), temperature) == sent
