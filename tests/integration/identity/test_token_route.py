"""``POST /auth/token``: one message, one time, and a brake."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from docrag.settings import Settings
from docrag.store.throttle import Throttle
from docrag.web import create_app
from docrag.web.extensions import Service
from tests.integration.identity.world import PASSWORD, World, bearer, code


@pytest.mark.parametrize("typed", ["ışık", "IŞIK", "Işık", " ışık ", "ıs\u0327ık"])
def test_typed_name_finds_its_user(world: World, typed: str) -> None:
    response = world.token(typed)
    assert response.status_code == 200, response.text
    assert response.headers["Cache-Control"] == "no-store"
    given: Any = response.json
    assert world.reads(bearer(given["access_token"])) == {"ik"}


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("ayşe", "yanlış parola"),
        ("ayşe", ""),
        ("ayşe", PASSWORD + " "),
        ("ayşe", PASSWORD.upper()),
        ("yok", PASSWORD),
        ("", PASSWORD),
        ("\u0430yşe", PASSWORD),
        ("işik", PASSWORD),
        ("ayşe' --", PASSWORD),
        ("ayşe\u0000", "x"),
        ("a" * 100_000, PASSWORD),
        ("ayşe", "x" * 100_000),
    ],
)
def test_wrong_name_and_wrong_password_look_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str, password: str
) -> None:
    monkeypatch.setattr(Throttle, "attempt", lambda *_: 0.0)
    response = world.token(name, password)
    assert (response.status_code, code(response)) == (401, "invalid_credentials")
    assert response.json["error"]["message"] == "User name or password is wrong."  # type: ignore[index] # a JSON object


def test_inactive_user_looks_like_a_wrong_password(changing: World) -> None:
    changing.assistant.store.users.deactivate("ayşe")
    assert code(changing.token()) == "invalid_credentials"


@pytest.mark.parametrize(
    "body", [{}, {"username": "ayşe"}, {"username": 5, "password": "x"}, {"password": PASSWORD}, []]
)
def test_malformed_body_is_refused(world: World, body: object) -> None:
    response = world.client.post("/auth/token", json=body)
    assert response.status_code == 400
    assert code(response) in (None, "invalid_json")


def test_guessing_is_braked_and_the_right_password_waits_too(changing: World) -> None:
    answers = [changing.token("ayşe", f"yanlış {number}") for number in range(6)]
    assert [answer.status_code for answer in answers][-1] == 429
    assert code(answers[-1]) == "rate_limit_exceeded"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert changing.token("ayşe").status_code == 429
    assert changing.token("ışık").status_code == 200


def test_spellings_of_a_name_share_one_brake(changing: World) -> None:
    typed = ["IŞIK", "ışık", "Işık", "ışIK", "IşıK", "IŞıK"]
    statuses = [changing.token(name, "yanlış parola").status_code for name in typed]
    assert statuses[-1] == 429


def test_unknown_name_is_braked_alike(changing: World) -> None:
    statuses = [
        [changing.token(name, "yanlış parola").status_code for _ in range(6)]
        for name in ("ayşe", "yok")
    ]
    assert statuses[0] == statuses[1]


def test_success_releases_the_brake(changing: World) -> None:
    for _ in range(2):
        for _ in range(3):
            assert changing.token("ayşe", "yanlış parola").status_code == 401
        assert changing.token("ayşe").status_code == 200


def test_no_secret_key_gives_no_token(world: World) -> None:
    settings = replace(world.assistant.settings, secret_key="")
    app: Flask = create_app(settings)
    response = app.test_client().post("/auth/token", json={"username": "ayşe", "password": "x"})
    assert (response.status_code, code(response)) == (503, "not_configured")
    service: Service = app.extensions["docrag"]
    service.assistant.close()


def test_wrong_issuer_settings_stop_the_start(world: World) -> None:
    wrong: Settings = replace(world.assistant.settings, oidc_issuer="http://login.example")
    with pytest.raises(Exception, match="https://"):
        create_app(wrong)


def test_wrong_name_takes_the_time_of_a_wrong_password(
    changing: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Throttle, "attempt", lambda *_: 0.0)

    def timed(ask: Callable[[], Any]) -> float:
        start = time.perf_counter()
        ask()
        return time.perf_counter() - start

    # In turns, so that a busy machine slows both down alike.
    pairs = [
        (
            timed(lambda: changing.token("yok", "yanlış parola")),
            timed(lambda: changing.token("ayşe", "yanlış parola")),
        )
        for _ in range(30)
    ]
    name, password = (statistics.median(times) for times in zip(*pairs, strict=True))
    assert max(name, password) / min(name, password) < 1.5
