"""``/api/keys``, ``/api/users``, ``/api/roles``, ``/api/groups`` and roles of documents."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from tests.integration.identity.world import PASSWORD, World, bearer, code, openwebui

Headers = dict[str, str]


def send(world: World, who: Headers, method: str, path: str, /, **body: Any) -> TestResponse:  # noqa: ANN401 - JSON
    """The answer to a JSON request."""
    return world.client.open(path, method=method, headers=who, json=body)


def made(world: World, who: Headers, **body: Any) -> Headers:  # noqa: ANN401 - JSON
    """Headers with a key that the API made."""
    response = send(world, who, "POST", "/api/keys", name="yeni", **body)
    assert response.status_code == 201, response.text
    assert response.json is not None
    return bearer(response.json["key"])


def test_front_end_key_is_made_and_works(changing: World) -> None:
    body = {"kind": "frontend", "method": "jwt", "roles": ["isg"], "expires_in_days": 30}
    response = send(changing, changing.key(), "POST", "/api/keys", name="Open WebUI", **body)
    assert response.json is not None
    shown = {name: response.json[name] for name in ("kind", "method", "roles", "username")}
    assert shown == {"kind": "frontend", "method": "jwt", "roles": ["isg"], "username": "yönetici"}
    assert response.json["expires_at"] is not None
    headers = {**bearer(response.json["key"]), "X-OpenWebUI-User-Jwt": openwebui()}
    assert changing.reads(headers) == {"isg"}


def test_service_key_is_made_and_works(world: World) -> None:
    assert world.reads(made(world, world.key(), kind="service", roles=["ik"])) == {"ik"}


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"kind": "root"}, "kind"),
        ({"kind": "frontend"}, "method"),
        ({"kind": "frontend", "method": "cookie"}, "method"),
        ({"method": "jwt"}, "method"),
        ({"kind": "service"}, "roles"),
        ({"kind": "service", "roles": ["yok"]}, "role"),
        ({"roles": ["isg,ik"]}, "role"),
        ({"roles": ["isg' OR '1'='1"]}, "role"),
        ({"roles": "isg"}, "roles"),
        ({"expires_in_days": 0}, "expires_in_days"),
        ({"expires_in_days": 10_000}, "expires_in_days"),
        ({"expires_in_days": "yarın"}, "expires_in_days"),
        ({"name": " "}, "name"),
        ({"username": "yok"}, "user"),
    ],
)
def test_contradictory_key_is_refused(world: World, body: dict[str, Any], param: str) -> None:
    response = send(world, world.key(), "POST", "/api/keys", **{"name": "yeni", **body})
    assert response.status_code == 400, response.text
    assert response.json is not None
    assert response.json["error"]["param"] == param


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "frontend", "method": "headers"},
        {"kind": "service", "roles": ["isg"]},
        {"username": "ışık"},
        {"username": "yönetici"},
        {"roles": ["ik"]},
        {"roles": ["isg", "admin"]},
    ],
)
def test_nobody_makes_a_key_that_opens_more(world: World, body: dict[str, Any]) -> None:
    response = send(world, world.key("ayşe"), "POST", "/api/keys", name="yeni", **body)
    assert (response.status_code, code(response)) == (403, "permission_denied")


def test_narrowed_key_makes_narrowed_keys_only(changing: World) -> None:
    changing.assistant.store.users.set_roles("ayşe", ["isg", "ik"])
    narrowed = changing.key("ayşe", roles=["ik"])
    assert changing.reads(made(changing, narrowed)) == {"ik"}
    response = send(changing, narrowed, "POST", "/api/keys", name="yeni", roles=["isg"])
    assert response.status_code == 403
    changing.assistant.store.users.set_roles("ayşe", ["isg"])
    assert send(changing, narrowed, "POST", "/api/keys", name="yeni").status_code == 403


def test_service_looks_after_no_keys(world: World) -> None:
    service = world.key("ayşe", kind="service", roles=["isg"])
    for method, path in (("POST", "/api/keys"), ("GET", "/api/keys"), ("DELETE", "/api/keys/1")):
        assert send(world, service, method, path, name="yeni").status_code == 403
    assert send(world, service, "PATCH", "/api/keys/1", citations="auto").status_code == 403


def test_token_makes_and_revokes_own_keys(changing: World) -> None:
    given: Any = changing.token().json
    token = bearer(given["access_token"])
    key = made(changing, token)
    assert changing.reads(key) == {"isg"}
    listed: Any = changing.client.get("/api/keys", headers=token).json
    (shown,) = listed["keys"]
    assert "key" not in shown
    assert send(changing, token, "DELETE", f"/api/keys/{shown['id']}").status_code == 204
    assert changing.client.get("/api/documents", headers=key).status_code == 401


def test_user_is_changed(changing: World) -> None:
    admin = changing.key()
    change = {"roles": ["ik"], "email": "Yeni@Example.org", "password": "yepyeni parola"}
    response = send(changing, admin, "PATCH", f"/api/users/{quote('ayşe')}", **change)
    assert response.status_code == 200, response.text
    assert response.json is not None
    assert (response.json["roles"], response.json["email"]) == (["ik"], "yeni@example.org")
    assert changing.token("ayşe", "yepyeni parola").status_code == 200
    assert changing.token("ayşe", PASSWORD).status_code == 401


def test_user_is_switched_off_and_on(changing: World) -> None:
    admin, key = changing.key(), changing.key("ayşe")
    for active, status in ((False, 401), (True, 200)):
        response = send(changing, admin, "PATCH", "/api/users/ayşe", active=active)
        assert response.json is not None
        assert response.json["active"] is active
        assert changing.client.get("/api/documents", headers=key).status_code == status


def test_identity_is_linked(changing: World) -> None:
    identity = {"issuer": "open-webui", "subject": "kimlik-7"}
    admin = changing.key()
    assert send(changing, admin, "PATCH", "/api/users/ayşe", identity=identity).status_code == 200
    response = send(changing, admin, "PATCH", "/api/users/ışık", identity=identity)
    assert (response.status_code, code(response)) == (409, "name_taken")
    headers = {**changing.frontend("headers"), "X-OpenWebUI-User-Id": "kimlik-7"}
    assert changing.reads(headers) == {"isg"}


@pytest.mark.parametrize(
    ("name", "change", "status"),
    [
        ("yok", {"active": False}, 404),
        ("ayşe", {"roles": ["yok"]}, 400),
        ("ayşe", {"roles": ["isg,ik"]}, 400),
        ("ayşe", {"roles": ["admin' --"]}, 400),
        ("ayşe", {"email": "ayşe"}, 400),
        ("ayşe", {"email": "isik@example.org"}, 409),
        ("ayşe", {"password": "kısa"}, 400),
        ("ayşe", {"active": "belki"}, 400),
        ("ayşe", {"identity": {"issuer": "x"}}, 400),
        ("yönetici", {"active": False}, 400),
        ("yönetici", {"roles": ["isg"]}, 400),
    ],
)
def test_wrong_change_is_refused(
    changing: World, name: str, change: dict[str, Any], status: int
) -> None:
    response = send(changing, changing.key(), "PATCH", f"/api/users/{name}", **change)
    assert response.status_code == status, response.text
    assert changing.reads(changing.key("ayşe")) == {"isg"}


@pytest.mark.parametrize("name", ["isik", "işik", "ışik", "AYŞE", "\u0430yşe", "ays\u0327e"])
def test_look_alike_user_is_refused(changing: World, name: str) -> None:
    body = {"username": name, "password": PASSWORD, "roles": ["ik"]}
    status = {"isik": 201, "işik": 409, "ışik": 409, "ays\u0327e": 409}.get(name, 400)
    response = send(changing, changing.key(), "POST", "/api/users", **body)
    assert response.status_code == status, response.text


def test_role_is_renamed_and_retired(changing: World) -> None:
    admin, key = changing.key(), changing.key("ayşe")
    response = send(changing, admin, "PATCH", "/api/roles/isg", name="güvenlik")
    assert response.json == {"name": "güvenlik", "retired": False}
    assert changing.reads(key) == {"isg"}
    assert send(changing, admin, "DELETE", "/api/roles/güvenlik").status_code == 204
    assert changing.reads(key) == set()


@pytest.mark.parametrize(
    ("method", "path", "name", "status"),
    [
        ("PATCH", "/api/roles/yok", "yeni", 404),
        ("PATCH", "/api/roles/isg", "ik", 409),
        ("PATCH", "/api/roles/isg", 'a"b', 400),
        ("PATCH", "/api/roles/isg", "a,b", 400),
        ("PATCH", "/api/roles/isg", "a'; --", 400),
        ("PATCH", "/api/roles/admin", "kök", 400),
        ("DELETE", "/api/roles/admin", "x", 400),
        ("DELETE", "/api/roles/yok", "x", 404),
        ("DELETE", "/api/roles/a,b", "x", 404),
    ],
)
def test_wrong_role_change_is_refused(
    world: World, method: str, path: str, name: str, status: int
) -> None:
    response = send(world, world.key(), method, path, name=name)
    assert response.status_code == status, response.text
    assert world.reads(world.key("ayşe")) == {"isg"}


def test_group_is_set_listed_and_deleted(changing: World) -> None:
    admin = changing.key()
    group = {"issuer": "open-webui", "group": "müdürler, üretim", "roles": ["ik", "isg"]}
    assert send(changing, admin, "PUT", "/api/groups", **group).json == group
    assert changing.client.get("/api/groups", headers=admin).json == {"groups": [group]}
    query = f"issuer=open-webui&group={quote('müdürler, üretim')}"
    for status in (204, 404):
        response = changing.client.delete(f"/api/groups?{query}", headers=admin)
        assert response.status_code == status
    assert changing.client.get("/api/groups", headers=admin).json == {"groups": []}


@pytest.mark.parametrize(
    "change",
    [
        {"roles": ["admin"]},
        {"roles": ["yok"]},
        {"roles": []},
        {"roles": ["isg,ik"]},
        {"issuer": ""},
        {"group": " "},
        {"group": "x" * 2000},
    ],
)
def test_wrong_group_is_refused(world: World, change: dict[str, Any]) -> None:
    group = {"issuer": "open-webui", "group": "g", "roles": ["ik"], **change}
    assert send(world, world.key(), "PUT", "/api/groups", **group).status_code == 400
    assert world.client.get("/api/groups", headers=world.key()).json == {"groups": []}


def test_document_changes_its_readers(changing: World) -> None:
    admin, ayse, isik = changing.key(), changing.key("ayşe"), changing.key("ışık")
    listed: Any = changing.client.get("/api/documents", headers=ayse).json
    path = f"/api/documents/{listed['documents'][0]['id']}"
    assert send(changing, ayse, "PATCH", path, roles=["ik"]).status_code == 403
    assert send(changing, admin, "PATCH", path, roles=[]).status_code == 400
    assert send(changing, admin, "PATCH", path, roles=["yok"]).status_code == 400
    response = send(changing, admin, "PATCH", path, roles=["ik"])
    assert response.json is not None
    assert response.json["roles"] == ["ik"]
    assert (changing.reads(ayse), changing.reads(isik)) == (set(), {"isg", "ik"})
    assert send(changing, admin, "PATCH", "/api/documents/yok", roles=["ik"]).status_code == 404


def test_key_is_made_with_its_citations(changing: World) -> None:
    key = made(changing, changing.key("ayşe"), citations="footer")
    listed: Any = changing.client.get("/api/keys", headers=key).json
    assert {item["name"]: item["citations"] for item in listed["keys"]} == {
        "deneme": "auto",
        "yeni": "footer",
    }


def test_citations_of_a_key_are_changed_by_its_owner(changing: World) -> None:
    key = made(changing, changing.key("ayşe"))
    listed: Any = changing.client.get("/api/keys", headers=key).json
    path = f"/api/keys/{listed['keys'][-1]['id']}"
    changed = send(changing, key, "PATCH", path, citations="events")
    assert changed.status_code == 200 and changed.json is not None
    assert (changed.json["name"], changed.json["citations"]) == ("yeni", "events")
    assert "key" not in changed.json
    principal = changing.assistant.store.keys.list("ayşe")[-1]
    assert principal.citations == "events"


def test_key_of_somebody_else_cannot_be_changed(changing: World) -> None:
    """The same answer as for a key that is not there; an administrator changes any."""
    made(changing, changing.key("ayşe"))
    key = changing.assistant.store.keys.list("ayşe")[-1]
    stranger = changing.key("ışık")
    for number in (key.id, 99_999):
        path = f"/api/keys/{number}"
        assert send(changing, stranger, "PATCH", path, citations="footer").status_code == 404
    path = f"/api/keys/{key.id}"
    assert send(changing, changing.key(), "PATCH", path, citations="footer").status_code == 200


@pytest.mark.parametrize("body", [{}, {"citations": "links"}, {"citations": None}, {"roles": []}])
def test_wrong_change_of_a_key_is_refused(changing: World, body: dict[str, Any]) -> None:
    admin = changing.key()
    key = changing.assistant.store.keys.list()[-1]
    assert send(changing, admin, "PATCH", f"/api/keys/{key.id}", **body).status_code == 400
    assert changing.assistant.store.keys.list()[-1].citations == "auto"
