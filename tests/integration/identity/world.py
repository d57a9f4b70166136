"""People, documents and keys of an app on a real database, and what they ask of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

import jwt
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.access.keys import new_key
from docrag.access.passwords import hash_password
from docrag.assistant import Assistant
from docrag.testing.oidc import FakeIssuer

Headers = dict[str, str]

#: Words that occur in one document only, by the role that may read it.
CANARIES: Final = {"isg": "turuncubaret", "ik": "morzarf"}
PASSWORD: Final = "uzun bir parola"
SECRET: Final = "open-webui-and-docrag-share-this-one"
#: People by name: roles and mail address.
PEOPLE: Final = {
    "yönetici": (("admin",), "admin@example.org"),
    "ayşe": (("isg",), "ayse@example.org"),
    "ışık": (("ik",), "isik@example.org"),
    "rolsüz": ((), "rolsuz@example.org"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A running app with people and documents."""

    app: Flask
    assistant: Assistant
    issuer: FakeIssuer

    @property
    def client(self) -> FlaskClient:
        """A client without a credential and without cookies."""
        return self.app.test_client()

    def key(self, username: str = "yönetici", **more: Any) -> Headers:  # noqa: ANN401 - arguments
        """Headers with a new key."""
        fresh = new_key()
        self.assistant.store.keys.create(
            username=username, name="deneme", key_hash=fresh.digest, prefix=fresh.prefix, **more
        )
        return bearer(fresh.secret)

    def frontend(self, method: str, *roles: str) -> Headers:
        """Headers with a new key of a front end."""
        return self.key(kind="frontend", method=method, roles=roles)

    def token(self, username: str = "ayşe", password: str = PASSWORD, **more: Any) -> TestResponse:  # noqa: ANN401 - of the client
        """The answer of ``POST /auth/token``."""
        body = {"username": username, "password": password}
        return self.client.post("/auth/token", json=body, **more)

    def reads(self, headers: Any) -> set[str]:  # noqa: ANN401 - of the client
        """Roles whose document the caller sees in the list of documents, which must be answered."""
        response = self.client.get("/api/documents", headers=headers)
        assert response.status_code == 200, response.text
        return {role for role in CANARIES if f"{role}.txt" in response.text}

    def answers(self, headers: Headers) -> set[str]:
        """Roles whose document the chat quotes to the caller."""
        found = set()
        for role, canary in CANARIES.items():
            response = self.chat(headers, f"{canary} nedir?")
            assert response.status_code == 200, response.text
            found |= {role} if f"{canary} dolapta" in response.text else set()
        return found

    def chat(self, headers: Headers, question: str = "nedir?", **more: Any) -> TestResponse:  # noqa: ANN401 - JSON
        """The answer of the chat."""
        messages = [{"role": "user", "content": question}]
        body = {"model": "docrag", "messages": messages, **more}
        return self.client.post("/v1/chat/completions", json=body, headers=headers)


def bearer(secret: str) -> Headers:
    """Headers with a credential."""
    return {"Authorization": f"Bearer {secret}"}


def openwebui(address: str = "ayse@example.org", secret: str = SECRET, **more: Any) -> str:  # noqa: ANN401 - claims
    """A token as Open WebUI signs it; ``None`` leaves a claim out."""
    now = int(time.time())
    right: dict[str, Any] = {"sub": f"id-{address}", "email": address, "name": "A", "role": "user"}
    right |= {"iss": "open-webui", "iat": now, "exp": now + 300, **more}
    return jwt.encode({key: value for key, value in right.items() if value is not None}, secret)


def populate(assistant: Assistant) -> None:
    """Make people and documents."""
    store, hashed = assistant.store, hash_password(PASSWORD)
    for role in (*CANARIES, "bakım"):
        store.roles.create(role)
    for name, (roles, email) in PEOPLE.items():
        store.users.create(name, password_hash=hashed, roles=roles, email=email)
    for role, canary in CANARIES.items():
        text = f"Bu yazıda {canary} anlatılır. {canary} dolapta saklanır."
        assistant.ingest(text.encode(), filename=f"{role}.txt", roles=[role])


def code(response: TestResponse) -> Any:  # noqa: ANN401 - JSON
    """Machine word of an error, which has OpenAI's form."""
    assert response.json is not None
    assert set(response.json["error"]) == {"message", "type", "param", "code"}
    return response.json["error"]["code"]
