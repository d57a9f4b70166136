"""How long a sign-in has to wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, text

from docrag.store import Store
from docrag.store.throttle import KNOWN_MOST, PAIR_FREE, PAIR_MOST, STRANGE_FREE, STRANGE_MOST

HOME, OFFICE = "192.0.2.1", "192.0.2.2"


def fail(store: Store, times: int, address: str = HOME, username: str = "ayşe") -> None:
    for _ in range(times):
        store.throttle.failed(username, address)


def attack(store: Store, username: str = "ayşe") -> None:
    for n in range(STRANGE_FREE + 10):
        store.throttle.failed(username, f"198.51.100.{n}")


def test_first_failures_cost_nothing(store: Store) -> None:
    fail(store, PAIR_FREE)
    assert store.throttle.wait("ayşe", HOME) == 0


@pytest.mark.parametrize(("over", "seconds"), [(1, 1), (2, 2), (5, 16), (40, PAIR_MOST)])
def test_wait_doubles_up_to_the_most(store: Store, over: int, seconds: int) -> None:
    fail(store, PAIR_FREE + over)
    assert seconds - 0.9 < store.throttle.wait("ayşe", HOME) <= seconds


def test_other_address_and_other_user_do_not_wait(store: Store) -> None:
    fail(store, PAIR_FREE + 5)
    assert store.throttle.wait("ayşe", OFFICE) == store.throttle.wait("ışıl", HOME) == 0


@pytest.mark.parametrize("name", ["AYŞE", "ays\u0327e", "ａｙşｅ"])
def test_spellings_of_a_name_wait_together(store: Store, name: str) -> None:
    fail(store, PAIR_FREE + 5)
    assert store.throttle.wait(name, HOME) > 1


@pytest.mark.parametrize(
    ("first", "second"),
    [("2001:db8::1", "2001:db8::ffff:2"), ("192.0.2.1", "::ffff:192.0.2.1"), ("unix:", "unix:")],
)
def test_addresses_of_one_network_wait_together(store: Store, first: str, second: str) -> None:
    fail(store, PAIR_FREE + 5, first)
    assert store.throttle.wait("ayşe", second) > 1


def test_success_forgets_the_failures(store: Store) -> None:
    fail(store, PAIR_FREE + 5)
    store.throttle.succeeded("ayşe", HOME)
    assert store.throttle.wait("ayşe", HOME) == 0


@pytest.mark.parametrize("name", ["ayşe", "nobody-has-this-name"])
def test_guessing_from_many_addresses_is_slowed(store: Store, name: str) -> None:
    attack(store, name)
    assert STRANGE_MOST - 1 < store.throttle.wait(name, "203.0.113.1") <= STRANGE_MOST


def test_victim_at_a_known_address_does_not_wait(store: Store) -> None:
    store.throttle.succeeded("ayşe", OFFICE)
    attack(store)
    assert store.throttle.wait("ayşe", OFFICE) == 0


def test_known_address_waits_a_minute_at_most(store: Store) -> None:
    store.throttle.succeeded("ayşe", OFFICE)
    fail(store, 40, OFFICE)
    assert KNOWN_MOST - 2 < store.throttle.wait("ayşe", OFFICE) <= KNOWN_MOST


def test_known_address_does_not_slow_the_others(store: Store) -> None:
    store.throttle.succeeded("ayşe", OFFICE)
    fail(store, STRANGE_FREE + 10, OFFICE)
    assert store.throttle.wait("ayşe", "203.0.113.1") == 0


def test_attempts_at_once_cannot_all_pass(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: store.throttle.attempt("ayşe", HOME), range(20)))
    assert waits.count(0) == PAIR_FREE + 1


def test_expired_failures_are_forgotten_and_cleared(store: Store, engine: Engine) -> None:
    fail(store, PAIR_FREE + 5)
    with engine.begin() as connection:
        connection.execute(text("UPDATE login_throttle SET expires_at = now() - interval '1 s'"))
    assert store.throttle.wait("ayşe", HOME) == 0
    fail(store, 1, OFFICE, "ışıl")
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM login_throttle")) == 2


def test_failures_after_expiry_count_anew(store: Store, engine: Engine) -> None:
    fail(store, PAIR_FREE + 5)
    with engine.begin() as connection:
        connection.execute(text("UPDATE login_throttle SET expires_at = now() - interval '1 s'"))
    fail(store, 1)
    assert store.throttle.wait("ayşe", HOME) == 0


@pytest.mark.parametrize("name", ["", "a\x00", "\ud800", "x" * 10_000])
def test_any_name_is_throttled(store: Store, name: str) -> None:
    fail(store, PAIR_FREE + 2, username=name)
    assert store.throttle.wait(name, HOME) > 1


def test_neither_name_nor_address_is_kept(store: Store, engine: Engine) -> None:
    fail(store, 1)
    with engine.connect() as connection:
        row = str(connection.execute(text("SELECT * FROM login_throttle")).all())
    assert "ayşe" not in row and HOME not in row
