"""Feedback over HTTP: on one's own answers, for administrators on all, read by them alone."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from docrag.web.extensions import KEY
from tests.integration.identity.world import Headers, World, code

EMAIL = "X-OpenWebUI-User-Email"


@pytest.fixture(autouse=True)
def _none_yet(world: World) -> None:
    """Forget the feedback of the tests before."""
    with world.assistant.store._sessions.begin() as session:
        session.execute(text("DELETE FROM feedback"))


def asked(world: World, headers: Headers) -> str:
    """The id of a new chat completion of the caller."""
    response = world.chat(headers, "turuncubaret nedir?")
    assert response.json is not None
    return str(response.json["id"])


def give(world: World, headers: Headers, answer: str, **body: object) -> TestResponse:
    body = {"rating": "up", **body}
    return world.client.post(f"/api/answers/{answer}/feedback", json=body, headers=headers)


def listed(world: World, query: str = "") -> dict[str, Any]:
    response = world.client.get(f"/api/feedback{query}", headers=world.key())
    assert response.status_code == 200
    found: dict[str, Any] = response.get_json()
    return found


def test_reader_rates_an_answer(world: World) -> None:
    ayse = world.key("ayşe")
    answer = asked(world, ayse)
    said = {"rating": "down", "reason": "wrong", "comment": " ığ\x00 ", "question": "Kaç\x00 gün?"}
    assert give(world, ayse, answer, **said).status_code == 204
    (entry,) = listed(world)["feedback"]
    assert answer == f"chatcmpl-{entry['answer']}"
    kept = {name: entry[name] for name in ("user", "rating", "reason", "comment", "question")}
    assert kept == {
        "user": "ayşe",
        "rating": "down",
        "reason": "wrong",
        "comment": "ığ",
        "question": "Kaç gün?",
    }


@pytest.mark.parametrize("prefix", ["", "chatcmpl-", "resp_"])
def test_identifier_is_taken_as_any_api_gives_it(world: World, prefix: str) -> None:
    ayse = world.key("ayşe")
    number = asked(world, ayse).removeprefix("chatcmpl-")
    assert give(world, ayse, f"{prefix}{number}").status_code == 204


def test_foreign_answer_is_like_a_missing_one(world: World) -> None:
    answer, missing = asked(world, world.key("ışık")), f"chatcmpl-{uuid.uuid4()}"
    responses = [give(world, world.key("ayşe"), each) for each in (answer, missing, "yok")]
    assert [(item.status_code, code(item)) for item in responses] == [(404, "not_found")] * 3
    bodies = [responses[n].text.replace(each[9:], "") for n, each in enumerate((answer, missing))]
    assert bodies[0] == bodies[1]
    assert listed(world)["feedback"] == []


def test_administrator_rates_every_answer(world: World) -> None:
    assert give(world, world.key(), asked(world, world.key("ayşe"))).status_code == 204
    assert [entry["user"] for entry in listed(world)["feedback"]] == ["yönetici"]


def test_front_end_passes_on_what_its_person_says(world: World) -> None:
    front = world.frontend("headers")
    ayse, isik = ({**front, EMAIL: f"{name}@example.org"} for name in ("ayse", "isik"))
    answer = asked(world, ayse)
    assert [give(world, who, answer).status_code for who in (isik, ayse)] == [404, 204]
    assert [entry["user"] for entry in listed(world)["feedback"]] == ["ayşe"]


def test_named_administrator_has_own_answers_only(world: World) -> None:
    headers = {**world.frontend("headers"), EMAIL: "admin@example.org"}
    assert give(world, headers, asked(world, world.key("ayşe"))).status_code == 404
    assert give(world, headers, asked(world, headers)).status_code == 204


def test_front_end_without_a_person_rates_nothing(world: World) -> None:
    response = give(world, world.frontend("headers"), asked(world, world.key("ayşe")))
    assert (response.status_code, code(response)) == (403, "bad_user_assertion")


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"rating": "fena"}, "rating"),
        ({"rating": None}, "rating"),
        ({"rating": "down", "reason": "hayır"}, "reason"),
        ({"reason": "wrong"}, "reason"),
        ({"comment": "ş" * 2001}, "comment"),
        ({"question": "ş" * 8001}, "question"),
        ({"comment": 7}, "comment"),
    ],
    ids=str,
)
def test_wrong_feedback_names_the_field(world: World, body: dict[str, Any], param: str) -> None:
    response = give(world, world.key("ayşe"), str(uuid.uuid4()), **body)
    assert response.status_code == 400 and response.json is not None
    assert response.json["error"]["param"] == param


def test_feedback_is_read_by_administrators_only(world: World) -> None:
    named = {**world.frontend("headers"), EMAIL: "admin@example.org"}
    for headers in (world.key("ayşe"), named):
        assert world.client.get("/api/feedback", headers=headers).status_code == 403


def test_list_goes_on(world: World) -> None:
    ayse = world.key("ayşe")
    for rating in ("up", "down", "up"):
        give(world, ayse, asked(world, ayse), rating=rating)
    first = listed(world, "?limit=2")
    rest = listed(world, f"?limit=2&before={first['next']}")
    found = [entry["rating"] for part in (first, rest) for entry in part["feedback"]]
    assert (found, rest["next"]) == (["up", "down", "up"], None)
    assert [entry["rating"] for entry in listed(world, "?rating=down")["feedback"]] == ["down"]


@pytest.mark.parametrize(
    "query",
    [
        "?limit=0",
        "?limit=501",
        "?before=x",
        "?before=-1",
        "?before=99999999999999999999999",
        "?rating=fena",
    ],
)
def test_wrong_part_of_the_list_is_refused(world: World, query: str) -> None:
    assert world.client.get(f"/api/feedback{query}", headers=world.key()).status_code == 400


@pytest.mark.parametrize(
    ("policy", "question"),
    [("log", "TC 10000000146 izin?"), ("mask", "TC [TCKN] izin?"), ("refuse", None)],
)
def test_personal_data_are_kept_as_the_policy_says(
    world: World, monkeypatch: pytest.MonkeyPatch, policy: str, question: str | None
) -> None:
    service = world.app.extensions[KEY]
    settings = replace(service.settings, personal_data=policy)
    monkeypatch.setitem(world.app.extensions, KEY, replace(service, settings=settings))
    ayse = world.key("ayşe")
    said = {"comment": "a@b.tr " * 280, "question": "TC 10000000146 izin?"}
    assert give(world, ayse, asked(world, ayse), **said).status_code == 204
    (entry,) = listed(world)["feedback"]
    assert entry["question"] == question
    assert ("a@b.tr" in entry["comment"], len(entry["comment"]) <= 2000) == (policy == "log", True)
