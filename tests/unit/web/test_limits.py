"""What the web layer makes of a counter that is full, or away."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from limits.storage import storage_from_string
from werkzeug.test import TestResponse

from docrag.api import StoreUnavailable
from docrag.settings import Settings
from docrag.web import create_app
from docrag.web.gate import KEY, Admission
from docrag.web.limits import KNOWING, StoreStorage, is_generating
from tests.unit.web.conftest import READER_KEY, StandIn
from tests.unit.web.recorded import open_webui

Ask = Callable[..., TestResponse]


class Counters:
    """The store's counters, in memory."""

    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()
        self.failure: Exception | None = None

    def hit(self, key: str, *, seconds: int, amount: int = 1) -> int:
        """Count."""
        if self.failure is not None:
            raise self.failure
        self.hits[key] += amount
        return self.hits[key]

    def state(self, key: str) -> tuple[int, float]:
        """A window that closes in 41.5 s."""
        if self.failure is not None:
            raise self.failure
        return self.hits[key], 41.5

    def forget(self, key: str | None = None) -> int:
        """Forget one or all."""
        known = [key] if key else list(self.hits)
        return sum(self.hits.pop(name, 0) > 0 for name in known)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Two questions a minute, three a day."""
    return Settings(instance=tmp_path, rate_per_minute=2, quota_per_day=3)


@pytest.fixture
def counters() -> Counters:
    """The counters of the app."""
    return Counters()


@pytest.fixture
def assistant(settings: Settings, counters: Counters) -> StandIn:
    """The stand-in, with counters that count."""
    standin = StandIn(settings)
    standin.store.limits = counters
    return standin


@pytest.fixture
def storage(counters: Counters) -> StoreStorage:
    """The counters as the limits package has them."""
    return StoreStorage("docrag://", counters=counters)  # type: ignore[arg-type] # a fake


def new_minute(counters: Counters) -> None:
    """Let the minute's windows close, and keep those of the day."""
    for key in [name for name in counters.hits if name.endswith("minute")]:
        del counters.hits[key]


def test_rate_lets_its_number_pass(ask: Ask) -> None:
    assert [ask().status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize("stream", [False, True])
def test_refusal_is_the_error_object(ask: Ask, stream: bool) -> None:
    for _ in range(2):
        ask()
    refused = ask(stream=stream)

    assert refused.status_code == 429
    assert refused.json == {
        "error": {
            "message": "Limit of 2 questions a minute reached; try again in 42 s.",
            "type": "rate_limit_error",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }


def test_rate_says_when_to_try_again(ask: Ask) -> None:
    for _ in range(2):
        ask()
    refused = ask()

    assert refused.headers["Retry-After"] == "42"
    assert "x-should-retry" not in refused.headers


def test_quota_forbids_to_try_again(ask: Ask, counters: Counters) -> None:
    for _ in range(3):
        new_minute(counters)
        ask()
    new_minute(counters)
    refused = ask()

    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "42"
    assert refused.headers["x-should-retry"] == "false"
    assert "3 questions a day" in refused.text


def test_refused_question_does_not_use_the_quota(ask: Ask, counters: Counters) -> None:
    for _ in range(5):
        ask()

    assert [n for key, n in counters.hits.items() if key.endswith("day")] == [2]


def test_refused_question_asks_no_model(ask: Ask, assistant: StandIn) -> None:
    for _ in range(5):
        ask()

    assert len(assistant.asked) == 2


def test_each_user_has_an_own_count(
    ask: Ask, client: FlaskClient, admin: dict[str, str], counters: Counters
) -> None:
    for _ in range(3):
        ask()
    body = {"model": "docrag", "messages": [{"role": "user", "content": "?"}]}

    assert client.post("/v1/chat/completions", json=body, headers=admin).status_code == 200
    assert len(counters.hits) == 4


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer dk-yanlis"}])
def test_strangers_are_not_counted(
    client: FlaskClient, counters: Counters, header: dict[str, str]
) -> None:
    response = client.post("/v1/chat/completions", json={}, headers=header)

    assert response.status_code == 401
    assert not counters.hits


@pytest.mark.parametrize("path", ["/v1/models", "/api/documents", "/healthz", "/openapi.json"])
def test_other_routes_are_not_counted(
    client: FlaskClient, reader: dict[str, str], counters: Counters, path: str
) -> None:
    assert client.get(path, headers=reader).status_code == 200
    assert not counters.hits


@pytest.mark.parametrize("stream", [False, True])
def test_absent_database_stops_the_question(
    ask: Ask, counters: Counters, assistant: StandIn, stream: bool
) -> None:
    counters.failure = StoreUnavailable("the database cannot be reached")
    refused = ask(stream=stream)

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert refused.json["error"]["code"] == "service_unavailable"  # type: ignore[index]
    assert not assistant.asked


def test_zero_switches_one_limit_off(tmp_path: Path, counters: Counters) -> None:
    ask = _asker(Settings(instance=tmp_path, rate_per_minute=0, quota_per_day=1), counters)

    assert [ask() for _ in range(2)] == [200, 429]
    assert [key.rpartition("/")[2] for key in counters.hits] == ["day"]


def test_zero_twice_counts_nothing(tmp_path: Path, counters: Counters) -> None:
    ask = _asker(Settings(instance=tmp_path, rate_per_minute=0, quota_per_day=0), counters)

    assert [ask() for _ in range(4)] == [200] * 4
    assert not counters.hits


def test_every_posting_route_of_v1_generates(app: Flask) -> None:
    generating = {rule.rule for rule in app.url_map.iter_rules() if is_generating(rule)}

    assert "/v1/chat/completions" in generating
    assert not [path for path in generating if not path.startswith("/v1/")]


def test_key_of_a_service_is_counted_by_itself(
    ask: Ask, assistant: StandIn, counters: Counters
) -> None:
    plain = assistant.store.keys.principal
    assistant.store.keys.principal = lambda stored: replace(plain(stored), kind="service")
    ask()

    assert {key.split("/")[1] for key in counters.hits} == {"key:2"}


def test_refusal_logs_no_question(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for _ in range(3):
            ask("gizli soru")

    assert "gizli" not in caplog.text


def test_storage_is_found_by_its_address(counters: Counters) -> None:
    options = {"counters": counters}
    found = storage_from_string("docrag://", **options)  # type: ignore[arg-type] # a fake

    assert isinstance(found, StoreStorage)


def test_storage_forgets(storage: StoreStorage) -> None:
    for key in ("ayşe", "ali"):
        storage.incr(key, 60)
    storage.clear("ayşe")

    assert (storage.get("ayşe"), storage.get("ali")) == (0, 1)
    assert storage.reset() == 1


@pytest.mark.parametrize("failure", [None, StoreUnavailable("away")])
def test_storage_tells_its_health(
    storage: StoreStorage, counters: Counters, failure: Exception | None
) -> None:
    counters.failure = failure

    assert storage.check() is (failure is None)


@pytest.mark.parametrize(
    "more",
    [
        {"model": "docrag-plain"},
        {"metadata": {"docrag": {"retrieval": "off"}}},
        open_webui("title"),
    ],
    ids=["plain", "off", "task"],
)
def test_tasks_count_ten_times_wider(ask: Ask, counters: Counters, more: dict[str, object]) -> None:
    statuses = [ask(**more).status_code for _ in range(21)]

    assert statuses == [200] * 20 + [429]
    assert {key.split("/")[2] for key in counters.hits} == {"task"}


def test_tasks_and_questions_do_not_use_each_other_up(ask: Ask) -> None:
    calls = ["docrag"] * 3 + ["docrag-plain"] * 3 + ["docrag"]

    assert [ask(model=model).status_code for model in calls] == [200, 200, 429, 200, 200, 200, 429]


def test_refused_task_says_what_it_was(ask: Ask, counters: Counters) -> None:
    for _ in range(20):
        ask(model="docrag-plain")
    refused = ask(model="docrag-plain")

    assert "20 requests without documents a minute" in refused.text
    assert refused.headers["Retry-After"] == "42"


def test_refused_question_keeps_no_place(ask: Ask, app: Flask) -> None:
    app.extensions[KEY] = Admission(1)

    assert [ask().status_code for _ in range(5)] == [200, 200, 429, 429, 429]


def test_greeting_counts_as_a_question(ask: Ask, counters: Counters) -> None:
    ask("Merhaba")

    assert {key.split("/")[2] for key in counters.hits} == {"question"}


@pytest.mark.parametrize("more", [{"model": "yok"}, {"n": 2}, {"messages": []}])
def test_impossible_request_is_not_counted(
    ask: Ask, counters: Counters, more: dict[str, object]
) -> None:
    assert ask(**more).status_code in (400, 404)
    assert not counters.hits


def test_every_generating_route_is_counted(app: Flask) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if is_generating(rule)]
    wrapped = {r.rule for r in rules if hasattr(app.view_functions[r.endpoint], "__wrapped__")}

    assert {rule.rule for rule in rules} <= wrapped | set(KNOWING)


def _asker(settings: Settings, counters: Counters) -> Callable[[], int]:
    """Asks an app with these settings, and tells the status."""
    standin = StandIn(settings)
    standin.store.limits = counters
    client = create_app(assistant=standin).test_client()  # type: ignore[arg-type] # a stand-in
    body = {"model": "docrag", "messages": [{"role": "user", "content": "?"}]}
    headers = {"Authorization": f"Bearer {READER_KEY}"}
    return lambda: client.post("/v1/chat/completions", json=body, headers=headers).status_code
