"""JSON that parses but cannot be kept, sent on or said back: a named 400, never a 500."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.web.openai import responses_stream
from docrag.web.openai.calls import MOST_CHARACTERS
from docrag.web.openai.jsonfields import DEEPEST
from docrag.web.openai.turns import Run

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Post = Callable[..., TestResponse]
QUESTION = "İşveren neyle yükümlü?"
STREAMS = pytest.mark.parametrize("stream", [False, True])


@pytest.fixture
def post(client: FlaskClient, reader: dict[str, str]) -> Post:
    """Posts a body as JSON that Python writes: NaN and halves of surrogate pairs go through."""

    def send(path: str, **more: object) -> TestResponse:
        asked = {"role": "user", "content": QUESTION}
        question = {"messages": [asked]} if path == "chat/completions" else {"input": QUESTION}
        body = json.dumps({"model": "docrag", **question, **more})
        return client.post(f"/v1/{path}", data=body, headers=reader)

    return send


def refused(response: TestResponse) -> tuple[int, str | None]:
    """Status and named parameter of a refusal."""
    assert response.json is not None
    return response.status_code, response.json["error"]["param"]


@STREAMS
@pytest.mark.parametrize(
    "more",
    [
        {"metadata": {"a": "x\ud800"}},
        {"metadata": {"\ud800": "x"}},
        {"instructions": "x\ud800"},
        {"text": {"format": {"type": "json_schema", "name": "\ud800", "schema": {"\ud800": 1}}}},
        {"tools": [{"type": "function", "name": "\ud800", "description": "\ud800"}]},
        {
            "tools": [{"type": "function", "name": "a"}],
            "tool_choice": {"type": "function", "name": "\ud800"},
        },
    ],
    ids=str,
)
def test_half_of_a_surrogate_pair_is_said_back_clean(
    post: Post, more: dict[str, Any], stream: bool
) -> None:
    response = post("responses", stream=stream, **more)
    text = response.get_data(as_text=True)
    assert response.status_code == 200
    assert ("response.completed" in text) is stream
    assert "\ufffd" not in text


def test_ending_of_a_broken_stream_cannot_break() -> None:
    run = cast(Run, SimpleNamespace(created=1, language="tr"))
    problem = ZeroDivisionError()
    told = responses_stream._failure(problem, {"metadata": {"a": "\ud800"}}, run, None)
    *_, failed = map(responses_stream.event, told)
    assert failed.startswith(b"event: response.failed\n")


def test_json_answer_cannot_break(client: FlaskClient, assistant: StandIn) -> None:
    with client.application.app_context():
        body = client.application.json.dumps({"a": "ı\ud800"})
    assert json.loads(body.encode()) == {"a": "ı?"}


@STREAMS
@pytest.mark.parametrize("kind", [[], {}, 5, True], ids=str)
def test_part_of_an_odd_type_is_refused(post: Post, kind: object, stream: bool) -> None:
    part = {"type": kind, "text": "x"}
    items = [{"role": "user", "content": [part]}]
    expected = (400, "input[0].content[0]")
    assert refused(post("responses", input=items, stream=stream)) == expected
    expected = (400, "messages[0].content[0]")
    assert refused(post("chat/completions", messages=items, stream=stream)) == expected


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(
    ("path", "more", "param"),
    [
        ("chat/completions", {"tools": [{"function": {"parameters": {"x": [0]}}}]}, "tools[0]"),
        ("chat/completions", {"tool_choice": {"x": 0}}, "tool_choice"),
        (
            "chat/completions",
            {"response_format": {"type": "json_schema", "json_schema": {"x": 0}}},
            "response_format",
        ),
        ("responses", {"tools": [{"type": "function", "name": "a", "x": 0}]}, "tools[0]"),
        ("responses", {"text": {"format": {"type": "json_schema", "x": 0}}}, "text.format"),
        ("responses", {"metadata": {"x": 0}}, "metadata"),
        ("responses", {"reasoning": {"x": 0}}, "reasoning"),
        ("responses", {"tools": [{"type": "function", "name": "a"}], "tool_choice": {"x": 0}},
         "tool_choice"),
    ],
)  # fmt: skip
def test_number_that_json_has_not_is_refused(
    post: Post, path: str, more: dict[str, Any], param: str, number: float
) -> None:
    body = json.loads(json.dumps(more), parse_int=lambda _: number)
    status, named = refused(post(path, **body))
    assert status == 400
    assert named is not None
    assert named.startswith(param)


@pytest.mark.parametrize("path", ["chat/completions", "responses"])
def test_deep_nesting_is_refused(post: Post, path: str) -> None:
    deep: dict[str, Any] = {}
    for _ in range(DEEPEST + 1):
        deep = {"a": deep}
    more = {"tools": [{"type": "function", "name": "a", "function": deep}]}
    assert refused(post(path, **more)) == (400, "tools[0]")


@STREAMS
def test_endless_question_is_refused_early(post: Post, assistant: StandIn, stream: bool) -> None:
    long = "forklift " * (MOST_CHARACTERS // 9 + 1)
    messages = [{"role": "user", "content": long}]
    response = post("chat/completions", messages=messages, stream=stream)
    assert response.json is not None
    assert (response.status_code, response.json["error"]["code"]) == (
        400,
        "context_length_exceeded",
    )
    assert refused(response)[1] == "messages"
    assert assistant.asked == []


def test_passages_of_a_front_end_do_not_count_as_the_question(post: Post) -> None:
    passages = f'<source id="1">{"x" * MOST_CHARACTERS}</source>'
    wrapped = f"### Task:\nx\n<context>\n{passages}\n</context>\n\n{QUESTION}"
    messages = [{"role": "user", "content": wrapped}]
    assert post("chat/completions", messages=messages).status_code == 200
