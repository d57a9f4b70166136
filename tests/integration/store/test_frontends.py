"""Whom a front end's key or an issuer may speak for, and what that opens."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from docrag.access.assertion import Assertion
from docrag.api import AccessDenied
from docrag.store import Store
from docrag.store.records import Principal

from .test_key_kinds import HASH, door, opened, people

__all__ = ["people"]


def person(name: str = "ayşe", **changes: Any) -> Assertion:  # noqa: ANN401 - of an assertion
    """Somebody linked at the issuer of the groups by their name."""
    values = {"issuer": "open-webui", "subject": name, "email": None, "groups": ()}
    return Assertion(**{**values, **changes})


def acting(store: Store, principal: Principal, name: str, **changes: Any) -> Principal:  # noqa: ANN401
    said = person(name, **changes)
    # Without an issuer nobody is linked, and the mail address tells who is meant.
    if said.issuer:
        store.users.link(name, said.issuer, name)
    else:
        store.users.set_email(name, "kisi@example.org")
        said = replace(said, email="kisi@example.org")
    return store.keys.acting(principal, said)


def test_frontend_acts_for_a_user(people: Store) -> None:
    principal = acting(people, door(people), "ayşe")
    assert (principal.kind, principal.frontend) == ("frontend", "kapı")
    assert principal.user.username == "ayşe" and principal.access.roles == {"ik"}


@pytest.mark.parametrize(
    ("groups", "issuer", "seen"),
    [
        (["g-1"], "open-webui", {"ik", "üretim"}),
        (["g-1", "yok", "", "a\x00", "\ud800"], "open-webui", {"ik", "üretim"}),
        (["G-1"], "open-webui", {"ik"}),
        (["g-1"], "başka", {"ik"}),
        (["g-1"], "", {"ik"}),
        (["admin"], "open-webui", {"ik"}),
    ],
)
def test_groups_give_mapped_roles(
    people: Store, groups: list[str], issuer: str, seen: set[str]
) -> None:
    principal = acting(people, door(people), "ayşe", groups=tuple(groups), issuer=issuer)
    assert principal.access.roles == seen


def test_retired_role_of_a_group_is_left_out(people: Store) -> None:
    people.roles.retire("üretim")
    principal = acting(people, door(people), "ayşe", groups=("g-1",))
    assert principal.access.roles == {"ik"}


def test_group_never_gives_admin(people: Store, engine: Engine) -> None:
    """Not even when the check of the table is gone."""
    with engine.begin() as connection:
        connection.execute(
            text("ALTER TABLE group_roles DROP CONSTRAINT ck_group_roles_never_admin")
        )
        connection.execute(text("INSERT INTO group_roles VALUES ('open-webui', 'g-1', 'admin')"))
    principal = acting(people, door(people), "ayşe", groups=("g-1",))
    assert principal.access.roles == {"ik", "üretim"}


def test_local_admin_stays_admin_behind_a_frontend(people: Store) -> None:
    assert acting(people, door(people), "yönetici").access.is_admin


def test_bound_of_a_frontend_holds_for_everybody(people: Store) -> None:
    principal = door(people, roles=["ik", "bilgi"])
    assert acting(people, principal, "ayşe").access.roles == {"ik"}
    assert acting(people, principal, "yönetici").access.roles == {"ik", "bilgi"}


def test_inactive_user_and_nobody_look_the_same(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    people.users.deactivate("ayşe")
    principal = door(people)
    with pytest.raises(AccessDenied) as inactive:
        people.keys.acting(principal, person("ayşe"))
    with pytest.raises(AccessDenied) as nobody:
        people.keys.acting(principal, person("yok"))
    assert str(inactive.value).replace("ayşe", "yok") == str(nobody.value)


def test_linked_identity_goes_before_a_mail_address(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "k-1")
    people.users.set_email("yönetici", "y@example.org")
    said = person("k-1", email="Y@example.org")
    assert people.keys.acting(door(people), said).user.username == "ayşe"


def test_address_does_not_stand_in_for_an_inactive_link(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "k-1")
    people.users.set_email("yönetici", "y@example.org")
    people.users.deactivate("ayşe")
    with pytest.raises(AccessDenied, match="no account here"):
        people.keys.acting(door(people), person("k-1", email="y@example.org"))


@pytest.mark.parametrize("email", ["y@example.org", "Y@EXAMPLE.ORG"])
@pytest.mark.parametrize("subject", ["", "yok", "a\x00", "\ud800"])
def test_mail_address_tells_who_is_meant_without_a_link(
    people: Store, subject: str, email: str
) -> None:
    people.users.set_email("yönetici", "y@example.org")
    principal = people.keys.acting(door(people), person(subject, email=email))
    assert principal.user.username == "yönetici"


@pytest.mark.parametrize("email", [None, "", "yönetici", "y\x00@example.org", "ı@example.org"])
def test_nobody_is_meant_without_a_name(people: Store, email: str | None) -> None:
    """Users without a mail address are not those of "no address"."""
    with pytest.raises(AccessDenied, match="no account here"):
        people.keys.acting(door(people), person("", email=email))


def test_link_holds_for_its_issuer_only(people: Store) -> None:
    people.users.link("ayşe", "başka", "k-1")
    with pytest.raises(AccessDenied, match="no account here"):
        people.keys.acting(door(people), person("k-1"))


def test_frontend_of_an_inactive_owner_acts_for_nobody(people: Store) -> None:
    principal = door(people)
    people.users.deactivate("işletmen")
    with pytest.raises(AccessDenied, match="frontend"):
        acting(people, principal, "ayşe")


def test_retired_roles_of_a_user_are_left_out_behind_a_frontend(people: Store) -> None:
    people.roles.retire("ik")
    assert acting(people, door(people), "ayşe").access.roles == set()


def test_bound_outlives_its_roles(people: Store) -> None:
    """A front end whose roles were all retired opens nothing, rather than everything."""
    principal = door(people, roles=["bilgi"])
    people.roles.retire("bilgi")
    assert acting(people, principal, "ayşe", groups=("g-1",)).access.roles == set()


def test_each_takes_one_statement(people: Store, engine: Engine) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    principal, seen = door(people), list[str]()

    def note(*args: Any) -> None:  # noqa: ANN401 - what SQLAlchemy passes
        seen.append(args[2])

    event.listen(people.keys._sessions.engine, "before_cursor_execute", note)
    people.keys.acting(principal, person(groups=("g-1",)))
    people.keys.speaking(HASH, person(groups=("g-1",)))
    assert len(seen) == 2


def test_vouched_user_has_own_and_mapped_roles(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    principal = people.keys.vouched(person(groups=("g-1",)))
    assert (principal.kind, principal.key_id) == ("token", None)
    assert principal.access.roles == {"ik", "üretim"}


def test_vouched_admin_stays_admin(people: Store) -> None:
    people.users.link("yönetici", "open-webui", "yönetici")
    assert people.keys.vouched(person("yönetici")).access.is_admin


def test_inactive_user_is_not_vouched_for(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    people.users.deactivate("ayşe")
    with pytest.raises(AccessDenied, match="no account here"):
        people.keys.vouched(person())


@pytest.mark.parametrize("changes", [{}, {"kind": "service", "roles": ["ik"]}])
def test_only_a_frontend_acts_for_others(people: Store, changes: dict[str, Any]) -> None:
    with pytest.raises(AccessDenied, match="frontend"):
        acting(people, opened(people, **changes), "ayşe")


def test_revoked_frontend_acts_for_nobody(people: Store) -> None:
    principal = door(people)
    assert principal.key_id is not None
    people.keys.revoke(principal.key_id)
    with pytest.raises(AccessDenied):
        acting(people, principal, "ayşe")


def test_acting_reads_the_roles_of_this_moment(people: Store) -> None:
    people.users.set_roles("ayşe", ["bilgi"])
    assert acting(people, door(people), "ayşe").access.roles == {"bilgi"}


def spoken(store: Store, **changes: Any) -> tuple[Principal | None, Principal | None]:  # noqa: ANN401
    """The caller with the key and the user whom the key's holder names."""
    return store.keys.speaking(HASH, person(**changes)) or (None, None)


@pytest.mark.parametrize("roles", [[], ["ik"], ["üretim"]])
@pytest.mark.parametrize("name", ["ayşe", "yönetici", "işletmen"])
def test_speaking_tells_what_look_up_and_acting_tell(
    people: Store, name: str, roles: list[str]
) -> None:
    people.users.link(name, "open-webui", name)
    said = person(name, groups=("g-1",))
    key = door(people, roles=roles)
    assert people.keys.speaking(HASH, said) == (key, people.keys.acting(key, said))


@pytest.mark.parametrize(
    "changes", [{}, {"roles": ["ik"]}, {"kind": "service", "roles": ["ik"]}], ids=str
)
def test_other_keys_speak_for_nobody(people: Store, changes: dict[str, Any]) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    key = opened(people, **changes)
    assert spoken(people, groups=("g-1",)) == (key, None)


@pytest.mark.parametrize("name", ["yok", "ayşe"])
def test_front_end_speaks_for_no_stranger_and_nobody_inactive(people: Store, name: str) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    people.users.deactivate("ayşe")
    key = door(people)
    assert spoken(people, name=name) == (key, None)


def test_nobody_speaks_with_a_revoked_key(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    key = door(people)
    assert key.key_id is not None
    people.keys.revoke(key.key_id)
    assert people.keys.speaking(HASH, person()) is None


def test_nobody_speaks_with_the_key_of_an_inactive_owner(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    door(people)
    people.users.deactivate("işletmen")
    assert people.keys.speaking(HASH, person()) is None


def test_group_never_gives_admin_to_who_is_spoken_for(people: Store, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            text("ALTER TABLE group_roles DROP CONSTRAINT ck_group_roles_never_admin")
        )
        connection.execute(text("INSERT INTO group_roles VALUES ('open-webui', 'g-1', 'admin')"))
    people.users.link("ayşe", "open-webui", "ayşe")
    door(people)
    _, named = spoken(people, groups=("g-1",))
    assert named is not None and named.access.roles == {"ik", "üretim"}


def test_use_is_noted_of_a_key_that_speaks(people: Store) -> None:
    door(people)
    spoken(people)
    (key,) = people.keys.list()
    assert key.last_used_at is not None


def test_citations_are_those_of_the_front_end(people: Store) -> None:
    """The person's own keys are for the person's own programs."""
    own = hashlib.sha256(b"own").digest()
    people.keys.create(
        username="ayşe", name="öz", key_hash=own, prefix="dk-own", citations="events"
    )
    principal = door(people, citations="footer")
    assert acting(people, principal, "ayşe").citations == "footer"
    spoken = people.keys.speaking(HASH, person("ayşe"))
    assert spoken is not None and spoken[1] is not None
    assert (spoken[0].citations, spoken[1].citations) == ("footer", "footer")


def test_person_of_an_issuer_has_automatic_citations(people: Store) -> None:
    people.users.link("ayşe", "open-webui", "ayşe")
    assert people.keys.vouched(person("ayşe")).citations == "auto"
