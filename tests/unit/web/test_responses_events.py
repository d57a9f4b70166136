"""Pieces of an answer as events of the Responses API."""

from __future__ import annotations

from typing import Any

import pytest

from docrag.api import Delta
from docrag.web.openai.chunks import PIECE
from docrag.web.openai.responses_body import ECHO_BYTES, Frame, echo
from docrag.web.openai.responses_events import Script
from docrag.web.openai.responses_schema import ResponseRequestSchema

Events = list[dict[str, Any]]
MARK = {"type": "url_citation", "start_index": 0, "end_index": 3, "url": "http://x/", "title": "a"}


def script(**request: Any) -> Script:  # noqa: ANN401 - JSON
    """The script of an answer to a request."""
    body = ResponseRequestSchema().load({"model": "docrag", "input": "Baret?", **request})
    return Script(Frame(id="resp_a", created_at=7, echo=echo(body, temperature=0.1)))


def played(*deltas: Delta, reason: str = "stop", marks: Events | None = None) -> Events:
    """All events of an answer."""
    one = script()
    fed = [event for delta in deltas for event in one.feed(delta)]
    return [*one.start(), *fed, *one.finish(reason, marks or [], at=9)]


def names(events: Events) -> list[str]:
    """The events' names without their common start."""
    return [event["type"].removeprefix("response.") for event in events]


def test_text_comes_in_the_official_order() -> None:
    events = played(Delta(text="[1] Ba"), Delta(text="ret."), marks=[MARK])

    assert names(events) == [
        "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta",
        "output_text.delta", "output_text.annotation.added", "output_text.done",
        "content_part.done", "output_item.done", "completed",
    ]  # fmt: skip


def test_events_are_counted_from_zero() -> None:
    fed = script()
    events = [*fed.start(), *fed.feed(Delta(text="a")), *fed.finish("stop", [], at=9)]

    assert [event["sequence_number"] for event in events] == list(range(len(events)))


def test_finished_response_holds_text_and_annotations() -> None:
    last = played(Delta(text="[1] Ba"), Delta(text="ret."), marks=[MARK])[-1]["response"]

    (part,) = last["output"][0]["content"]
    assert (part["text"], part["annotations"]) == ("[1] Baret.", [MARK])
    assert (last["status"], last["output"][0]["status"]) == ("completed", "completed")


def test_thoughts_are_an_item_before_the_text() -> None:
    events = played(Delta(reasoning="Düşün"), Delta(reasoning="üyorum"), Delta(text="Evet"))

    kinds = [item["type"] for item in events[-1]["response"]["output"]]
    assert kinds == ["reasoning", "message"]
    assert events[-1]["response"]["output"][0]["summary"][0]["text"] == "Düşünüyorum"
    assert names(events)[4:9] == [
        "reasoning_summary_text.delta", "reasoning_summary_text.delta",
        "reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done",
    ]  # fmt: skip


def test_function_call_is_put_together() -> None:
    calls = (
        {"index": 0, "id": "c1", "function": {"name": "ara", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"q":'}},
        {"index": 0, "function": {"arguments": '"ı"}'}},
    )
    events = played(*[Delta(tool_calls=(call,)) for call in calls], reason="tool_calls")

    (item,) = events[-1]["response"]["output"]
    assert (item["call_id"], item["name"], item["arguments"]) == ("c1", "ara", '{"q":"ı"}')
    assert names(events)[3:6] == ["function_call_arguments.delta"] * 2 + [
        "function_call_arguments.done"
    ]


def test_two_calls_that_mix_stay_apart() -> None:
    first = {"index": 0, "id": "c1", "function": {"name": "a", "arguments": "1"}}
    second = {"index": 1, "id": "c2", "function": {"name": "b", "arguments": "2"}}
    more = {"index": 0, "function": {"arguments": "3"}}
    events = played(Delta(tool_calls=(first, second)), Delta(tool_calls=(more,)))

    items = events[-1]["response"]["output"]
    assert [(item["name"], item["arguments"]) for item in items] == [("a", "13"), ("b", "2")]


@pytest.mark.parametrize(
    ("reason", "why"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
)
def test_cut_answer_is_incomplete(reason: str, why: str) -> None:
    last = played(Delta(text="Baret"), reason=reason)[-1]

    assert last["type"] == "response.incomplete"
    assert last["response"]["incomplete_details"] == {"reason": why}
    assert last["response"]["output"][0]["status"] == "incomplete"


def test_failure_is_told_nested_and_flat() -> None:
    one = script()
    list(one.feed(Delta(text="Bar")))
    problem = {"message": "Model yok.", "type": "server_error", "param": None, "code": "down"}
    error, failed = one.fail(problem, "server_error")

    assert (error["type"], error["message"], error["error"]) == ("error", "Model yok.", problem)
    assert failed["response"]["error"] == {"code": "server_error", "message": "Model yok."}
    assert failed["response"]["output"][0]["status"] == "incomplete"


def test_empty_answer_is_an_empty_message() -> None:
    assert played()[-1]["response"]["output"][0]["content"][0]["text"] == ""


def test_long_piece_is_cut() -> None:
    events = played(Delta(text="ğ" * (PIECE + 1)))

    assert [len(e["delta"]) for e in events if "delta" in e] == [PIECE, 1]


def test_request_is_said_back_unless_it_is_large() -> None:
    tool = {"type": "function", "name": "a"}
    body = next(script(instructions="Kısa yaz.", tools=[tool], metadata={"a": "b"}).start())
    large = next(script(instructions="ş" * ECHO_BYTES).start())

    assert body["response"]["instructions"] == "Kısa yaz."
    assert body["response"]["tools"] == [{**tool, "parameters": None, "strict": None}]
    assert body["response"]["metadata"] == {"a": "b"}
    assert large["response"]["instructions"] is None
    assert body["response"]["store"] is False


@pytest.mark.parametrize(("wished", "said"), [(None, 0.1), (0, 0), (1.5, 1.5)])
def test_temperature_is_the_one_that_counts(wished: float | None, said: float) -> None:
    body = next(script(temperature=wished).start())

    assert body["response"]["temperature"] == said
