"""Pooled connections whose server may have ended meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Engine, event, text

from docrag.store import make_engine, pulse

PID = text("SELECT pg_backend_pid()")


@pytest.fixture
def pooled(database_url: str) -> Iterator[Engine]:
    """An engine that keeps one connection."""
    engine = make_engine(database_url, pool_size=1)
    yield engine
    engine.dispose()


def backend(engine: Engine) -> int:
    """Process of the server behind the engine's connection."""
    with engine.connect() as connection:
        return int(connection.scalar(PID))


def asked(monkeypatch: pytest.MonkeyPatch) -> list[psycopg.Connection]:
    """Connections on which the server is asked from now on."""
    seen: list[psycopg.Connection] = []
    answers = pulse.answers

    def noted(connection: psycopg.Connection) -> bool:
        seen.append(connection)
        return answers(connection)

    monkeypatch.setattr(pulse, "answers", noted)
    return seen


def end(engine: Engine, pid: int) -> None:
    """End a process of the server as an operator or a crash does, and wait for it."""
    other = make_engine(engine.url.render_as_string(hide_password=False))
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
    other.dispose()


def test_connection_is_used_again_without_a_question(
    pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = asked(monkeypatch)
    assert backend(pooled) == backend(pooled)
    assert seen == []


def test_connection_that_ended_is_replaced(pooled: Engine) -> None:
    before = backend(pooled)
    end(pooled, before)
    assert backend(pooled) != before


@pytest.mark.parametrize("isolation", ["AUTOCOMMIT", "READ COMMITTED"])
def test_connection_is_asked_after_a_rest(
    pooled: Engine, monkeypatch: pytest.MonkeyPatch, isolation: str
) -> None:
    engine = pooled.execution_options(isolation_level=isolation)
    before = backend(engine)
    seen = asked(monkeypatch)
    monkeypatch.setattr(pulse, "REST", -1.0)
    assert backend(engine) == before
    assert len(seen) == 1


def test_connection_that_says_nothing_after_a_rest_is_replaced(
    pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = backend(pooled)
    monkeypatch.setattr(pulse, "REST", -1.0)
    monkeypatch.setattr(pulse, "answers", lambda connection: False)
    assert backend(pooled) != before


def test_notice_does_not_cost_the_connection(
    pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = backend(pooled)
    monkeypatch.setattr(pulse, "has_news", lambda connection: True)
    assert backend(pooled) == before


def test_question_leaves_no_transaction_open(
    pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend(pooled)
    monkeypatch.setattr(pulse, "REST", -1.0)
    begun: list[str] = []
    event.listen(pooled, "begin", lambda connection: begun.append("begin"))
    with pooled.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert isinstance(raw, psycopg.Connection)
        assert raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        assert not raw.autocommit
    assert begun == []
