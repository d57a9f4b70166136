"""A Responses request as a chat request."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import ValidationError

from docrag.web.openai.responses_items import LEFT_OUT, Messages
from docrag.web.openai.responses_schema import (
    ResponseRequestSchema,
    chat_body,
    conversation,
    renamed,
)


def chat(**request: Any) -> Any:  # noqa: ANN401 - JSON
    """The chat request that a request becomes."""
    body = ResponseRequestSchema().load({"model": "docrag", "input": "Baret?", **request})
    return chat_body(body, conversation(body))


def turns(*items: Any) -> Any:  # noqa: ANN401 - JSON
    """The messages that items become."""
    return chat(input=list(items))["messages"]


def wrong(**request: Any) -> Any:  # noqa: ANN401 - JSON
    """What is said about a request that is refused."""
    with pytest.raises(ValidationError) as caught:
        chat(**request)
    return caught.value.messages


def test_text_is_a_user_message() -> None:
    assert chat() == {
        "model": "docrag",
        "stream": False,
        "messages": [{"role": "user", "content": "Baret?"}],
    }


def test_instructions_are_the_first_system_message() -> None:
    first, second = chat(instructions="Kısa yaz.")["messages"]

    assert first == {"role": "system", "content": "Kısa yaz."}
    assert second["role"] == "user"


@pytest.mark.parametrize("kind", ["input_text", "output_text", "text"])
def test_text_parts_are_text(kind: str) -> None:
    (turn,) = turns({"role": "user", "content": [{"type": kind, "text": "Işık"}]})

    assert turn["content"] == [{"type": "text", "text": "Işık"}]


def test_pictures_and_files_have_the_chat_form() -> None:
    picture = {"type": "input_image", "image_url": "data:,"}
    file = {"type": "input_file", "file_id": "f"}
    (turn,) = turns({"type": "message", "role": "user", "content": [picture, file]})

    assert [part["type"] for part in turn["content"]] == ["image_url", "file"]
    assert turn["content"][0]["image_url"]["url"] == "data:,"


def test_calls_belong_to_the_turn_before_them() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "ara", "arguments": "{}"}
    found = turns(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        call,
        {**call, "call_id": "c2"},
        {"type": "function_call_output", "call_id": "c1", "output": "sonuç"},
    )

    assert [turn["role"] for turn in found] == ["user", "assistant", "tool"]
    assert [each["id"] for each in found[1]["tool_calls"]] == ["c1", "c2"]
    assert found[2] == {"role": "tool", "tool_call_id": "c1", "content": "sonuç"}


def test_call_alone_is_a_turn_of_the_assistant() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "ara", "arguments": "{}"}

    assert turns({"role": "user", "content": "a"}, call)[1]["content"] is None


def test_thoughts_and_provider_calls_are_left_out() -> None:
    found = turns(
        {"role": "user", "content": "a"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "item_reference", "id": "rs_2"},
    )

    assert len(found) == 1


def test_reference_to_an_answer_keeps_its_place() -> None:
    found = turns({"type": "item_reference", "id": "msg_1"}, {"role": "user", "content": "a"})

    assert found[0] == {"role": "assistant", "content": LEFT_OUT}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"type": "item_reference", "id": "fc_1"}, "keeps no items"),
        ({"type": "computer_call_output"}, "computer_call_output"),
        ("metin", "object"),
    ],
)
def test_items_that_cannot_be_read_are_named(item: Any, said: str) -> None:  # noqa: ANN401 - JSON
    found = wrong(input=[{"role": "user", "content": "a"}, item])

    assert said in found["input"][1][0]


@pytest.mark.parametrize("value", [[], "", {"a": 1}, None, 5])
def test_input_must_be_text_or_items(value: Any) -> None:  # noqa: ANN401 - JSON
    assert "input" in wrong(input=value)


@pytest.mark.parametrize("name", ["previous_response_id", "conversation", "prompt"])
def test_nothing_kept_can_be_named(name: str) -> None:
    assert "docrag keeps no" in wrong(**{name: "x"})[name][0]


def test_background_is_refused() -> None:
    assert "background" in wrong(background=True)


@pytest.mark.parametrize(
    "null", ["previous_response_id", "conversation", "background", "tools", "text", "stream"]
)
def test_null_is_nothing(null: str) -> None:
    assert {**chat(**{null: None}), "stream": False} == chat()


def test_limits_and_effort_have_their_chat_names() -> None:
    found = chat(max_output_tokens=50, reasoning={"effort": "low"}, temperature=0.5, top_p=0.1)

    assert found["max_completion_tokens"] == 50
    assert found["reasoning_effort"] == "low"
    assert (found["temperature"], found["top_p"]) == (0.5, 0.1)


def test_tools_are_nested_and_foreign_ones_left_out() -> None:
    mine = {"type": "function", "name": "ara", "parameters": {}, "strict": True}
    found = chat(
        tools=[mine, {"type": "web_search"}], tool_choice={"type": "function", "name": "ara"}
    )

    function = {"name": "ara", "parameters": {}, "strict": True}
    assert found["tools"] == [{"type": "function", "function": function}]
    assert found["tool_choice"] == {"type": "function", "function": {"name": "ara"}}


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [("required", "required"), ({"type": "allowed_tools", "mode": "auto"}, "auto"),
     ({"type": "web_search"}, None)],
)  # fmt: skip
def test_tool_choice_is_translated(choice: Any, wanted: Any) -> None:  # noqa: ANN401 - JSON
    found = chat(tools=[{"type": "function", "name": "a"}], tool_choice=choice)

    assert found.get("tool_choice") == wanted


def test_choice_among_no_tools_is_none() -> None:
    assert "tool_choice" not in chat(tools=[{"type": "web_search"}], tool_choice="required")


def test_schema_of_the_answer_is_nested() -> None:
    form = {"type": "json_schema", "name": "a", "schema": {"type": "object"}, "strict": True}
    found = chat(text={"format": form})["response_format"]

    assert found["json_schema"] == {"name": "a", "schema": {"type": "object"}, "strict": True}
    assert "response_format" not in chat(text={"format": {"type": "text"}})


@pytest.mark.parametrize(
    ("param", "wanted"),
    [
        ("messages[0].content", "instructions.content"),
        ("messages[1].content[2]", "input[0].content[2]"),
        ("messages[2].role", "input[3].role"),
        ("messages", "input"),
        ("max_completion_tokens", "max_output_tokens"),
        ("response_format.type", "text.format.type"),
        ("temperature", "temperature"),
    ],
)
def test_fields_are_named_as_the_caller_knows_them(param: str, wanted: str) -> None:
    assert renamed(param, Messages(origins=[-1, 0, 3])) == wanted
