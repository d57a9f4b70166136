"""One reader of credentials: what is right opens its roles, what is wrong opens nothing."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from docrag.access import tokens
from docrag.access.keys import new_key
from tests.integration.identity.world import SECRET, World, bearer, code, openwebui

#: Routes of each kind that need a credential.
ROUTES = [
    ("GET", "/v1/models"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/api/documents"),
    ("GET", "/api/keys"),
    ("POST", "/api/users"),
]


def token(world: World, **more: Any) -> str:  # noqa: ANN401 - claims
    """A token of ayşe as docrag signs it, some claims replaced."""
    right: Any = world.token().json
    claims = jwt.decode(right["access_token"], options={"verify_signature": False})
    given = {key: value for key, value in {**claims, **more}.items() if value is not None}
    return jwt.encode(given, tokens._key("a secret of this installation"), algorithm="HS256")


def unsigned(world: World) -> str:
    """The right claims under ``alg: none``."""
    claims = jwt.decode(token(world), options={"verify_signature": False})
    return jwt.encode(claims, "", algorithm="none")


def test_key_opens_the_roles_of_its_user(world: World) -> None:
    for name, roles in {"ayşe": {"isg"}, "ışık": {"ik"}, "rolsüz": set()}.items():
        assert world.reads(world.key(name)) == roles
        assert world.answers(world.key(name)) == roles
    assert world.reads(world.key("yönetici")) == {"isg", "ik"}


def test_narrowed_key_opens_less(changing: World) -> None:
    changing.assistant.store.users.set_roles("ayşe", ["isg", "ik"])
    assert changing.reads(changing.key("ayşe", roles=["ik"])) == {"ik"}
    changing.assistant.store.users.set_roles("ayşe", ["isg"])
    assert changing.reads(changing.key("ayşe", roles=["ik"])) == set()


def test_service_key_opens_its_own_roles(world: World) -> None:
    headers = world.key("yönetici", kind="service", roles=["ik"])
    assert world.reads(headers) == {"ik"}
    assert world.answers({**headers, "X-OpenWebUI-User-Email": "ayse@example.org"}) == {"ik"}


def test_token_opens_the_roles_of_its_user(world: World) -> None:
    given: Any = world.token().json
    assert (given["token_type"], given["expires_in"]) == ("Bearer", 900)
    assert world.reads(bearer(given["access_token"])) == {"isg"}
    assert world.answers(bearer(given["access_token"])) == {"isg"}


@pytest.mark.parametrize(
    "make",
    [
        lambda world: "dk-" + "x" * 43,
        lambda world: "dk-",
        lambda world: world.key()["Authorization"][7:-1],
        lambda world: world.key()["Authorization"][7:] + "x",
        lambda world: world.key()["Authorization"][7:].replace("dk-", ""),
        lambda world: token(world, exp=int(time.time()) - 60),
        lambda world: token(world, exp=None),
        lambda world: token(world, iss="open-webui"),
        lambda world: token(world, aud="başka"),
        lambda world: token(world, aud=None),
        lambda world: token(world, sub="yok"),
        lambda world: token(world, stamp="0" * 16),
        lambda world: token(world, stamp=None),
        lambda world: token(world)[:-5],
        lambda world: token(world)[:60],
        lambda world: token(world) + "x",
        lambda world: unsigned(world),
        lambda world: openwebui(),
        lambda world: world.issuer.sign(claims={"aud": "başka"}),
        lambda world: world.issuer.sign(claims={"exp": int(time.time()) - 60}),
        lambda world: world.issuer.sign(claims={"iss": "https://other.example"}),
        lambda world: world.issuer.sign(algorithm="PS256"),
        lambda world: world.issuer.sign(kid="yok"),
        lambda world: "a.b.c",
        lambda world: "{{API_KEY}}",
        lambda world: "ş" * 40,
        lambda world: "x" * 1_000_000,
        lambda world: "dk-" + "x" * 1_000_000,
        lambda world: "a." + "x" * 1_000_000 + ".c",
        lambda world: "' OR 1=1 --",
    ],
)  # fmt: skip
def test_wrong_credential_opens_nothing(world: World, make: Any) -> None:  # noqa: ANN401 - a lambda
    credential = make(world).encode().decode("latin-1")
    for method, path in ROUTES:
        response = world.client.open(path, method=method, headers=bearer(credential), json={})
        assert (response.status_code, code(response)) == (401, "invalid_api_key")
        assert "token is wrong, expired or revoked" in response.text


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", "Basic eDp5", "Token dk-x", "{key}, {key}", "{key},{key}"],
)
def test_missing_or_repeated_header_opens_nothing(world: World, header: str | None) -> None:
    key = world.key()["Authorization"]
    headers = {} if header is None else {"Authorization": header.format(key=key)}
    for method, path in ROUTES:
        response = world.client.open(path, method=method, headers=headers, json={})
        assert (response.status_code, code(response)) == (401, "invalid_api_key")


def test_two_authorization_headers_open_nothing(world: World) -> None:
    pair = [("Authorization", world.key()["Authorization"]) for _ in range(2)]
    assert world.client.get("/v1/models", headers=pair).status_code == 401


@pytest.mark.parametrize("name", ["X-Api-Key", "Api-Key", "Cookie", "X-Authorization"])
def test_other_headers_are_no_credential(world: World, name: str) -> None:
    key = world.key()["Authorization"]
    for value in (key, key[7:], f"session={key[7:]}"):
        assert world.client.get("/v1/models", headers={name: value}).status_code == 401
    assert world.client.get(f"/v1/models?api_key={key[7:]}").status_code == 401


def test_revoked_and_expired_keys_open_nothing(changing: World) -> None:
    revoked = changing.key("ayşe")
    (stored,) = changing.assistant.store.keys.list("ayşe")
    changing.assistant.store.keys.revoke(stored.id)
    expired = changing.key("ayşe", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    for headers in (revoked, expired):
        assert changing.client.get("/api/documents", headers=headers).status_code == 401


def test_roles_are_read_at_each_request(changing: World) -> None:
    given: Any = changing.token().json
    credentials = [bearer(given["access_token"]), changing.key("ayşe")]
    store = changing.assistant.store
    for roles in ((), ("isg", "ik"), ("ik",)):
        store.users.set_roles("ayşe", roles)
        assert [changing.reads(who) for who in credentials] == [set(roles)] * 2
    store.roles.retire("ik")
    assert [changing.reads(who) for who in credentials] == [set()] * 2
    store.users.deactivate("ayşe")
    for who in credentials:
        assert changing.client.get("/api/documents", headers=who).status_code == 401


def test_new_password_ends_tokens_and_leaves_keys(changing: World) -> None:
    given: Any = changing.token().json
    key = changing.key("ayşe")
    admin = changing.key("yönetici")
    path = "/api/users/ayşe"
    response = changing.client.patch(path, json={"password": "yepyeni parola"}, headers=admin)
    assert response.status_code == 200
    assert (
        changing.client.get("/v1/models", headers=bearer(given["access_token"])).status_code == 401
    )
    assert changing.reads(key) == {"isg"}


@pytest.mark.parametrize("user", ["yönetici", {"email": "admin@example.org", "role": "admin"}, 5])
def test_user_of_the_body_counts_for_nothing(world: World, user: object) -> None:
    headers = world.key("ayşe")
    response = world.chat(headers, "morzarf nedir?", user=user, role="admin", username="yönetici")
    assert response.status_code == 200
    assert "dolapta" not in response.text


@pytest.mark.parametrize(
    "more",
    [
        {"X-OpenWebUI-User-Email": "admin@example.org", "X-OpenWebUI-User-Role": "admin"},
        {"X-OpenWebUI-User-Jwt": openwebui("admin@example.org")},
        {"X-OpenWebUI-User-Id": "{{USER_ID}}", "X-Forwarded-User": "yönetici"},
        {"X-Docrag-User-Token": "a.b.c", "Remote-User": "yönetici", "X-Remote-User": "yönetici"},
    ],
)
def test_user_key_ignores_identity_headers(world: World, more: dict[str, str]) -> None:
    assert world.reads({**world.key("ayşe"), **more}) == {"isg"}


def test_access_token_of_the_issuer_is_a_credential(world: World) -> None:
    assert world.reads(bearer(world.issuer.sign())) == {"isg"}
    assert world.answers(bearer(world.issuer.sign())) == {"isg"}


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "yok@example.org"},
        {"email_verified": False},
        {"email": None},
        {"email": "admin@example.org,ayse@example.org"},
    ],
)
def test_unknown_person_of_the_issuer_is_told(world: World, claims: dict[str, object]) -> None:
    headers = bearer(world.issuer.sign(claims={"sub": "yeni", **claims}))
    response = world.client.get("/api/documents", headers=headers)
    assert (response.status_code, code(response)) == (403, "permission_denied")
    assert "no account here" in response.text


def test_linked_identity_goes_before_the_address(changing: World) -> None:
    changing.assistant.store.users.link("ışık", changing.issuer.url, "kimlik-1")
    assert changing.reads(bearer(changing.issuer.sign())) == {"ik"}


def test_groups_of_the_issuer_give_mapped_roles_and_never_admin(changing: World) -> None:
    store, url = changing.assistant.store, changing.issuer.url
    store.groups.set(url, "g-ik", ["ik"])
    store.groups.set("ldap", "g-isg", ["isg"])
    claims = {"email": "rolsuz@example.org", "groups": ["g-ik", "g-isg", "admin", "isg"]}
    headers = bearer(changing.issuer.sign(claims=claims))
    assert changing.reads(headers) == {"ik"}
    assert changing.client.get("/api/users", headers=headers).status_code == 403
    store.roles.retire("ik")
    assert changing.reads(headers) == set()


def test_absent_issuer_is_unavailable(changing: World) -> None:
    headers = bearer(changing.issuer.sign())
    changing.issuer.fault = "no_keys"
    response = changing.client.get("/api/documents", headers=headers)
    assert (response.status_code, code(response)) == (503, "service_unavailable")
    assert response.headers["Retry-After"]


def test_secret_of_the_front_end_opens_nothing(world: World) -> None:
    response = world.client.get("/v1/models", headers=bearer(SECRET))
    assert response.status_code == 401


def test_fresh_keys_never_collide_with_tokens() -> None:
    assert not any("." in new_key().secret for _ in range(100))
