"""Who people are elsewhere: mail addresses, identities and groups."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, text

from docrag.api import NameTaken, StoreError, UnknownName
from docrag.store import Store
from docrag.store.records import Group

ISSUER = "https://giriş.example"


@pytest.fixture
def people(store: Store) -> Store:
    """Two users, one with a mail address, and two roles."""
    for role in ("ik", "üretim"):
        store.roles.create(role)
    store.users.create("ayşe", password_hash="özet", roles=[], email="Ayse.ISIK@Sirket.example")
    store.users.create("ışıl", password_hash="özet", roles=[])
    return store


@pytest.mark.parametrize("asked", ["ayse.isik@sirket.example", "AYSE.ISIK@SIRKET.EXAMPLE"])
def test_user_is_found_by_mail_in_any_case(people: Store, asked: str) -> None:
    user = people.users.get_by_email(asked)
    assert (user.username, user.email) == ("ayşe", "ayse.isik@sirket.example")


@pytest.mark.parametrize(
    "asked",
    ["", "yok@x", "ayse.ısık@sirket.example", "AYSE.İSİK@sirket.example", "a\x00@x", "\ud800@x",
     "ayse.isi\u212a@sirket.example"],
)  # fmt: skip
def test_other_letters_are_another_mail(people: Store, asked: str) -> None:
    with pytest.raises(UnknownName, match="mail"):
        people.users.get_by_email(asked)


@pytest.mark.parametrize(
    "email", ["", "x", "@x", "a@", "a b@x", "ışıl@x", "a@b@c", "a" * 254 + "@x"]
)
def test_what_is_no_mail_address_is_refused(people: Store, email: str) -> None:
    with pytest.raises(StoreError, match="mail address"):
        people.users.set_email("ışıl", email)


def test_mail_of_another_is_refused(people: Store) -> None:
    with pytest.raises(NameTaken, match="mail"):
        people.users.set_email("ışıl", "AYSE.isik@sirket.example")
    with pytest.raises(NameTaken, match="mail"):
        people.users.create("yeni", password_hash="x", roles=[], email="ayse.isik@sirket.example")


def test_mail_is_taken_away(people: Store) -> None:
    assert people.users.set_email("ayşe", None).email is None


def test_identity_means_its_user(people: Store) -> None:
    people.users.link("ışıl", ISSUER, "Özne-1")
    people.users.link("ışıl", ISSUER, "Özne-1")
    assert people.users.get_by_identity(ISSUER, "Özne-1").username == "ışıl"


@pytest.mark.parametrize(
    ("issuer", "subject"),
    [(ISSUER, "özne-1"), (ISSUER + "/", "Özne-1"), ("", ""), (ISSUER, "a\x00"), ("\ud800", "x")],
)
def test_identity_is_compared_as_it_is(people: Store, issuer: str, subject: str) -> None:
    people.users.link("ışıl", ISSUER, "Özne-1")
    with pytest.raises(UnknownName, match="identity"):
        people.users.get_by_identity(issuer, subject)


def test_identity_of_another_is_refused(people: Store) -> None:
    people.users.link("ışıl", ISSUER, "1")
    with pytest.raises(NameTaken, match="identity"):
        people.users.link("ayşe", ISSUER, "1")


@pytest.mark.parametrize(("issuer", "subject"), [("", "1"), (ISSUER, ""), (ISSUER, "x" * 1025)])
def test_identity_that_cannot_be_kept_is_refused(people: Store, issuer: str, subject: str) -> None:
    with pytest.raises(StoreError, match="1 to"):
        people.users.link("ışıl", issuer, subject)


def test_groups_are_listed(people: Store) -> None:
    people.groups.set("ldap", "CN=İK", ["üretim"])
    people.groups.set(ISSUER, "g", ["üretim", "ik"])
    people.groups.set("ldap", "CN=İK", ["ik"])
    assert people.groups.list() == [
        Group(issuer=ISSUER, group_id="g", roles=("ik", "üretim")),
        Group(issuer="ldap", group_id="CN=İK", roles=("ik",)),
    ]


def test_group_follows_a_renamed_role(people: Store) -> None:
    people.groups.set("ldap", "g", ["ik"])
    people.roles.rename("ik", "insan")
    assert people.groups.list()[0].roles == ("insan",)


@pytest.mark.parametrize("roles", [[], ["admin"], ["admin", "ik"]])
def test_group_gives_neither_nothing_nor_admin(people: Store, roles: list[str]) -> None:
    with pytest.raises(StoreError):
        people.groups.set("ldap", "g", roles)
    assert people.groups.list() == []


def test_admin_of_a_group_is_refused_by_the_database(people: Store, engine: Engine) -> None:
    with pytest.raises(Exception, match="never_admin"), engine.begin() as connection:
        connection.execute(text("INSERT INTO group_roles VALUES ('ldap', 'g', 'admin')"))


def test_deleted_group_is_gone(people: Store) -> None:
    people.groups.set("ldap", "g", ["ik"])
    people.groups.delete("ldap", "g")
    assert people.groups.list() == []


@pytest.mark.parametrize("group", ["yok", "", "a\x00"])
def test_unknown_group_is_not_deleted(people: Store, group: str) -> None:
    with pytest.raises(UnknownName, match="group"):
        people.groups.delete("ldap", group)


def test_longest_names_fit_the_index(people: Store) -> None:
    people.users.link("ışıl", "ı" * 256, "ş" * 512)
    people.groups.set("ı" * 256, "ş" * 512, ["ik"])
    assert people.users.get_by_identity("ı" * 256, "ş" * 512).username == "ışıl"
