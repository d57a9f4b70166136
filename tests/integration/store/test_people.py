"""Users, roles and keys."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, text

from docrag.api import LastAdmin, NameTaken, StoreError, UnknownName
from docrag.store import Store
from docrag.store.records import ApiKey, Role, User

HASH = hashlib.sha256(b"anahtar").digest()


@pytest.fixture
def user(store: Store) -> User:
    """An active user with two roles."""
    for role in ("ik", "bilgi"):
        store.roles.create(role)
    return store.users.create(username="ayşe", password_hash="özet", roles=["ik", "bilgi"])


def make_key(store: Store, expires_at: datetime | None = None) -> ApiKey:
    return store.keys.create(
        username="ayşe", name="not", key_hash=HASH, prefix="dr-abc", expires_at=expires_at
    )


def test_user_has_sorted_roles(store: Store, user: User) -> None:
    assert (user.username, user.roles, user.active) == ("ayşe", ("bilgi", "ik"), True)
    assert store.users.get("ayşe") == user
    assert store.users.list() == [user]


def test_decomposed_user_name_is_the_composed_one(store: Store, user: User) -> None:
    with pytest.raises(NameTaken):
        store.users.create(username="ays\u0327e", password_hash="özet", roles=[])


@pytest.mark.parametrize("name", ["", "a b", "a\x00", "a" * 129, "\ud800", "a\n", "a\u2028b"])
def test_odd_user_names_are_refused(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="cannot name a user"):
        store.users.create(username=name, password_hash="özet", roles=[])


@pytest.mark.parametrize("name", ["ayse", "AYŞE", "", "a\x00", "' OR '1'='1"])
def test_unknown_user_is_not_found(store: Store, user: User, name: str) -> None:
    with pytest.raises(UnknownName, match="user"):
        store.users.get(name)
    assert store.users.password_hash(name) is None


def test_user_of_an_unknown_role_is_not_made(store: Store) -> None:
    with pytest.raises(UnknownName, match="yok"):
        store.users.create(username="ayşe", password_hash="özet", roles=["yok"])
    assert store.users.list() == []


def test_empty_password_hash_is_refused(store: Store, user: User) -> None:
    with pytest.raises(StoreError, match="empty"):
        store.users.set_password("ayşe", "")


def test_password_is_replaced(store: Store, user: User) -> None:
    store.users.set_password("ayşe", "yeni")
    assert store.users.password_hash("ayşe") == "yeni"


def test_inactive_user_has_no_password(store: Store, user: User) -> None:
    store.users.deactivate("ayşe")
    assert store.users.password_hash("ayşe") is None
    assert not store.users.get("ayşe").active


def test_roles_of_a_user_are_replaced(store: Store, user: User) -> None:
    assert store.users.set_roles("ayşe", ["ik"]).roles == ("ik",)


def test_key_opens_what_its_user_may(store: Store, user: User) -> None:
    key = make_key(store)
    principal = store.keys.principal(HASH)
    assert principal is not None
    assert (principal.user, principal.key_id) == (user, key.id)
    assert principal.access.roles == {"ik", "bilgi"}


def test_roles_of_a_key_are_those_of_this_moment(store: Store, user: User) -> None:
    make_key(store)
    store.users.set_roles("ayşe", ["ik"])
    store.roles.rename("ik", "insan")
    principal = store.keys.principal(HASH)
    assert principal is not None and principal.access.roles == {"insan"}


def test_retired_role_is_left_out(store: Store, user: User) -> None:
    make_key(store)
    store.roles.retire("ik")
    principal = store.keys.principal(HASH)
    assert principal is not None and principal.access.roles == {"bilgi"}


@pytest.mark.parametrize("reason", ["unknown", "revoked", "expired", "inactive"])
def test_key_that_is_no_good_opens_nothing(store: Store, user: User, reason: str) -> None:
    past = datetime.now(UTC) - timedelta(seconds=1)
    key = make_key(store, past if reason == "expired" else None)
    if reason == "revoked":
        store.keys.revoke(key.id)
    if reason == "inactive":
        store.users.deactivate("ayşe")
    asked = b"x" * 32 if reason == "unknown" else HASH
    assert store.keys.principal(asked) is None


def test_key_works_until_it_expires(store: Store, user: User) -> None:
    make_key(store, datetime.now(UTC) + timedelta(minutes=1))
    assert store.keys.principal(HASH) is not None


def test_use_of_a_key_is_written_once_a_minute(store: Store, user: User, engine: Engine) -> None:
    make_key(store)
    store.keys.principal(HASH)
    (first,) = store.keys.list("ayşe")
    store.keys.principal(HASH)
    (second,) = store.keys.list("ayşe")
    assert first.last_used_at == second.last_used_at is not None
    with engine.begin() as connection:
        connection.execute(text("UPDATE api_keys SET last_used_at = now() - interval '2 min'"))
    store.keys.principal(HASH)
    assert store.keys.list()[0].last_used_at != first.last_used_at


def test_same_key_again_is_refused(store: Store, user: User) -> None:
    make_key(store)
    with pytest.raises(NameTaken):
        make_key(store)


def test_revoked_key_is_not_listed(store: Store, user: User) -> None:
    key = make_key(store)
    assert store.keys.list() == store.keys.list("ayşe") == [key]
    store.keys.revoke(key.id)
    assert store.keys.list() == []


def test_revoking_an_unknown_key_says_so(store: Store) -> None:
    with pytest.raises(UnknownName, match="key"):
        store.keys.revoke(7)


def test_key_of_an_unknown_user_is_not_made(store: Store) -> None:
    with pytest.raises(UnknownName):
        make_key(store)


def test_short_key_hash_is_refused(store: Store, user: User) -> None:
    with pytest.raises(StoreError, match="ck_api_keys_key_hash_length"):
        store.keys.create(username="ayşe", name="n", key_hash=b"x", prefix="p")


def test_roles_begin_with_admin(store: Store) -> None:
    assert store.roles.list() == [Role(name="admin", retired=False)]


def test_role_is_made_once(store: Store) -> None:
    assert store.roles.create("öğretmen") == Role(name="öğretmen", retired=False)
    with pytest.raises(NameTaken):
        store.roles.create("o\u0308g\u0306retmen")


@pytest.mark.parametrize("name", ["", "a,b", "a b", "a'b", 'a"b', "a\x00", "{a}", "a" * 65, "🙂"])
def test_odd_role_names_are_refused(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="cannot name a role"):
        store.roles.create(name)


def test_retired_role_is_told(store: Store) -> None:
    store.roles.create("eski")
    store.roles.retire("eski")
    assert store.roles.list()[1] == Role(name="eski", retired=True)


def test_role_cannot_take_the_name_of_another(store: Store) -> None:
    store.roles.create("ik")
    store.roles.create("bilgi")
    with pytest.raises(NameTaken):
        store.roles.rename("ik", "bilgi")


def test_unknown_role_is_not_renamed(store: Store) -> None:
    with pytest.raises(UnknownName, match="admin"):
        store.roles.rename("yok", "var")


def test_admin_is_neither_renamed_nor_retired(store: Store) -> None:
    with pytest.raises(StoreError, match="admin"):
        store.roles.rename("admin", "root")
    with pytest.raises(StoreError, match="admin"):
        store.roles.retire("admin")


def make_admin(store: Store, name: str) -> None:
    store.users.create(username=name, password_hash="özet", roles=["admin"])


@pytest.mark.parametrize("act", ["deactivate", "set_roles"])
def test_last_administrator_stays_one(store: Store, user: User, act: str) -> None:
    make_admin(store, "yönetici")
    make_admin(store, "izinli")
    store.users.deactivate("izinli")
    with pytest.raises(LastAdmin, match="'yönetici' is the last active administrator"):
        store.users.deactivate("yönetici") if act == "deactivate" else store.users.set_roles(
            "yönetici", ["ik"]
        )
    found = store.users.get("yönetici")
    assert (found.roles, found.active) == (("admin",), True)


def test_one_of_two_administrators_may_go(store: Store, user: User) -> None:
    make_admin(store, "yönetici")
    make_admin(store, "ikinci")
    store.users.deactivate("yönetici")
    assert not store.users.get("yönetici").active
    store.users.set_roles("ikinci", ["admin", "ik"])


def test_two_administrators_cannot_shut_each_other_out(store: Store) -> None:
    names = ["bir", "iki"]
    for name in names:
        make_admin(store, name)
    with ThreadPoolExecutor(2) as pool:
        ended = [pool.submit(store.users.deactivate, name) for name in names]
    assert sum(isinstance(future.exception(), LastAdmin) for future in ended) == 1
    assert sum(user.active for user in store.users.list()) == 1
