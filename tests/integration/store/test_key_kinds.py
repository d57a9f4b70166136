"""What keys of each kind open, and for whom."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from sqlalchemy import Engine, text

from docrag.api import StoreError, UnknownName
from docrag.store import Store
from docrag.store.keys import CITATIONS
from docrag.store.records import Principal

HASH = hashlib.sha256(b"anahtar").digest()


@pytest.fixture
def people(store: Store) -> Store:
    """Two people and an administrator, roles, and a mapped group."""
    for role in ("bilgi", "ik", "üretim"):
        store.roles.create(role)
    for name, roles in {"ayşe": ["ik"], "işletmen": [], "yönetici": ["admin", "ik"]}.items():
        store.users.create(name, password_hash="özet", roles=roles)
    store.groups.set("open-webui", "g-1", ["üretim", "ik"])
    return store


def opened(store: Store, **changes: Any) -> Principal:  # noqa: ANN401 - the values of create
    values = {"username": "işletmen", "name": "kapı", "key_hash": HASH, "prefix": "dk-abc"}
    store.keys.create(**values | changes)
    principal = store.keys.principal(HASH)
    assert principal is not None
    return principal


def door(store: Store, **changes: Any) -> Principal:  # noqa: ANN401 - the values of create
    return opened(store, kind="frontend", method="jwt", **changes)


@pytest.mark.parametrize(
    ("own", "narrowed", "seen"),
    [
        (["ik", "bilgi"], ["ik"], {"ik"}),
        (["ik", "bilgi"], [], {"ik", "bilgi"}),
        (["ik"], ["bilgi"], set()),
        (["admin"], ["ik"], {"ik"}),
        (["admin", "bilgi"], ["ik"], {"ik"}),
        (["admin"], ["admin"], {"admin"}),
        (["ik"], ["admin", "ik"], {"ik"}),
    ],
)
def test_key_of_a_user_is_narrowed(
    people: Store, own: list[str], narrowed: list[str], seen: set[str]
) -> None:
    people.users.set_roles("ayşe", own)
    principal = opened(people, username="ayşe", roles=narrowed)
    assert principal.kind == "user" and principal.access.roles == seen


def test_narrowing_outlives_its_roles(people: Store) -> None:
    """A key whose roles were all retired opens nothing, rather than all of the user's."""
    opened(people, username="ayşe", roles=["bilgi"])
    people.roles.retire("bilgi")
    principal = people.keys.principal(HASH)
    assert principal is not None and principal.access.roles == set()


def test_narrowing_follows_a_renamed_role(people: Store) -> None:
    opened(people, username="ayşe", roles=["ik"])
    people.roles.rename("ik", "insan")
    principal = people.keys.principal(HASH)
    assert principal is not None and principal.access.roles == {"insan"}


def test_service_has_its_own_roles(people: Store) -> None:
    principal = opened(people, username="ayşe", kind="service", roles=["bilgi"])
    assert (principal.kind, principal.user.username) == ("service", "ayşe")
    assert principal.access.roles == {"bilgi"}


def test_frontend_opens_nothing_by_itself(people: Store) -> None:
    principal = door(people, username="yönetici")
    assert (principal.kind, principal.frontend, principal.method) == ("frontend", None, "jwt")
    assert principal.access.roles == set()


def test_key_is_listed_with_kind_and_roles(people: Store) -> None:
    door(people, roles=["üretim", "ik"])
    (key,) = people.keys.list()
    assert (key.kind, key.method, key.roles) == ("frontend", "jwt", ("ik", "üretim"))


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "root"},
        {"kind": "frontend"},
        {"kind": "frontend", "method": "cookie"},
        {"method": "jwt"},
        {"kind": "service"},
        {"kind": "service", "method": "jwt", "roles": ["ik"]},
    ],
)
def test_key_that_contradicts_itself_is_refused(people: Store, changes: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        opened(people, **changes)
    assert people.keys.list() == []


def test_key_of_an_unknown_role_is_not_made(people: Store) -> None:
    with pytest.raises(UnknownName, match="yok"):
        opened(people, roles=["yok"])


@pytest.mark.parametrize(
    "change", ["method = 'jwt'", "kind = 'frontend'", "kind = 'frontend', method = 'fax'"]
)
def test_database_keeps_kind_and_method_together(
    people: Store, engine: Engine, change: str
) -> None:
    opened(people)
    with pytest.raises(Exception, match="ck_api_keys_method"), engine.begin() as connection:
        connection.execute(text(f"UPDATE api_keys SET {change}"))


def test_signed_in_user_has_the_roles_of_this_moment(people: Store) -> None:
    people.users.set_roles("ayşe", ["bilgi"])
    principal = people.keys.as_user("ayşe")
    assert principal is not None and principal.access.roles == {"bilgi"}
    assert (principal.kind, principal.key_id) == ("session", None)


@pytest.mark.parametrize("name", ["yok", "AYŞE", "", "a\x00", "\ud800"])
def test_unknown_user_is_not_signed_in(people: Store, name: str) -> None:
    assert people.keys.as_user(name) is None


def test_inactive_user_is_not_signed_in_until_active_again(people: Store) -> None:
    people.users.deactivate("ayşe")
    assert people.keys.as_user("ayşe") is None
    people.users.activate("ayşe")
    assert people.keys.as_user("ayşe") is not None


@pytest.mark.parametrize("citations", CITATIONS)
@pytest.mark.parametrize(
    "kind", [{}, {"kind": "service", "roles": ["ik"]}, {"kind": "frontend", "method": "jwt"}]
)
def test_key_tells_how_to_show_citations(
    people: Store, kind: dict[str, Any], citations: str
) -> None:
    assert opened(people, **kind, citations=citations).citations == citations
    assert [key.citations for key in people.keys.list()] == [citations]


def test_citations_are_automatic_unless_said(people: Store) -> None:
    signed_in = people.keys.as_user("ayşe")
    assert signed_in is not None and signed_in.citations == "auto"
    assert opened(people).citations == "auto"


def test_citations_of_a_key_change_at_once(people: Store) -> None:
    opened(people)
    (key,) = people.keys.list()
    people.keys.set_citations(key.id, "footer")
    principal = people.keys.principal(HASH)
    assert principal is not None and principal.citations == "footer"


def test_citations_of_other_keys_stay(people: Store) -> None:
    opened(people)
    other = people.keys.create(
        username="ayşe", name="öbür", key_hash=hashlib.sha256(b"2").digest(), prefix="dk-def"
    )
    people.keys.set_citations(other.id, "events")
    principal = people.keys.principal(HASH)
    assert principal is not None and principal.citations == "auto"


@pytest.mark.parametrize("citations", ["", "links", "Auto", "a\x00"])
def test_unknown_citations_are_refused(people: Store, citations: str) -> None:
    with pytest.raises(StoreError, match="there are auto, footer, events"):
        opened(people, citations=citations)
    opened(people)
    with pytest.raises(StoreError, match="there are auto, footer, events"):
        people.keys.set_citations(people.keys.list()[0].id, citations)


def test_citations_of_no_key_cannot_change(people: Store) -> None:
    opened(people)
    (key,) = people.keys.list()
    people.keys.revoke(key.id)
    for number in (key.id, 99_999):
        with pytest.raises(UnknownName):
            people.keys.set_citations(number, "footer")


def test_database_knows_the_citations(people: Store, engine: Engine) -> None:
    opened(people)
    with pytest.raises(Exception, match="ck_api_keys_citations"), engine.begin() as connection:
        connection.execute(text("UPDATE api_keys SET citations = 'links'"))
