"""Faces: everybody who may knock, what they bring, and what that opens in the model."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import jwt
from flask.sessions import SecureCookieSessionInterface

from docrag.access import tokens
from tests.security.leak_matrix.model import Person, marks_in
from tests.security.leak_matrix.stage import FRONTEND_SECRET, SECRET_KEY
from tests.security.leak_matrix.world import World, password_hash

Roles = frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Face:
    """Somebody at the door."""

    name: str
    headers: dict[str, str] = field(default_factory=dict)
    #: Who it is, where it is somebody known.
    person: Person | None = None
    #: Roles on ``/v1`` and ``/api``, and on pages; ``None`` where nobody is let in.
    api: Roles | None = None
    pages: Roles | None = None
    #: Named by a front end, so it manages nothing, whatever its roles are.
    is_named: bool = False
    #: Marks that stand in its headers, readable or within a token.
    said: frozenset[str] = frozenset()
    #: Tried on the API only.
    no_pages: bool = False
    #: Share of the managing and of the open routes that are tried in one state.
    share: float = 0.2

    def roles(self, area: str) -> Roles | None:
        """What is open in ``api`` or ``page``."""
        return self.pages if area == "page" else self.api


def everybody(world: World) -> Iterator[Face]:
    """Every user by key on the API and by session on pages, then others, some of them by lot."""
    people = world.model.people
    for number, person in enumerate(people):
        yield _user(world, person, f"user {number}")
    drawn = world.lot.choice(people[1:])
    others = list(_others(world, drawn, f"user {people.index(drawn)}"))
    yield from world.lot.sample(others, 3)
    cookie = {"Cookie": _cookie(world, people[0])}
    yield Face(name="administrator's cookie without a key", headers=cookie, no_pages=True)
    yield from world.lot.sample(list(_nobody(world, drawn)), 2)


def _user(world: World, person: Person, name: str) -> Face:
    roles = world.model.roles_of(person) if person.active else None
    return Face(
        name=f"{name} by key and session",
        headers={"Authorization": f"Bearer {person.key}", "Cookie": _cookie(world, person)},
        person=person,
        api=None if person.revoked else roles,
        pages=roles,
        share=0.5,
    )


def _others(world: World, person: Person, name: str) -> Iterator[Face]:
    """Further ways in which one user, a service or a front end's user comes."""
    model = world.model
    own = model.roles_of(person) if person.active else None
    grouped = None if own is None else own | model.names(model.group)
    fixed = model.names(world.fixed)
    lie = {"X-OpenWebUI-User-Email": model.people[0].email,
           "X-OpenWebUI-User-Group-Ids": model.group_id}  # fmt: skip
    named = {"X-OpenWebUI-User-Email": person.email.upper(),
             "X-OpenWebUI-User-Group-Ids": f"{model.group_id},yok"}  # fmt: skip
    if person.narrow:
        narrow = None if own is None else own & model.names(person.narrow)
        yield _bearer(f"{name} by narrowed key, as somebody else", person.narrow_key, narrow,
                      person, lie)  # fmt: skip
    yield _bearer(f"{name} by token", _token(person), own, person, lie)
    yield _bearer(f"{name} by front end", world.keys["headers"], grouped, person, named, True)
    bound = None if grouped is None else grouped & fixed
    yield _bearer(f"{name} by bounded front end", world.keys["bounded"], bound, person, named, True)
    signed = {"X-OpenWebUI-User-Jwt": _signed(person, FRONTEND_SECRET)}
    yield _bearer(f"{name} by signed front end", world.keys["jwt"], own, person, signed, True)
    token = _issued(world, person)
    yield _bearer(f"{name} by token of the provider", token, grouped, person, lie)
    forwarded = {"X-Docrag-User-Token": token}
    yield _bearer(
        f"{name} by forwarding front end", world.keys["oidc"], grouped, person, forwarded, True
    )
    yield _bearer("service", world.keys["service"], fixed, model.people[0])


def _nobody(world: World, person: Person) -> Iterator[Face]:
    """Those whom nothing is open to."""
    admin = world.model.people[0]
    yield Face(name="anonymous")
    yield Face(
        name="session cookie of another server", headers={"Cookie": _cookie(world, admin, b"x")}
    )
    yield _bearer("expired key", world.keys["expired"], None)
    yield _bearer("revoked key", world.keys["revoked"], None)
    yield _bearer("unknown key", "dk-" + "A" * 43, None)
    yield _bearer("front end that names nobody", world.keys["headers"], None)
    yield _bearer("front end that names a stranger", world.keys["headers"], None,
                  headers={"X-OpenWebUI-User-Email": "kimse@example.org"})  # fmt: skip
    plain = {"X-OpenWebUI-User-Email": admin.email}
    yield _bearer("signing front end that does not sign", world.keys["jwt"], None, headers=plain)
    forged = {"X-OpenWebUI-User-Jwt": _signed(admin, "another secret of thirty-two bytes")}
    yield _bearer("front end with a forged signature", world.keys["jwt"], None, headers=forged)
    others = {"aud": "another program"}
    yield _bearer("token for another program", _issued(world, admin, **others), None)
    wrong = {"X-Docrag-User-Token": _issued(world, admin, **others)}
    yield _bearer("front end with such a token", world.keys["oidc"], None, headers=wrong)
    unsigned = jwt.encode({"sub": admin.username, "iss": "docrag"}, "", algorithm="none")
    yield _bearer("unsigned token", unsigned, None)
    yield _bearer(f"{person.username} by forged token", _token(person, "x" * 40), None)


def _bearer(
    name: str,
    secret: str,
    roles: Roles | None,
    person: Person | None = None,
    headers: dict[str, str] | None = None,
    is_named: bool = False,
) -> Face:
    return Face(
        name=name,
        headers={"Authorization": f"Bearer {secret}", **(headers or {})},
        person=person,
        api=roles,
        is_named=is_named,
        said=frozenset(marks_in(person.email) if person else ()),
    )


def _token(person: Person, secret: str = SECRET_KEY) -> str:
    """A token as ``POST /auth/token`` gives it, without the slow check of the password."""
    stamp = tokens.stamp_of(password_hash(), secret=secret)
    said = tokens.Token(username=person.username, stamp=stamp)
    return tokens.mint(said, secret=secret, minutes=15)


def _signed(person: Person, secret: str) -> str:
    now = int(time.time())
    claims = {"iss": "open-webui", "sub": f"kimlik-{person.email}", "email": person.email,
              "role": "admin", "iat": now, "exp": now + 300}  # fmt: skip
    return jwt.encode(claims, secret, algorithm="HS256")


def _issued(world: World, person: Person, **more: str) -> str:
    """A token of the identity provider that names a person by address."""
    claims = {"sub": f"kimlik-{person.email}", "email": person.email,
              "groups": [world.model.group_id, "yok", "admin"], **more}  # fmt: skip
    return world.stage.issuer.sign(claims=claims)


def _cookie(world: World, person: Person, secret: bytes | None = None) -> str:
    """The cookie of somebody who has just signed in, as Flask signs it."""
    app = world.stage.app
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    if secret is not None:
        signer = cast(Any, signer)
        signer.secret_keys = [secret]
    said = {
        "_user_id": person.username,
        "_fresh": True,
        "since": int(time.time()),
        "csrf_token": "0" * 40,
        "stamp": tokens.stamp_of(password_hash(), secret=SECRET_KEY),
    }
    assert signer is not None
    return f"{app.config['SESSION_COOKIE_NAME']}={signer.dumps(said)}"
