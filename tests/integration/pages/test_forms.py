"""Every form of every page wants its token, and the right person."""

from __future__ import annotations

import pytest
from flask import Flask

from docrag.assistant import Assistant
from docrag.store import Store
from tests.integration.pages.conftest import PASSWORD, Browser

OPEN = ["/signin", "/language"]
OWN = ["/signout", "/password", "/keys", "/keys/1/revoke", "/ask", "/ask/feedback", "/ask/language"]
ADMIN = [
    "/admin/documents",
    "/admin/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11/roles",
    "/admin/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11/dates",
    "/admin/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11/retry",
    "/admin/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11/cancel",
    "/admin/documents/7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11/delete",
    "/admin/users",
    "/admin/users/ayşe",
    "/admin/users/ayşe/password",
    "/admin/users/ayşe/keys/1/revoke",
    "/admin/roles",
    "/admin/roles/rename",
    "/admin/roles/retire",
    "/admin/groups",
    "/admin/groups/delete",
    "/admin/keys/frontend",
    "/admin/keys/service",
    "/admin/keys/1/revoke",
]


def test_no_form_is_forgotten(app: Flask) -> None:
    rules = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and not rule.rule.startswith(("/v1", "/api", "/auth"))
    }
    assert len(rules) == len(OPEN + OWN + ADMIN)


@pytest.mark.parametrize("path", OPEN + OWN + ADMIN)
def test_form_without_its_token_is_refused(admin: Browser, path: str) -> None:
    fields = {"username": "x", "name": "x", "role": "isg", "sure": "yes", "roles": "isg"}
    response = admin.client.post(path, data=fields)
    assert response.status_code == 400
    assert "Bu form artık geçerli değil" in response.get_data(as_text=True)


@pytest.mark.parametrize("token", ["", "falsch", "IjEi.x.y"])
def test_form_with_a_made_up_token_is_refused(admin: Browser, token: str) -> None:
    response = admin.client.post("/admin/roles", data={"csrf_token": token, "name": "x"})
    assert response.status_code == 400


def test_token_of_somebody_else_is_refused(admin: Browser, ayse: Browser) -> None:
    response = admin.client.post("/admin/roles", data={"csrf_token": ayse.token(), "name": "x"})
    assert response.status_code == 400


@pytest.mark.parametrize("path", ADMIN)
def test_reader_may_not_administrate(ayse: Browser, path: str) -> None:
    assert ayse.post(path, name="x", role="isg").status_code == 403


@pytest.mark.parametrize("path", OWN[1:] + ADMIN)
def test_stranger_is_sent_to_sign_in(browser: Browser, path: str) -> None:
    response = browser.client.post(path, data={"name": "x"})
    assert (response.status_code, response.location.split("?")[0]) == (303, "/signin")


@pytest.mark.parametrize("path", [*OPEN, "/keys", "/admin/users", "/admin/users/ayşe/password"])
def test_flood_is_refused(admin: Browser, path: str) -> None:
    data = {"csrf_token": admin.token(), "name": "x" * 1_100_000}
    assert admin.client.post(path, data=data).status_code == 413


@pytest.mark.parametrize("path", ["/keys", "/admin/users", "/admin/roles", "/admin/groups"])
def test_markup_in_names_stays_text(
    admin: Browser, store: Store, assistant: Assistant, path: str
) -> None:
    response = admin.post(
        path, name="<b>x</b>", username="<b>x</b>", password=PASSWORD, days="30",
        issuer="<b>x</b>", group="<b>x</b>", roles="isg",
    )  # fmt: skip
    assert "<b>x" not in response.get_data(as_text=True) + admin.text(path)


def test_changed_password_counts(ayse: Browser, browser: Browser) -> None:
    response = ayse.post(
        "/password", password=PASSWORD, fresh="yeni parola 1", again="yeni parola 1"
    )
    assert response.status_code == 303
    assert "Parolanız değiştirildi" in ayse.text("/documents")
    assert browser.sign_in("ayşe").status_code == 401
    assert browser.sign_in("ayşe", "yeni parola 1").status_code == 303


def test_changed_password_ends_other_sessions(app: Flask, ayse: Browser) -> None:
    other = Browser(app.test_client())
    other.sign_in("ayşe")
    ayse.post("/password", password=PASSWORD, fresh="yeni parola 1", again="yeni parola 1")
    assert other.get("/documents").status_code == 303
    assert ayse.get("/documents").status_code == 200


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"password": "yanlış", "fresh": "x" * 9, "again": "x" * 9}, "Şimdiki parola yanlış"),
        ({"password": PASSWORD, "fresh": "x" * 9, "again": "y" * 9}, "aynı değil"),
        ({"password": PASSWORD, "fresh": "kısa", "again": "kısa"}, "8 ile 1024"),
    ],
)
def test_wrong_new_password_is_explained(ayse: Browser, fields: dict[str, str], told: str) -> None:
    response = ayse.post("/password", **fields)
    assert response.status_code == 400
    assert told in response.get_data(as_text=True)
    assert fields["fresh"] not in response.get_data(as_text=True)


def test_guessing_in_a_session_is_braked(ayse: Browser) -> None:
    form = {"password": "yanlış", "fresh": "x" * 9, "again": "x" * 9}
    assert [ayse.post("/password", **form).status_code for _ in range(6)][-1] == 429
