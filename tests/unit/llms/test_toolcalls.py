from __future__ import annotations

from typing import Any

import pytest

from docrag.api import Delta
from docrag.llms.toolcalls import ToolCalls


def relayed(*told: object) -> list[dict[str, Any]]:
    calls = ToolCalls()
    deltas = [delta for each in told for delta in calls.relayed(each)]
    return [dict(piece) for delta in deltas for piece in delta.tool_calls]


def told(index: int | None, *, name: object = None, text: object = "", **more: object) -> object:
    return [{"index": index, "function": {"name": name, "arguments": text}, **more}]


def test_relayed_drops_nulls_and_unknown_keys() -> None:
    first = told(0, name="ara", id="c1", type="function", event={"type": "source"})
    later = told(0, text='{"ı":1}', id=None, type=None)
    assert relayed(first, later) == [
        {"index": 0, "id": "c1", "type": "function", "function": {"arguments": "", "name": "ara"}},
        {"index": 0, "function": {"arguments": '{"ı":1}'}},
    ]


def test_relayed_repeats_neither_id_nor_name() -> None:
    # Clients join the strings of all pieces: a repeated name would become "araara".
    again = told(0, name="ara", text="{}", id="c1", type="function")
    assert relayed(again, again)[1] == {"index": 0, "function": {"arguments": "{}"}}


def test_relayed_makes_missing_id() -> None:
    (piece,) = relayed(told(0, name="ara", text="{}"))
    assert piece["id"].startswith("call_")
    assert piece["type"] == "function"


def test_relayed_numbers_calls_without_index() -> None:
    pieces = relayed(
        told(None, name="a", id="c1"), told(None, text="{}"), told(None, name="b", id="c2")
    )
    assert [piece["index"] for piece in pieces] == [0, 0, 1]


def test_relayed_counts_from_zero_whatever_the_server_says() -> None:
    pieces = relayed(told(7, name="a"), told(-1, name="b"), told(7, text="{}"), told(-1, text="{}"))
    assert [piece["index"] for piece in pieces] == [0, 1, 0, 1]


def test_relayed_writes_arguments_as_text() -> None:
    (piece,) = relayed(told(0, name="ara", text={"şehir": "Iğdır"}))
    assert piece["function"]["arguments"] == '{"şehir": "Iğdır"}'


@pytest.mark.parametrize(
    "nothing",
    [None, [], {}, "x", [None], [{}], [{"index": 0}], told(0, text="{}"), told(3), told(0, name=7)],
)
def test_relayed_leaves_out_what_begins_no_call(nothing: object) -> None:
    calls = ToolCalls()
    assert calls.relayed(nothing) == []
    assert not calls


def test_whole_calls_become_one_delta_each() -> None:
    calls = ToolCalls()
    found = calls.whole(
        [
            {"function": {"name": "ara", "arguments": {"soru": "İSG"}}},
            {"function": {"name": "saat"}},
            {"function": {"arguments": {}}},
        ]
    )
    pieces = [delta.tool_calls[0] for delta in found]
    assert [piece["index"] for piece in pieces] == [0, 1]
    assert [piece["function"]["arguments"] for piece in pieces] == ['{"soru": "İSG"}', "{}"]
    assert len({piece["id"] for piece in pieces}) == 2


def test_begun_call_goes_on() -> None:
    calls = ToolCalls()
    calls.begun(name="ara", call_id="c1")
    piece = {"index": 0, "function": {"arguments": "{}"}}
    assert calls.continued("{}") == Delta(tool_calls=(piece,))


@pytest.mark.parametrize(
    ("told_reason", "without", "after"),
    [("stop", "stop", "tool_calls"), ("tool_calls", "stop", "tool_calls"),
     ("length", "length", "length")],
)  # fmt: skip
def test_reason_says_whether_there_are_calls(told_reason: str, without: str, after: str) -> None:
    calls = ToolCalls()
    assert calls.reason(told_reason) == without
    calls.begun(name="ara")
    assert calls.reason(told_reason) == after
