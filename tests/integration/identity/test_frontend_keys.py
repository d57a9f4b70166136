"""Front ends: a key that names a person by one method, and opens no more than theirs."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest

from tests.integration.identity.world import World, code, openwebui

JWT = "X-OpenWebUI-User-Jwt"
EMAIL = "X-OpenWebUI-User-Email"
USER_ID = "X-OpenWebUI-User-Id"
GROUPS = "X-OpenWebUI-User-Group-Ids"
TOKEN = "X-Docrag-User-Token"


def test_signed_token_opens_the_roles_of_the_person(world: World) -> None:
    key = world.frontend("jwt")
    for email, roles in {"ayse@example.org": {"isg"}, "Isik@Example.org": {"ik"}}.items():
        assert world.reads({**key, JWT: openwebui(email)}) == roles
        assert world.answers({**key, JWT: openwebui(email)}) == roles


def test_plain_headers_open_the_roles_of_the_person(world: World) -> None:
    key = world.frontend("headers")
    assert world.reads({**key, EMAIL: "ayse@example.org"}) == {"isg"}
    assert world.answers({**key, EMAIL: "isik@example.org", USER_ID: "yeni"}) == {"ik"}


def test_forwarded_token_opens_the_roles_of_the_person(world: World) -> None:
    key = world.frontend("oidc")
    assert world.reads({**key, TOKEN: world.issuer.sign()}) == {"isg"}
    assert world.answers({**key, TOKEN: f"Bearer {world.issuer.sign()}"}) == {"isg"}


def wrong(world: World) -> list[tuple[str, dict[str, str]]]:
    """Methods and headers that name nobody in the way that the key asks for."""
    now = int(time.time())
    signed, other = openwebui(), world.issuer.sign()
    unsigned = jwt.encode(jwt.decode(signed, options={"verify_signature": False}), "", "none")
    return [
        ("jwt", {}),
        ("jwt", {JWT: ""}),
        ("jwt", {JWT: "a.b.c"}),
        ("jwt", {JWT: signed[:-9]}),
        ("jwt", {JWT: unsigned}),
        ("jwt", {JWT: openwebui(secret="x" * 32)}),
        ("jwt", {JWT: openwebui(exp=now - 60)}),
        ("jwt", {JWT: openwebui(exp=now + 9999)}),
        ("jwt", {JWT: openwebui(exp=None)}),
        ("jwt", {JWT: openwebui(iss="docrag")}),
        ("jwt", {JWT: openwebui(role="pending")}),
        ("jwt", {JWT: f"{signed}, {signed}"}),
        ("jwt", {JWT: other}),
        ("jwt", {EMAIL: "ayse@example.org"}),
        ("jwt", {JWT: signed, EMAIL: "admin@example.org"}),
        ("jwt", {JWT: signed, "X-OpenWebUI-User-Role": "admin"}),
        ("jwt", {TOKEN: other}),
        ("jwt", {JWT: "x" * 1_000_000}),
        ("headers", {}),
        ("headers", {EMAIL: ""}),
        ("headers", {EMAIL: "{{USER_EMAIL}}"}),
        ("headers", {EMAIL: "{{LIBRECHAT_USER_EMAIL}}"}),
        ("headers", {EMAIL: "ayse@example.org, admin@example.org"}),
        ("headers", {EMAIL: "ayse@example.org", GROUPS: "{{USER_GROUP_IDS}}"}),
        ("headers", {USER_ID: "a,b"}),
        ("headers", {"X-OpenWebUI-User-Name": "ayşe".encode().decode("latin-1")}),
        ("headers", {JWT: signed}),
        ("headers", {JWT: signed, EMAIL: "ayse@example.org"}),
        ("headers", {EMAIL: "x" * 1_000_000}),
        ("oidc", {}),
        ("oidc", {TOKEN: "{{LIBRECHAT_OPENID_ACCESS_TOKEN}}"}),
        ("oidc", {TOKEN: "a.b.c"}),
        ("oidc", {TOKEN: signed}),
        ("oidc", {TOKEN: world.issuer.sign(claims={"aud": "başka"})}),
        ("oidc", {TOKEN: world.issuer.sign(claims={"exp": now - 60})}),
        ("oidc", {EMAIL: "ayse@example.org"}),
        ("oidc", {JWT: signed}),
    ]


def test_wrong_assertion_opens_nothing(world: World) -> None:
    keys = {method: world.frontend(method) for method in ("jwt", "headers", "oidc")}
    for method, headers in wrong(world):
        given = {**keys[method], **headers}
        for response in (
            world.chat(given, "turuncubaret nedir?"),
            world.chat(given, "turuncubaret nedir?", stream=True),
            world.client.get("/api/documents", headers=given),
        ):
            shown = {name: value[:60] for name, value in headers.items()}
            assert response.status_code == 403, (method, shown, response.text)
            assert code(response) == "bad_user_assertion", (method, shown)
            assert "dolapta" not in response.text


def test_two_headers_that_disagree_open_nothing(world: World) -> None:
    pair = [(EMAIL, "ayse@example.org"), (EMAIL, "admin@example.org")]
    headers = [*world.frontend("headers").items(), *pair]
    response = world.client.get("/api/documents", headers=headers)
    assert (response.status_code, code(response)) == (403, "bad_user_assertion")
    assert "more than once" in response.text


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("jwt", {JWT: "yok@example.org"}),
        ("jwt", {JWT: ""}),
        ("headers", {EMAIL: "yok@example.org"}),
        ("headers", {USER_ID: "' OR 1=1 --"}),
        ("headers", {USER_ID: "a\u00e7\u00b1"}),
    ],
)
def test_unknown_person_reads_nothing(world: World, method: str, headers: dict[str, str]) -> None:
    given = {
        name: openwebui(value or "yok", email=value or None) if name == JWT else value
        for name, value in headers.items()
    }
    for response in (
        world.chat({**world.frontend(method), **given}),
        world.client.get("/api/documents", headers={**world.frontend(method), **given}),
    ):
        assert (response.status_code, code(response)) == (403, "permission_denied")
        assert "an administrator must create one" in response.text


def test_inactive_person_looks_like_an_unknown_one(changing: World) -> None:
    changing.assistant.store.users.deactivate("ayşe")
    headers = changing.frontend("headers")
    texts = [
        changing.chat({**headers, EMAIL: email}).text.replace(email, "")
        for email in ("ayse@example.org", "yok@example.org")
    ]
    assert texts[0] == texts[1]
    assert "no account here" in texts[0]


def test_models_are_told_in_nobodys_name(world: World) -> None:
    for method in ("jwt", "headers", "oidc"):
        for more in ({}, {EMAIL: "yok@example.org"}, {JWT: "a.b.c"}):
            headers = {**world.frontend(method), **more}
            assert world.client.get("/v1/models", headers=headers).status_code == 200


def test_key_alone_reads_nothing(world: World) -> None:
    headers = world.frontend("jwt")
    for path in ("/api/documents", "/api/keys", "/api/roles", "/api/users", "/api/jobs/x"):
        assert world.client.get(path, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/keys"),
        ("GET", "/api/keys"),
        ("PATCH", "/api/keys/1"),
        ("DELETE", "/api/keys/1"),
        ("POST", "/api/users"),
        ("GET", "/api/users"),
        ("PATCH", "/api/users/ayşe"),
        ("GET", "/api/groups"),
        ("PUT", "/api/groups"),
        ("POST", "/api/roles"),
        ("DELETE", "/api/roles/ik"),
        ("POST", "/api/documents"),
        ("DELETE", "/api/documents/x"),
    ],
)
def test_front_end_manages_nothing_even_for_an_administrator(
    world: World, method: str, path: str
) -> None:
    headers = {**world.frontend("jwt"), JWT: openwebui("admin@example.org")}
    assert world.reads(headers) == {"isg", "ik"}
    body = {"name": "x", "username": "x", "password": "p" * 9, "issuer": "i", "group": "g"}
    response = world.client.open(path, method=method, headers=headers, json={**body, "roles": []})
    assert (response.status_code, code(response)) == (403, "permission_denied")


def test_key_bounds_what_anybody_gets(world: World) -> None:
    headers = world.frontend("jwt", "isg")
    assert world.reads({**headers, JWT: openwebui("admin@example.org")}) <= {"isg"}
    assert world.reads({**headers, JWT: openwebui("ayse@example.org")}) == {"isg"}
    assert world.answers({**headers, JWT: openwebui("isik@example.org")}) == set()


def test_groups_give_mapped_roles_only(changing: World) -> None:
    changing.assistant.store.groups.set("open-webui", "g1", ["ik"])
    headers = {**changing.frontend("headers"), EMAIL: "rolsuz@example.org"}
    assert changing.reads(headers) == set()
    assert changing.reads({**headers, GROUPS: "g9, g1"}) == {"ik"}
    assert changing.reads({**headers, GROUPS: "admin,isg,ik"}) == set()
    assert changing.reads({**headers, "X-OpenWebUI-User-Role": "admin"}) == set()


def test_groups_beside_a_signed_token_are_refused(changing: World) -> None:
    changing.assistant.store.groups.set("open-webui", "g1", ["ik"])
    headers = {**changing.frontend("jwt"), JWT: openwebui(), GROUPS: "g1"}
    assert changing.chat(headers).status_code == 403


def test_linked_identity_goes_before_the_address(changing: World) -> None:
    changing.assistant.store.users.link("ışık", "open-webui", "kimlik-7")
    headers = changing.frontend("jwt")
    assert changing.reads({**headers, JWT: openwebui(sub="kimlik-7")}) == {"ik"}
    assert changing.reads({**headers, JWT: openwebui(sub="kimlik-8")}) == {"isg"}


def test_lost_role_is_lost_inside_a_conversation(changing: World) -> None:
    headers = {**changing.frontend("jwt"), JWT: openwebui()}
    assert changing.answers(headers) == {"isg"}
    changing.assistant.store.users.set_roles("ayşe", ["ik"])
    assert changing.answers(headers) == {"ik"}


def test_revoked_front_end_opens_nothing(changing: World) -> None:
    headers = {**changing.frontend("headers"), EMAIL: "ayse@example.org"}
    (key,) = changing.assistant.store.keys.list()
    changing.assistant.store.keys.revoke(key.id)
    assert changing.chat(headers).status_code == 401


def test_answer_is_audited_for_the_person_and_the_front_end(changing: World) -> None:
    headers = {**changing.frontend("jwt"), JWT: openwebui()}
    body: Any = changing.chat(headers, "turuncubaret nedir?").json
    row = changing.assistant.store.answers.get(body["id"].removeprefix("chatcmpl-"))
    (key,) = changing.assistant.store.keys.list()
    person = changing.assistant.store.users.get("ayşe")
    assert (row.user_id, row.key_id) == (person.id, key.id)
