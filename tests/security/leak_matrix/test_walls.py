"""The matrix with a wall taken away: it finds what leaks then, and either wall alone holds."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import click
import pytest

from docrag.answer.finding import Finder
from docrag.api import Access, AccessDenied, ScoredChunk
from docrag.assistant import Assistant
from docrag.store.keys import Keys
from docrag.store.permission import parameters
from docrag.store.records import Document, Principal
from docrag.web import documents
from tests.security.leak_matrix.plan import Change, Plan
from tests.security.leak_matrix.routes import ROUTES
from tests.security.leak_matrix.stage import Stage
from tests.security.leak_matrix.walk import Walk
from tests.security.leak_matrix.walls import opened_up, without_row_security, without_where
from tests.security.leak_matrix.world import BEFORE

#: Two readers, three documents, one of which changes hands and is then deleted.
PLAN = Plan(
    seed=6331,
    roles=3,
    people=(frozenset({0}), frozenset({1, 2})),
    documents=(frozenset({0}), frozenset({1}), frozenset({0, 2})),
    changes=(
        Change("document roles", 0, frozenset({1})),
        Change("delete document", 0, frozenset()),
    ),
)
#: Somebody loses the one role that opens anything.
DEMOTION = Plan(
    seed=4857,
    roles=2,
    people=(frozenset({0}), frozenset({1})),
    documents=(frozenset({0}), frozenset({0, 1}), frozenset({0})),
    changes=(Change("user roles", 0, frozenset({1})),),
)
#: A document gets a second version, with the same readers.
REVISION = Plan(
    seed=6331,
    roles=2,
    people=(frozenset({0}), frozenset({1})),
    documents=(frozenset({0}), frozenset({1}), frozenset({0})),
    changes=(Change("new version", 0, frozenset({0})),),
)
DOCUMENT, CHAT = "GET /api/documents/<document_id>", "POST /v1/chat/completions"
#: Routes that show documents, and those that count or list something.
SHOWING = {name for name, route in ROUTES.items() if route.shows or route.count}


@pytest.mark.slow
def test_matrix_finds_leaks_of_a_broken_filter(
    played: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    walk = Walk(played, only=SHOWING)
    with without_where(played) as replaced, without_row_security():
        walk.play(PLAN)
    with capsys.disabled():
        click.echo(f"\nfilter broken on purpose: {walk.tally.summary()}\n{walk.tally.caught()}")
        click.echo(f"first of them:\n{walk.tally.leaks[0]}")
    assert set(replaced) == {"postings", "embeddings", "documents"}
    caught = {leak.route for leak in walk.tally.leaks if leak.where in {"body", "stream"}}
    assert caught == {name for name, route in ROUTES.items() if route.shows}
    assert {leak.where for leak in walk.tally.leaks} >= {
        "body", "stream", "model", "count", "status", "difference"
    }  # fmt: skip
    chats = {leak.app for leak in walk.tally.leaks if "chat" in leak.route}
    assert chats == set(played.apps)


@pytest.mark.slow
def test_row_level_security_alone_holds(played: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    walk = Walk(played)
    with without_where(played) as replaced:
        walk.play(PLAN)
    with capsys.disabled():
        click.echo(f"\nwithout the WHERE clauses {dict(replaced)}: {walk.tally.summary()}")
    assert set(replaced) == {"postings", "embeddings", "documents"}
    assert [str(leak) for leak in walk.tally.leaks] == []


def test_filter_alone_holds(played: Stage) -> None:
    walk = Walk(played, only=SHOWING)
    with without_row_security():
        walk.play(PLAN)
    assert [str(leak) for leak in walk.tally.leaks] == []


def test_condition_is_opened_up() -> None:
    statement = (
        "SELECT (d.allowed_roles && CAST(%(roles)s AS text[])) FROM documents d "
        "WHERE documents.allowed_roles && CAST(%(a)s::TEXT[] AS TEXT[]) AND x"
    )
    assert opened_up(statement) == "SELECT (true) FROM documents d WHERE true AND x"


def tell_roles(document: Document, access: Access) -> dict[str, object]:
    """Show a document with roles that are not the reader's."""
    del access
    return SHOWN(document, Access.of(["admin"]))


def log_title(document: Document, access: Access) -> dict[str, object]:
    """Show a document, and write its title into the log."""
    logging.getLogger("docrag.web").info("shown: %s", document.title)
    return SHOWN(document, access)


def name_in_refusal(self: Assistant, document_id: str, *, access: Access) -> Document:
    """Refuse a hidden document by its name."""
    found = {doc.id: doc for doc in self.documents(access=Access.of(["admin"]))}
    if document_id in found and not access.roles & {"admin", *found[document_id].roles}:
        raise AccessDenied(f"{found[document_id].title} is not for you")
    return self.store.documents.get(document_id, access=access)


@cache
def remembered(store: object, key_hash: bytes) -> Principal | None:
    """Who calls, remembered for ever."""
    return PRINCIPAL(store, key_hash)  # type: ignore[arg-type] # the store's keys


def cached_search(self: Finder, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
    """Search once for everybody who asks the same."""
    if query not in CACHE:
        CACHE[query] = SEARCH(self, query, access=access, k=k)
    return CACHE[query]


SHOWN, PRINCIPAL, SEARCH = documents._shown, Keys.principal, Finder.search
CACHE: dict[str, list[ScoredChunk]] = {}


BROKEN = [
    ("docrag.web.documents._shown", tell_roles, DOCUMENT, "body count"),
    ("docrag.web.documents._shown", log_title, DOCUMENT, "log"),
    ("docrag.assistant.Assistant.document", name_in_refusal, DOCUMENT, "body difference"),
    ("docrag.store.keys.Keys.principal", remembered, CHAT, "body stream model audit"),
    ("docrag.answer.finding.Finder.search", cached_search, CHAT, "body stream model audit"),
]


def test_second_version_for_others_answers_nobody_else(played: Stage) -> None:
    """Who may not read it gets neither it nor, from its first day on, the first version."""
    closed = replace(REVISION, changes=(Change("new version", 0, frozenset({1})),))
    walk = Walk(played, only={CHAT})
    walk.play(closed)
    assert [str(leak) for leak in walk.tally.leaks] == []
    assert walk.tally.own[CHAT]


def test_matrix_finds_versions_that_are_not_in_force(played: Stage) -> None:
    """With every question answered as if it named a day before the second version."""

    def always(access: Access) -> dict[str, object]:
        return parameters(access) | {"day": BEFORE}

    walk = Walk(played, only={CHAT})
    with patch("docrag.store.chunks.permitted", always):
        walk.play(REVISION)
    assert {leak.where for leak in walk.tally.leaks} >= {"body", "stream", "model"}
    assert all("version" in str(leak) for leak in walk.tally.leaks)


@pytest.mark.parametrize(
    ("target", "broken", "route", "where"),
    BROKEN,
    ids=["roles told", "titles logged", "names refused", "keys remembered", "search cached"],
)
def test_matrix_finds(
    played: Stage, target: str, broken: Callable[..., object], route: str, where: str
) -> None:
    CACHE.clear()
    walk = Walk(played, only={route})
    with patch(target, broken):
        walk.play(DEMOTION)
    assert {leak.where for leak in walk.tally.leaks} >= set(where.split())
