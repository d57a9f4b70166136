"""The store's front door, and a database that is away."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from sqlalchemy import Engine, text

from docrag.api import Article, StoreError, StoreUnavailable
from docrag.store import Store, make_engine
from docrag.store.records import DocumentState

from .conftest import ADMIN, Library

ID = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def away() -> Iterator[Store]:
    """A store whose server does not listen."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        engine = make_engine(f"postgresql://docrag:gizli-parola@127.0.0.1:{port}/docrag")
        yield Store(engine)
        engine.dispose()


def claim(store: Store) -> None:
    with store.jobs.claim():
        pytest.fail("claimed from a database that is away")


METHODS: dict[str, Callable[[Store], object]] = {
    "ping": lambda store: store.ping(),
    "is_empty": lambda store: store.is_empty(),
    "documents.create": lambda store: store.documents.create(
        filename="a", title="a", suffix="a", data=b"", roles=["admin"], uploaded_by=None
    ),
    "documents.list": lambda store: store.documents.list(access=ADMIN),
    "documents.get": lambda store: store.documents.get(ID, access=ADMIN),
    "documents.pages": lambda store: store.documents.pages(ID, access=ADMIN),
    "documents.file": lambda store: store.documents.file(ID),
    "documents.delete": lambda store: store.documents.delete(ID, access=ADMIN),
    "documents.set_state": lambda store: store.documents.set_state(ID, DocumentState.QUEUED),
    "chunks.candidates": lambda store: store.chunks.candidates(
        terms=["izin"], vector=np.ones(3, np.float32), access=ADMIN, k=5
    ),
    "neighbours.around": lambda store: store.neighbours.around([1], reach=1, access=ADMIN),
    "chunks.named_beside": lambda store: store.chunks.named_beside(
        [Article(kind="madde", number="1")], (), access=ADMIN, k=5
    ),
    "chunks.statistics": lambda store: store.chunks.statistics("f5", ["izin"]),
    "users.get": lambda store: store.users.get("ayşe"),
    "users.password_hash": lambda store: store.users.password_hash("ayşe"),
    "keys.principal": lambda store: store.keys.principal(b"x" * 32),
    "roles.list": lambda store: store.roles.list(),
    "jobs.claim": claim,
    "jobs.get": lambda store: store.jobs.get(ID, access=ADMIN),
    "spaces.active": lambda store: store.spaces.active(),
    "answers.count": lambda store: store.answers.count(),
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_database_that_is_away_is_unavailable(
    away: Store, method: Callable[[Store], object]
) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached") as caught:
        method(away)
    assert "gizli-parola" not in str(caught.value)


def test_server_that_went_away_is_unavailable(library: Library) -> None:
    """A connection cut in the middle of a transaction."""
    cut = text("SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(StoreUnavailable), library.store._sessions.begin() as session:
        session.execute(cut)


def test_pool_recovers_when_the_server_is_back(engine: Engine, store: Store) -> None:
    store.ping()
    other = make_engine(engine.url.render_as_string(hide_password=False))
    with other.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    other.dispose()
    store.ping()


def test_wrong_password_is_unavailable_and_not_told(engine: Engine) -> None:
    url = engine.url.set(password="yanlış-parola").render_as_string(hide_password=False)
    wrong = Store(make_engine(url))
    try:
        wrong.ping()
    except StoreUnavailable as exc:
        assert "parola" not in str(exc)
    else:
        pytest.skip("THIS SERVER TAKES ANY PASSWORD: nothing was tested")
    finally:
        wrong.close()


def test_text_that_cannot_be_encoded_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="surrogate"):
        store.users.create(username="ayşe", password_hash="\ud800", roles=[])


def test_empty_store_is_empty_until_a_document_comes(library: Library) -> None:
    assert library.store.is_empty()
    library.queue()
    assert not library.store.is_empty()


def test_closed_store_connects_again(store: Store) -> None:
    store.close()
    store.ping()


def test_forked_child_leaves_the_connections_alone(store: Store) -> None:
    store.ping()
    child = os.fork()
    if child == 0:
        try:
            store.ping()
            store.close()
        except BaseException:  # noqa: BLE001 - the edge of the child, which must not run pytest
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.ping()


def test_session_settings_reach_the_server(engine: Engine) -> None:
    names = ("hnsw.iterative_scan", "plan_cache_mode", "jit", "TimeZone")
    with engine.connect() as connection:
        shown = [connection.scalar(text(f"SHOW {name}")) for name in names]
    assert shown == ["relaxed_order", "force_custom_plan", "off", "UTC"]
