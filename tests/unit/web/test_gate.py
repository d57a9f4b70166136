"""How many uploads one process holds at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from docrag.web.errors import RequestRefused
from docrag.web.gate import Gate


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads to go through a gate."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_gate_sends_away_who_cannot_wait() -> None:
    gate = Gate(inside=1, waiting=0)
    with gate.enter(), pytest.raises(RequestRefused) as caught, gate.enter():
        pytest.fail("two are inside")
    assert caught.value.kind.status == 503
    assert "Retry-After" in caught.value.headers


def test_gate_lets_the_waiting_in_later(pool: ThreadPoolExecutor) -> None:
    gate, entered = Gate(inside=1, waiting=1), threading.Event()

    def go() -> None:
        with gate.enter():
            entered.set()

    with gate.enter():
        done = pool.submit(go)
        assert not entered.wait(0.05)
    done.result(5)
    assert entered.is_set()


def test_gate_opens_again_after_a_failure() -> None:
    gate = Gate(inside=1, waiting=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), gate.enter():
            raise ZeroDivisionError
