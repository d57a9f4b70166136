"""Users, roles and keys over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

Headers = dict[str, str]
PASSWORD = "uzun bir parola"


def test_user_is_made(client: FlaskClient, admin: Headers) -> None:
    body = {"username": "çağrı", "password": PASSWORD, "roles": ["ik"]}
    response = client.post("/api/users", json=body, headers=admin)
    assert response.status_code == 201
    shown = {"id": 3, "username": "çağrı", "roles": ["ik"], "active": True, "email": None}
    assert response.json == shown


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"username": ""}, "username"),
        ({"username": "iki kelime"}, "username"),
        ({"username": "a\u0000\u200b"}, "username"),
        ({"username": 5}, "username"),
        ({"username": "Ayşe"}, "username"),
        ({"username": "a'b"}, "username"),
        ({"username": "a,b"}, "username"),
        ({"username": "\u0430li"}, "username"),
        ({"email": "ali"}, "email"),
        ({"email": "a@b.example,c@d.example"}, "email"),
        ({"password": "kısa"}, "password"),
        ({"password": None}, "password"),
        ({"roles": "ik"}, "roles"),
    ],
)
def test_bad_user_is_refused(
    client: FlaskClient, admin: Headers, more: dict[str, Any], param: str
) -> None:
    body = {"username": "ali", "password": PASSWORD, "roles": [], **more}
    response = client.post("/api/users", json=body, headers=admin)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == param


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/users"),
        ("GET", "/api/users"),
        ("PATCH", "/api/users/admin"),
        ("POST", "/api/roles"),
        ("PATCH", "/api/roles/ik"),
        ("DELETE", "/api/roles/ik"),
        ("GET", "/api/groups"),
        ("PUT", "/api/groups"),
        ("DELETE", "/api/groups?issuer=a&group=b"),
        ("PATCH", "/api/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"),
    ],
)
def test_managing_is_for_admins(
    client: FlaskClient, reader: Headers, method: str, path: str
) -> None:
    body = {"username": "ali", "password": PASSWORD, "name": "rol", "roles": ["isg"]}
    body |= {"issuer": "i", "group": "g"}
    response = client.open(path, method=method, json=body, headers=reader)
    assert response.status_code == 403


def test_users_are_listed_without_secrets(client: FlaskClient, admin: Headers) -> None:
    body: Any = client.get("/api/users", headers=admin).json
    shown = {"id", "username", "roles", "active", "email"}
    assert [set(user) for user in body["users"]] == [shown] * 2


def test_role_is_made(client: FlaskClient, admin: Headers) -> None:
    response = client.post("/api/roles", json={"name": "üretim"}, headers=admin)
    assert (response.status_code, response.json) == (201, {"name": "üretim", "retired": False})


@pytest.mark.parametrize("name", ["", "iki rol", "a,b", "x" * 65])
def test_bad_role_name_is_refused(client: FlaskClient, admin: Headers, name: str) -> None:
    assert client.post("/api/roles", json={"name": name}, headers=admin).status_code == 400


def test_roles_shown_are_own(client: FlaskClient, reader: Headers, admin: Headers) -> None:
    own: Any = client.get("/api/roles", headers=reader).json
    assert [role["name"] for role in own["roles"]] == ["isg"]
    every: Any = client.get("/api/roles", headers=admin).json
    assert [role["name"] for role in every["roles"]] == ["ik", "isg"]


@pytest.mark.parametrize("body", [{"name": "betik"}, {"name": "betik", "username": "ayşe"}])
def test_user_makes_own_key(client: FlaskClient, reader: Headers, body: dict[str, str]) -> None:
    response = client.post("/api/keys", json=body, headers=reader)
    assert response.status_code == 201
    assert response.json is not None
    assert set(response.json) >= {"id", "name", "prefix", "key", "kind", "roles"}
    assert response.json["key"].startswith(response.json["prefix"])


def test_key_for_others_is_for_admins(client: FlaskClient, reader: Headers, admin: Headers) -> None:
    assert (
        client.post(
            "/api/keys", json={"name": "x", "username": "admin"}, headers=reader
        ).status_code
        == 403
    )
    assert (
        client.post("/api/keys", json={"name": "x", "username": "ayşe"}, headers=admin).status_code
        == 201
    )


def test_keys_shown_are_own(client: FlaskClient, reader: Headers, admin: Headers) -> None:
    own: Any = client.get("/api/keys", headers=reader).json
    assert [key["username"] for key in own["keys"]] == ["ayşe"]
    assert "key" not in own["keys"][0]
    every: Any = client.get("/api/keys", headers=admin).json
    assert len(every["keys"]) == 2


@pytest.mark.parametrize(("key_id", "status"), [(1, 404), (2, 204), (77, 404)])
def test_revoking_reaches_own_keys(
    client: FlaskClient, reader: Headers, key_id: int, status: int
) -> None:
    assert client.delete(f"/api/keys/{key_id}", headers=reader).status_code == status


@pytest.mark.parametrize("name", ["Admin", "ADMIN", "adm\u0131n", "\u0430dmin", "admin"])
def test_role_that_looks_like_admin_is_refused(
    client: FlaskClient, admin: Headers, name: str
) -> None:
    response = client.post("/api/roles", json={"name": name}, headers=admin)
    assert response.status_code == 409


@pytest.mark.parametrize("strange", ["\x00", "\ud800"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/roles", {"name": "ik"}),
        ("/api/users", {"username": "ali", "password": PASSWORD}),
        ("/api/keys", {"name": "betik"}),
    ],
)
def test_name_is_refused_and_not_changed(
    client: FlaskClient, admin: Headers, path: str, body: dict[str, Any], strange: str
) -> None:
    field = "username" if "username" in body else "name"
    # Escaped by hand: Flask's own JSON keeps letters as they are, and half a pair is none.
    data = json.dumps({**body, field: body[field] + strange})
    response = client.post(path, data=data, headers=admin)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == field
