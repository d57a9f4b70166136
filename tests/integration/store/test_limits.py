"""Counters of rate limits on a real database."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, text

from docrag.api import StoreUnavailable
from docrag.store import Store, make_engine
from docrag.store.limits import Limits


@pytest.fixture
def limits(store: Store) -> Limits:
    """The counters of this test's database."""
    return store.limits


def expire(engine: Engine) -> None:
    """Have every window end now."""
    with engine.begin() as connection:
        connection.execute(text("UPDATE rate_limits SET expires_at = clock_timestamp()"))


def test_hits_add_up_by_key(limits: Limits) -> None:
    hits = [limits.hit(key, seconds=60) for key in ("ayşe", "ayşe", "ali", "ayşe")]

    assert hits == [1, 2, 1, 3]


def test_amount_counts_more(limits: Limits) -> None:
    limits.hit("ayşe", seconds=60, amount=5)

    assert limits.hit("ayşe", seconds=60, amount=2) == 7


def test_window_is_not_made_longer(limits: Limits) -> None:
    limits.hit("ayşe", seconds=60)
    time.sleep(0.05)
    limits.hit("ayşe", seconds=60)

    hits, left = limits.state("ayşe")

    assert hits == 2
    assert 50 < left < 60 - 0.05


def test_closed_window_starts_anew(limits: Limits, engine: Engine) -> None:
    limits.hit("ayşe", seconds=60)
    limits.hit("ayşe", seconds=60)
    expire(engine)

    assert limits.state("ayşe") == (0, 0.0)
    assert limits.hit("ayşe", seconds=60) == 1
    assert limits.state("ayşe")[1] > 50


def test_unknown_key_has_no_window(limits: Limits) -> None:
    assert limits.state("kimse") == (0, 0.0)


def test_forget_takes_one_key(limits: Limits) -> None:
    for key in ("ayşe", "ali"):
        limits.hit(key, seconds=60)

    assert limits.forget("ayşe") == 1
    assert (limits.state("ayşe")[0], limits.state("ali")[0]) == (0, 1)


def test_forget_takes_all_keys(limits: Limits) -> None:
    for key in ("ayşe", "ali"):
        limits.hit(key, seconds=60)

    assert limits.forget() == 2
    assert limits.forget() == 0


def test_sweep_leaves_open_windows(limits: Limits, engine: Engine) -> None:
    limits.hit("ayşe", seconds=60)
    expire(engine)
    limits.hit("ali", seconds=60)

    assert limits.sweep() == 1
    assert limits.state("ali")[0] == 1


def test_hits_of_many_processes_are_all_counted(limits: Limits, database_url: str) -> None:
    other = make_engine(database_url)
    both = [limits, Store(other).limits]
    with ThreadPoolExecutor(8) as pool:
        hits = list(pool.map(lambda n: both[n % 2].hit("ayşe", seconds=60), range(80)))
    other.dispose()

    assert sorted(hits) == list(range(1, 81))


def test_counters_are_not_logged(limits: Limits, engine: Engine) -> None:
    query = text("SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'")
    with engine.connect() as connection:
        assert connection.scalar(query) == "u"


def test_missing_database_is_an_error() -> None:
    engine = make_engine("postgresql://nobody@127.0.0.1:1/none")

    with pytest.raises(StoreUnavailable):
        Store(engine).limits.hit("ayşe", seconds=60)
    engine.dispose()
