"""Sign-in against a directory, ldap3's own mock of one."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from flask import Flask

from docrag.api import SettingsError
from docrag.settings import Settings
from docrag.store import Store
from docrag.web.pages.directory import Directory, DirectoryUnavailable
from tests.integration.pages.conftest import PASSWORD, Browser, MakeApp

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import ldap3

BASE = "dc=example,dc=org"
SEARCHER = f"cn=docrag,{BASE}"
PEOPLE: dict[str, dict[str, Any]] = {
    SEARCHER: {"userPassword": "arama", "sn": "x"},
    f"uid=çağrı,{BASE}": {
        "uid": "çağrı",
        "userPassword": "dizin parolası",
        "mail": "cagri@example.org",
        "memberOf": [f"cn=İSG,{BASE}", f"cn=x,{BASE}"],
        "entryUUID": "c0ffee00-0000-4000-8000-000000000001",
        "sn": "x",
    },
    f"uid=ayşe,{BASE}": {
        "uid": "ayşe",
        "userPassword": "dizin parolası",
        "memberOf": [f"cn=İSG,{BASE}"],
        "sn": "x",
    },
}
SETTINGS = {
    "ldap_url": "ldap://127.0.0.1:1",
    "ldap_base": BASE,
    "ldap_bind_dn": SEARCHER,
    "ldap_bind_password": "arama",
    "ldap_user_filter": "(uid={username})",
}


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection is one to a directory of :data:`PEOPLE`."""
    real = ldap3.Connection

    def connection(server: Any, **more: Any) -> Any:  # noqa: ANN401 - ldap3 has no types
        made = real(server, **{**more, "client_strategy": ldap3.MOCK_SYNC})
        for name, attributes in PEOPLE.items():
            made.strategy.add_entry(name, attributes)
        return made

    monkeypatch.setattr(ldap3, "Connection", connection)


@pytest.fixture(scope="module")
def usual_app(make_app: MakeApp) -> Flask:
    """An app with a directory."""
    return make_app(**SETTINGS)


@pytest.mark.usefixtures("directory")
def test_newcomer_comes_by_a_mapped_group(browser: Browser, store: Store) -> None:
    store.groups.set("ldap", f"cn=İSG,{BASE}", ["isg"])
    assert browser.sign_in("çağrı", "dizin parolası").status_code == 303
    user = store.users.get("çağrı")
    assert (user.roles, user.email) == (("isg",), "cagri@example.org")


@pytest.mark.usefixtures("directory")
def test_known_address_signs_in(browser: Browser, store: Store) -> None:
    store.users.set_email("ışık", "cagri@example.org")
    assert browser.sign_in("çağrı", "dizin parolası").status_code == 303
    assert "ışık" in browser.text("/documents")


@pytest.mark.usefixtures("directory")
def test_stranger_without_a_mapped_group_stays_out(browser: Browser, store: Store) -> None:
    assert browser.sign_in("çağrı", "dizin parolası").status_code == 403
    assert len(store.users.list()) == 3


@pytest.mark.usefixtures("directory")
def test_directory_does_not_take_a_local_name(browser: Browser, store: Store) -> None:
    store.groups.set("ldap", f"cn=İSG,{BASE}", ["isg"])
    assert browser.sign_in("ayşe", "dizin parolası").status_code == 403
    assert browser.sign_in("ayşe").status_code == 303


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize("username", ["*", "çağrı)(uid=*", "ça*", "çağrı\x00", "kimse", ""])
@pytest.mark.parametrize("password", ["dizin parolası"])
def test_filter_cannot_be_bent(
    browser: Browser, store: Store, username: str, password: str
) -> None:
    store.groups.set("ldap", f"cn=İSG,{BASE}", ["isg"])
    response = browser.sign_in(username, password)
    # A NUL is not part of a name, so what is left is Çağrı's own.
    assert response.status_code == (303 if username == "çağrı\x00" else 401)


@pytest.mark.usefixtures("directory")
@pytest.mark.parametrize("password", ["", "yanlış", "arama"])
def test_wrong_password_has_the_usual_message(
    browser: Browser, store: Store, password: str
) -> None:
    response = browser.sign_in("çağrı", password)
    assert response.status_code == 401
    assert "Kullanıcı adı veya parola yanlış." in response.get_data(as_text=True)


def test_silent_directory_is_told_and_local_users_come_in(browser: Browser, store: Store) -> None:
    assert browser.sign_in("çağrı", "dizin parolası").status_code == 503
    assert browser.sign_in("ayşe", PASSWORD).status_code == 303


def test_refused_searcher_is_no_wrong_password(
    directory: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(**{**SETTINGS, "ldap_bind_password": "falsch"})  # type: ignore[arg-type] # texts
    with pytest.raises(DirectoryUnavailable):
        Directory(settings).verify("çağrı", "dizin parolası")


@pytest.mark.parametrize(
    "changed",
    [
        {"ldap_url": "http://x"},
        {"ldap_url": "ldaps://"},
        {"ldap_base": ""},
        {"ldap_user_filter": "(uid=x)"},
    ],
)
def test_wrong_setting_is_told(changed: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_LDAP"):
        Directory(Settings(**{**SETTINGS, **changed}))  # type: ignore[arg-type] # texts
