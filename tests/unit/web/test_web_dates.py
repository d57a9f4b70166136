"""The day that a request asks about: in the body, in a header, or today."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import Access

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Send = Callable[..., TestResponse]
ROUTES = {"/v1/chat/completions": "messages", "/v1/responses": "input"}


@pytest.fixture(params=ROUTES)
def send(request: pytest.FixtureRequest, client: FlaskClient, reader: dict[str, str]) -> Send:
    """Asks on either route, with a header or with further fields."""

    def post(header: str | None = None, **more: object) -> TestResponse:
        turns = [{"role": "user", "content": "İşveren neyle yükümlü?"}]
        body = {"model": "docrag", ROUTES[request.param]: turns, **more}
        dated = {} if header is None else {"X-Docrag-Date": header}
        return client.post(request.param, json=body, headers=reader | dated)

    return post


def access(assistant: StandIn) -> Access:
    """What the last question could read."""
    found: Access = assistant.given[-1]["access"]
    return found


@pytest.mark.parametrize(
    ("header", "field", "day"),
    [
        (None, None, None),
        ("", "", None),
        ("2015-04-01", None, date(2015, 4, 1)),
        (None, "2015-04-01", date(2015, 4, 1)),
        ("1999-12-31", " 2015-04-01 ", date(2015, 4, 1)),
    ],
)
def test_day_is_part_of_the_access(
    send: Send, assistant: StandIn, header: str | None, field: str | None, day: date | None
) -> None:
    assert send(header, docrag_date=field).status_code == 200
    assert access(assistant) == Access(roles=frozenset({"isg"}), on=day)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("given", ["yarın", "2015-02-30", 20150401, ["2015-04-01"], True])
def test_odd_field_is_refused(send: Send, assistant: StandIn, given: object, stream: bool) -> None:
    response = send(docrag_date=given, stream=stream)
    error: Any = response.json
    assert response.status_code == 400
    assert error["error"]["param"] == "docrag_date"
    assert "2015-04-01" in error["error"]["message"]
    assert assistant.given == []


@pytest.mark.parametrize("more", [{}, {"metadata": {"docrag": {"retrieval": "off"}}}])
def test_odd_header_is_refused(send: Send, assistant: StandIn, more: dict[str, object]) -> None:
    response = send("1.4.2015", **more)
    error: Any = response.json
    assert (response.status_code, error["error"]["param"]) == (400, "X-Docrag-Date")
    assert assistant.given == []


def test_header_is_described(client: FlaskClient) -> None:
    paths: Any = client.get("/openapi.json").json["paths"]  # type: ignore[index] # an object
    for route in ROUTES:
        described = paths[route]["post"]["parameters"]
        assert [item["name"] for item in described if item["in"] == "header"] == ["X-Docrag-Date"]
