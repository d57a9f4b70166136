from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from flask import Flask
from werkzeug.test import TestResponse

from docrag.api import SettingsError
from docrag.store import Store
from docrag.testing.oidc import FakeIssuer
from tests.integration.pages.conftest import Browser, MakeApp


@pytest.fixture(scope="module")
def issuer() -> Iterator[FakeIssuer]:
    """The identity provider."""
    with FakeIssuer() as issuer:
        yield issuer


@pytest.fixture(scope="module")
def usual_app(make_app: MakeApp, issuer: FakeIssuer) -> Flask:
    """An app whose people sign in at the provider."""
    return make_app(
        oidc_issuer=issuer.url,
        oidc_client_id=issuer.client_id,
        oidc_client_secret=issuer.client_secret,
    )


@pytest.fixture(autouse=True)
def honest(issuer: FakeIssuer) -> None:
    """The provider works, and signs Ayşe in."""
    issuer.fault = ""
    issuer.person = {
        "sub": "kimlik-1",
        "preferred_username": "ayşe.ışık",
        "email": "ayse@example.org",
        "email_verified": True,
        "groups": [],
    }


def travel(browser: Browser, target: str = "", **changed: str) -> TestResponse:
    """Go to the provider and come back with what it sends, some of it changed."""
    leaving = browser.get("/signin/oidc", query_string={"next": target})
    assert leaving.status_code == 302
    sent = requests.get(leaving.headers["Location"], allow_redirects=False, timeout=10)
    back = urlsplit(sent.headers["Location"])
    query = {name: values[0] for name, values in parse_qs(back.query).items()}
    return browser.get(back.path, query_string={**query, **changed})


def test_form_offers_the_provider(browser: Browser) -> None:
    assert "/signin/oidc" in browser.text("/signin")


def test_provider_is_asked_with_state_nonce_and_challenge(browser: Browser) -> None:
    asked = parse_qs(urlsplit(browser.get("/signin/oidc").headers["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert all(asked[name][0] for name in ("state", "nonce", "code_challenge"))
    assert asked["redirect_uri"] == ["http://localhost/signin/oidc/callback"]


def test_known_address_signs_in(browser: Browser, store: Store, issuer: FakeIssuer) -> None:
    store.users.set_email("ayşe", "ayse@example.org")
    assert travel(browser, "/keys").location == "/keys"
    assert "ayşe" in browser.text("/documents")
    assert store.users.get_by_identity(issuer.url, "kimlik-1").username == "ayşe"


@pytest.mark.parametrize("verified", [False, None, "false"])
def test_unverified_address_opens_nothing(
    browser: Browser, store: Store, issuer: FakeIssuer, verified: object
) -> None:
    store.users.set_email("ayşe", "ayse@example.org")
    issuer.person["email_verified"] = verified
    assert travel(browser).status_code == 403
    assert browser.get("/documents").status_code == 303


def test_stranger_is_told_so(browser: Browser, store: Store) -> None:
    response = travel(browser)
    assert response.status_code == 403
    assert "bir yöneticiye başvurun" in response.get_data(as_text=True)
    assert len(store.users.list()) == 3


def test_newcomer_comes_by_a_mapped_group(
    browser: Browser, store: Store, issuer: FakeIssuer
) -> None:
    store.groups.set(issuer.url, "grup-isg", ["isg"])
    issuer.person["groups"] = ["grup-isg", "grup-x"]
    assert travel(browser).status_code == 303
    assert store.users.get("ayşe.ışık").roles == ("isg",)


def test_newcomer_takes_no_name_that_is_used(
    browser: Browser, store: Store, issuer: FakeIssuer
) -> None:
    store.groups.set(issuer.url, "grup-isg", ["isg"])
    issuer.person.update(groups=["grup-isg"], preferred_username="yönetici", email=None)
    assert travel(browser).status_code == 403
    assert store.users.get("yönetici").roles == ("admin",)


def test_left_group_takes_its_roles_away(
    browser: Browser, store: Store, issuer: FakeIssuer
) -> None:
    store.groups.set(issuer.url, "grup-isg", ["isg"])
    store.users.link("ışık", issuer.url, "kimlik-1")
    travel(browser)
    assert store.users.get("ışık").roles == ("ik",)


@pytest.mark.parametrize("groups", [["admin"], ["yönetici"]])
def test_no_group_gives_administration(
    browser: Browser, store: Store, issuer: FakeIssuer, groups: list[str]
) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    issuer.person["groups"] = groups
    travel(browser)
    assert store.users.get("ayşe").roles == ("isg",)


def test_inactive_user_stays_out(browser: Browser, store: Store, issuer: FakeIssuer) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    store.users.deactivate("ayşe")
    assert travel(browser).status_code == 403


@pytest.mark.parametrize(
    "fault",
    [
        "foreign_key",
        "wrong_issuer",
        "wrong_audience",
        "wrong_nonce",
        "expired",
        "no_token",
        "denied",
    ],
)
def test_bad_answer_signs_nobody_in(
    browser: Browser, store: Store, issuer: FakeIssuer, fault: str
) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    issuer.fault = fault
    response = travel(browser)
    assert response.status_code == 502
    assert browser.get("/documents").status_code == 303


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"state": "uydurma"}, 400), ({"state": ""}, 400), ({"code": "uydurma"}, 502)],
)
def test_changed_answer_signs_nobody_in(
    browser: Browser, store: Store, issuer: FakeIssuer, changed: dict[str, str], status: int
) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    assert travel(browser, **changed).status_code == status
    assert browser.get("/documents").status_code == 303


@pytest.mark.parametrize(
    "query",
    ["", "?code=x", "?state=x", "?code=x&state=ı", "?error=access_denied", "?error=x&state=x"],
)
def test_unasked_answer_is_a_bad_request(browser: Browser, query: str) -> None:
    response = browser.get(f"/signin/oidc/callback{query}")
    assert response.status_code == 400
    assert "/signin/oidc" in response.get_data(as_text=True)


def test_answer_counts_once(browser: Browser, store: Store, issuer: FakeIssuer) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    back = travel(browser).request
    assert browser.get(back.full_path).status_code == 400


def test_silent_provider_is_not_asked_about_a_made_up_state(make_app: MakeApp) -> None:
    with FakeIssuer(fault="no_discovery") as broken:
        app = make_app(oidc_issuer=broken.url, oidc_client_id="docrag")
        back = app.test_client().get("/signin/oidc/callback?code=x&state=x")
        assert back.status_code == 400


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example"])
def test_next_page_stays_here(
    browser: Browser, store: Store, issuer: FakeIssuer, target: str
) -> None:
    store.users.link("ayşe", issuer.url, "kimlik-1")
    assert travel(browser, target).location == "/"


def test_silent_provider_is_told(make_app: MakeApp) -> None:
    with FakeIssuer(fault="no_discovery") as broken:
        app = make_app(oidc_issuer=broken.url, oidc_client_id="docrag")
        assert app.test_client().get("/signin/oidc").status_code == 502


def test_provider_is_absent_without_issuer(make_app: MakeApp) -> None:
    client = make_app().test_client()
    assert client.get("/signin/oidc").status_code == 404
    assert "/signin/oidc" not in client.get("/signin").get_data(as_text=True)


def test_issuer_needs_a_client(make_app: MakeApp) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_OIDC_CLIENT_ID"):
        make_app(oidc_issuer="https://id.example")
