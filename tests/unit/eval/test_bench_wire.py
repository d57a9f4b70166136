"""The rows, the bars and the client of the benchmark of the wire."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from eval.bench_wire import AFTER, BARS, FIRST, OVERHEAD, held, row
from eval.report import Row
from eval.wire_client import Address, Heard, Line, flood
from eval.wire_upstream import serve, words
from tests.e2e.serving import eventually, free_port


@pytest.fixture(scope="module")
def model() -> Iterator[Address]:
    """The fake model of the benchmark, in a thread."""
    address, loop = Address(port=free_port(), model="m"), asyncio.new_event_loop()
    task = loop.create_task(serve(address.port))

    def run() -> None:
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert eventually(lambda: _listens(address), within=5)
    yield address
    loop.call_soon_threadsafe(task.cancel)
    thread.join()


def _listens(address: Address) -> bool:
    try:
        with Line(address):
            return True
    except OSError:
        return False


def rows(
    overhead: float = 9.0, first: float = 900.0, after: float = 900.0, whole: int = 200
) -> list[Row]:
    found = {OVERHEAD: overhead, FIRST: first, AFTER: after}
    return [
        {"measure": name, "p50": 1.0, "p95": value, "n": 200, "whole": whole}
        for name, value in found.items()
    ]


@pytest.mark.parametrize(
    ("changed", "good"),
    [
        ({}, True),
        ({"overhead": BARS[OVERHEAD]}, True),
        ({"overhead": 10.1}, False),
        ({"first": 1001.0}, False),
        ({"first": float("inf")}, False),
        ({"after": 1001.0}, False),
        ({"whole": 199}, False),
    ],
)
def test_bars_are_upper_bounds(changed: dict[str, float], good: bool) -> None:
    assert held(rows(**changed)) is good  # type: ignore[arg-type] # counts are floats here


def test_row_has_nearest_ranks() -> None:
    assert row("x", [float(n) for n in range(1, 101)], whole=3) == {
        "measure": "x", "p50": 50.5, "p95": 96.0, "n": 100, "whole": 3,
    }  # fmt: skip


def test_first_word_is_noticed_within_a_split_chunk() -> None:
    heard = Heard(sent=0.0)
    heard.take(b'HTTP/1.1 200 OK\r\n\r\ndata: {"delta": {"content": ""}}\n\ndata: {"delta": {"con')
    assert not heard.first and not heard.is_over
    heard.take(b'tent": "k"}}\n\n')
    assert heard.first and heard.tokens == 1


@pytest.mark.parametrize(
    "broken",
    [
        b'data: {"content": "k"}\n\n',
        b'data: {"content": "k", "finish_reason": "stop"}\n\n',
        b'data: {"content": "", "finish_reason": "stop"}\n\ndata: [DONE]',
        b'data: {"content": "k", "finish_reason": "stop", "error": {}}\n\ndata: [DONE]',
    ],
)
def test_broken_answer_is_not_whole(broken: bytes) -> None:
    heard = Heard()
    heard.take(broken)
    assert not heard.complete


def test_refusal_is_not_waited_for() -> None:
    heard = Heard()
    heard.take(b"HTTP/1.1 503 SERVICE UNAVAILABLE\r\n\r\n")
    assert heard.is_over and not heard.complete


def test_line_asks_again_on_its_connection(model: Address) -> None:
    with Line(model) as line:
        first, second = line.ask("ışık?"), line.ask("ışık?")
    assert first.complete and second.complete
    assert first.tokens == second.tokens == len(words(8))
    assert 0 < second.after < second.wait < 5


def test_flood_reads_all_streams_at_once(model: Address) -> None:
    with Line(model) as line:
        line.post("/pace", {"delay": 0.3, "tokens": 3})
    reading: list[int] = []
    try:
        heard = flood(model, ["ışık?", "İş?"], count=9, rate=100.0, look=reading.append)
    finally:
        with Line(model) as line:
            line.post("/pace", {"delay": 0.0, "tokens": 8})
    assert all(one.complete and one.tokens == 3 for one in heard)
    assert reading == [9]


def test_flood_tells_what_did_not_come() -> None:
    nobody = Address(port=free_port(), model="m")
    (heard,) = flood(nobody, ["ışık?"], count=1, rate=1.0, look=lambda _: None)
    assert not heard.complete and not heard.first
