from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from docrag.api import GenerationOptions, LLMRefused, Message
from docrag.llms.ollama_body import asked, messages_of, sampling
from docrag.testing.conversations import PICTURE, PICTURE_MESSAGE, TOOL_MESSAGES

ARA: Mapping[str, Any] = {"type": "function", "function": {"name": "ara"}}
SAAT: Mapping[str, Any] = {"type": "function", "function": {"name": "saat"}}


def test_picture_is_base64_without_head_beside_one_text() -> None:
    message = {"role": "user", "content": "Bu levha ne anlatıyor?", "images": [PICTURE]}
    assert messages_of([PICTURE_MESSAGE]) == [message]


def test_address_of_picture_is_refused() -> None:
    part = {"type": "image_url", "image_url": {"url": "https://x/gizli.png"}}
    with pytest.raises(LLMRefused, match="send the picture as a data URL") as caught:
        messages_of([Message(role="user", content="", parts=(part,))])
    assert "gizli" not in str(caught.value)


def test_tool_turns_have_objects_and_names() -> None:
    _, call, result = messages_of(TOOL_MESSAGES)
    function = {"name": "mevzuat_ara", "arguments": {"soru": "Iğdır'da İSG kurulu", "sayı": 3}}
    assert call == {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}
    assert result == {
        "role": "tool",
        "content": "Ayda bir toplanır.",
        "tool_name": "mevzuat_ara",
    }


def test_result_of_unknown_call_has_no_name() -> None:
    turn = Message(role="tool", content="x", tool_call_id="yok")
    assert messages_of([turn]) == [{"role": "tool", "content": "x", "tool_name": ""}]


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        ({"type": "text"}, None),
        ({"type": "json_object"}, "json"),
        ({"type": "json_schema", "json_schema": {"schema": {"type": "array"}}}, {"type": "array"}),
        ({"type": "json_schema"}, "json"),
    ],
)
def test_format_is_word_or_schema(form: dict[str, Any], sent: object) -> None:
    assert asked(GenerationOptions(response_format=form), None).get("format") == sent


@pytest.mark.parametrize(
    ("effort", "think"),
    [("none", False), ("minimal", "low"), ("low", "low"), ("high", "high"), ("xhigh", "high")],
)
def test_effort_becomes_think(effort: str, think: object) -> None:
    assert asked(GenerationOptions(reasoning_effort=effort), None) == {"think": think}


@pytest.mark.parametrize(
    ("choice", "offered"),
    [
        (None, [ARA, SAAT]),
        ("auto", [ARA, SAAT]),
        ("required", [ARA, SAAT]),
        ("none", None),
        ({"type": "function", "function": {"name": "saat"}}, [SAAT]),
    ],
)
def test_choice_of_tool_decides_what_is_offered(
    choice: str | Mapping[str, Any] | None, offered: object
) -> None:
    options = GenerationOptions(tools=(ARA, SAAT), tool_choice=choice)
    assert asked(options, None).get("tools") == offered


def test_nothing_asked_sends_nothing() -> None:
    assert asked(GenerationOptions(), ("thinking",)) == {}
    assert sampling(GenerationOptions()) == {}


def test_sampling_is_sent_by_its_names() -> None:
    options = GenerationOptions(top_p=0.5, stop=("\n", "SON"), seed=0)
    assert sampling(options) == {"top_p": 0.5, "stop": ["\n", "SON"], "seed": 0}
