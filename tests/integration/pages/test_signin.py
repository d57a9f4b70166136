from __future__ import annotations

import time

import pytest
from flask import Flask
from flask.testing import FlaskClient

from docrag.access.passwords import hash_password
from docrag.store import Store
from tests.integration.pages.conftest import PASSWORD, Browser, MakeApp

OWN = ["/documents", "/keys", "/password"]
ADMIN = ["/admin/users", "/admin/roles", "/admin/groups", "/admin/keys", "/admin/audit"]


def test_sign_in_leads_to_documents(browser: Browser, store: Store) -> None:
    response = browser.sign_in("ayşe")
    assert (response.status_code, response.location) == (303, "/")
    assert browser.get("/").location == "/documents"
    assert "ayşe" in browser.text("/documents")


@pytest.mark.parametrize("typed", ["AYŞE", " ayşe ", "ays\u0327e"])
def test_sign_in_takes_other_spellings(browser: Browser, store: Store, typed: str) -> None:
    assert browser.sign_in(typed).status_code == 303


def test_dotless_name_signs_in(browser: Browser, store: Store) -> None:
    assert browser.sign_in("IŞIK").status_code == 303


@pytest.mark.parametrize("path", OWN + ADMIN)
def test_page_leads_to_sign_in(browser: Browser, path: str) -> None:
    response = browser.get(path)
    assert response.status_code == 303
    assert response.location == f"/signin?next={path}"


@pytest.mark.parametrize(
    ("username", "password"), [("ayşe", "yanlış parola"), ("kimse", PASSWORD), ("", "")]
)
def test_wrong_sign_in_has_one_message(
    browser: Browser, store: Store, username: str, password: str
) -> None:
    response = browser.sign_in(username, password)
    assert response.status_code == 401
    assert "Kullanıcı adı veya parola yanlış." in response.get_data(as_text=True)
    assert "WWW-Authenticate" not in response.headers


def test_inactive_user_has_the_same_message(browser: Browser, store: Store) -> None:
    store.users.deactivate("ayşe")
    response = browser.sign_in("ayşe")
    assert response.status_code == 401
    assert "Kullanıcı adı veya parola yanlış." in response.get_data(as_text=True)


def test_guessing_is_braked(browser: Browser, store: Store) -> None:
    tries = [browser.sign_in("ayşe", "yanlış parola") for _ in range(6)]
    braked = tries[-1]
    assert braked.status_code == 429
    assert int(braked.headers["Retry-After"]) >= 1
    assert browser.sign_in("ayşe").status_code == 429


@pytest.mark.parametrize("path", ["/documents?x=%C4%B1", "/keys"])
def test_next_page_follows(browser: Browser, store: Store, path: str) -> None:
    assert browser.sign_in("ayşe", next=path).location == path


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/ /evil.example",
        "javascript:alert(1)",
        "evil.example",
        "/%0d%0aX: 1\r\nX: 1",
        "/" + "a" * 2000,
    ],
)
def test_next_page_stays_here(browser: Browser, store: Store, target: str) -> None:
    assert browser.sign_in("ayşe", next=target).location == "/"


def test_sign_out_ends_the_session(ayse: Browser) -> None:
    assert ayse.post("/signout").location == "/signin"
    assert ayse.get("/documents").status_code == 303


def test_old_cookie_is_void_after_new_password(ayse: Browser, store: Store) -> None:
    store.users.set_password("ayşe", hash_password("yepyeni bir parola"))
    assert ayse.get("/documents").status_code == 303


def test_deactivation_ends_the_session(ayse: Browser, store: Store) -> None:
    store.users.deactivate("ayşe")
    assert ayse.get("/documents").status_code == 303


def test_lost_role_counts_at_once(admin: Browser, store: Store) -> None:
    assert admin.get("/admin/users").status_code == 200
    store.users.set_roles("ışık", ["admin"])
    store.users.set_roles("yönetici", ["isg"])
    assert admin.get("/admin/users").status_code == 403
    assert "/admin/" not in admin.text("/documents")


def test_session_ends_with_its_hours(ayse: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    later = time.time() + 12 * 3600 + 1
    monkeypatch.setattr("docrag.web.pages.session.time.time", lambda: later)
    assert ayse.get("/documents").status_code == 303


def test_session_is_new_after_sign_in(browser: Browser, store: Store) -> None:
    before = browser.token()
    browser.sign_in("ayşe")
    assert browser.client.post("/signout", data={"csrf_token": before}).status_code == 400


@pytest.mark.parametrize(
    ("settings", "name"),
    [({"secure_cookies": "yes"}, "__Host-docrag"), ({"host": "0.0.0.0"}, "__Host-docrag")],
)
def test_cookie_is_secure(make_app: MakeApp, settings: dict[str, str], name: str) -> None:
    response = make_app(**settings).test_client().get("/signin", base_url="https://d.example")
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith(name)
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


def test_cookie_works_on_loopback(browser: Browser) -> None:
    cookie = browser.get("/signin").headers["Set-Cookie"]
    assert "Secure" not in cookie
    assert {"HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))


@pytest.mark.parametrize("path", ["/v1/models", "/api/documents", "/api/keys", "/api/users"])
def test_cookie_opens_no_api(admin: Browser, path: str) -> None:
    assert admin.get(path).status_code == 401


def test_key_opens_no_page(browser: Browser, store: Store) -> None:
    headers = {"Authorization": "Bearer dk-x"}
    assert browser.get("/documents", headers=headers).status_code == 303


def test_server_without_secret_says_so(make_app: MakeApp) -> None:
    response = make_app(secret_key="").test_client().get("/signin")
    assert response.status_code == 503
    assert "SECRET_KEY" in response.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/signin", "/documents", "/nope", "/static/docrag.css"])
def test_pages_carry_hygiene_headers(app: Flask, path: str) -> None:
    client: FlaskClient = app.test_client()
    with client.get(path) as response:
        headers = response.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert "script-src" not in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_pages_are_not_kept(ayse: Browser) -> None:
    assert ayse.get("/keys").headers["Cache-Control"] == "no-store"


def test_hsts_only_behind_tls(make_app: MakeApp) -> None:
    client = make_app(proxy_hops=1, secure_cookies="yes").test_client()
    plain = client.get("/signin")
    behind = client.get("/signin", headers={"X-Forwarded-Proto": "https"})
    assert "Strict-Transport-Security" not in plain.headers
    assert behind.headers["Strict-Transport-Security"].startswith("max-age=")


def test_proxy_is_not_believed_unasked(browser: Browser) -> None:
    response = browser.get("/signin", headers={"X-Forwarded-Proto": "https"})
    assert "Strict-Transport-Security" not in response.headers


def test_no_page_has_a_script(admin: Browser) -> None:
    for path in OWN + ADMIN:
        text = admin.text(path)
        assert "<script" not in text and " onclick" not in text and " style=" not in text


def test_language_is_switched(browser: Browser) -> None:
    assert "Oturum aç" in browser.text("/signin")
    response = browser.post("/language", language="en", next="/signin?next=/keys")
    assert response.location == "/signin?next=/keys"
    assert '<html lang="en">' in browser.text("/signin")
    assert "Sign in" in browser.text("/signin")


def test_language_outlives_sign_in(browser: Browser, store: Store) -> None:
    browser.post("/language", language="en", next="/")
    browser.sign_in("ayşe")
    assert "My keys" in browser.text("/documents")


@pytest.mark.parametrize("language", ["xx", "../tr", ""])
def test_unknown_language_is_ignored(browser: Browser, language: str) -> None:
    browser.post("/language", language=language, next="/signin")
    assert "Oturum aç" in browser.text("/signin")
