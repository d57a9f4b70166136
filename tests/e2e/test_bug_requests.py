"""Bug reports about what other servers refuse, and about their errors and other routes.

The numbers go on from ``test_bug_reports.py``.
"""

from __future__ import annotations

import base64
import struct
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient

from docrag.api import GenerationOptions, Message
from docrag.llms.openai import OpenAILLM
from docrag.testing.chat import Reply
from docrag.testing.openai import FakeOpenAI
from docrag.web import create_app
from tests.e2e.conftest import QUESTION, Served
from tests.e2e.test_bug_reports import post

#: Seconds in which a list from memory comes, on a busy machine.
SOON = 2.0
ORIGIN = "https://chat.example.org"
Json = dict[str, Any]


def answered(served: Served, **body: Any) -> Json:  # noqa: ANN401 - JSON
    """The body of an answer that cites its source."""
    response = post(served, **body)
    assert response.status_code == 200, response.text
    found: Json = response.json()
    assert "[1]" in found["choices"][0]["message"]["content"]
    return found


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": QUESTION}],
        [{"type": "text", "text": "İşveren risk değerlendirmesi"}, {"type": "text", "text": "?"}],
    ],
    ids=["one", "two"],
)
def test_bug_13_list_of_parts_is_read(served: Served, content: list[Json]) -> None:
    answered(served, messages=[{"role": "user", "content": content}])


def test_bug_14_developer_is_a_system_role(served: Served) -> None:
    turns = [{"role": "developer", "content": "Kısa yaz."}, {"role": "user", "content": QUESTION}]
    answered(served, messages=turns)
    roles = {turn["role"] for turn in served.ollama.requests[-1]["messages"]}
    assert roles <= {"system", "user", "assistant"}


def test_bug_15_unknown_fields_are_ignored(served: Served) -> None:
    answered(
        served,
        stream_options={"include_usage": True, "include_obfuscation": False},
        logit_bias={},
        parallel_tool_calls=True,
        num_ctx=4096,
        metadata={"chat": "1"},
    )


@pytest.mark.parametrize("user", ["u-1", 7, {"id": "u-1", "name": "Ayşe"}, None], ids=repr)
def test_bug_16_any_user_is_tolerated(served: Served, user: object) -> None:
    answered(served, user=user)


@pytest.fixture(scope="module")
def browser(served: Served) -> Iterator[FlaskClient]:
    """A client of an app that one origin's pages may call."""
    settings = served.assistant.settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served.assistant, "settings", replace(settings, cors_origins=(ORIGIN,)))
        yield create_app(assistant=served.assistant).test_client()


@pytest.mark.parametrize("path", ["/v1/models", "/v1/chat/completions", "/v1/embeddings"])
def test_bug_17_preflight_needs_no_key(browser: FlaskClient, path: str) -> None:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Headers": "authorization,x-stainless-os"}
    answer = browser.options(path, headers=asked)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "authorization" in answer.headers["Access-Control-Allow-Headers"].lower()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/models", 401), ("GET", "/v1/nope", 404), ("PUT", "/v1/models", 405)],
)
def test_bug_17_errors_can_be_read_by_a_page(
    browser: FlaskClient, method: str, path: str, status: int
) -> None:
    answer = browser.open(path, method=method, headers={"Origin": ORIGIN})
    assert answer.status_code == status
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN


#: Requests that are refused: method, path, body, headers, status.
REFUSED = [
    ("GET", "/v1/models", "", {"Authorization": ""}, 401),
    ("GET", "/v1/nope", "", {}, 404),
    ("DELETE", "/v1/chat/completions", "", {}, 405),
    ("POST", "/v1/chat/completions", "{", {}, 400),
    ("POST", "/v1/chat/completions", "[]", {}, 400),
    ("POST", "/v1/chat/completions", '{"model": "docrag", "messages": "x"}', {}, 400),
    ("POST", "/v1/chat/completions", '{"model": "docrag", "messages": []}', {}, 400),
    ("POST", "/v1/chat/completions", '{"messages": [{"role": "user", "content": "x"}]}', {}, 400),
    ("GET", "/v1/models/gpt-4o", "", {}, 404),
]


@pytest.mark.parametrize(("method", "path", "body", "headers", "status"), REFUSED)
def test_bug_18_error_is_the_whole_object(
    served: Served, method: str, path: str, body: str, headers: dict[str, str], status: int
) -> None:
    sent = served.headers() | headers
    answer = requests.request(method, served.url + path, data=body, headers=sent, timeout=60)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", 9), ("max_tokens", 0), ("n", 2), ("stream", "x"), ("messages", [{}])],
)
def test_bug_19_refused_value_is_named(served: Served, field: str, value: object) -> None:
    body: Json = {field: value}
    answer = post(served, **body)
    assert answer.status_code == 400
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json()["error"]
    assert error["param"].startswith(field)
    assert field in error["message"]


def get(served: Served, path: str) -> requests.Response:
    """An answer to the isg user, redirects not followed."""
    url = served.url + path
    return requests.get(url, headers=served.headers(), timeout=60, allow_redirects=False)


def test_bug_20_models_are_a_list_of_models(served: Served) -> None:
    body = get(served, "/v1/models").json()
    assert body["object"] == "list"
    assert [model["id"] for model in body["data"]][:1] == ["docrag"]
    for model in body["data"]:
        assert {"id", "object", "created", "owned_by"} <= set(model)
        assert (model["object"], type(model["created"])) == ("model", int)


def test_bug_21_responses_are_answered(served: Served) -> None:
    body = {"model": "docrag", "input": QUESTION}
    url = f"{served.url}/v1/responses"
    answer = requests.post(url, json=body, headers=served.headers(), timeout=60).json()
    assert (answer["object"], answer["status"]) == ("response", "completed")
    assert "[1]" in answer["output"][-1]["content"][0]["text"]


def vectors(served: Served, **body: Any) -> requests.Response:  # noqa: ANN401 - JSON
    """An answer with vectors."""
    url = f"{served.url}/v1/embeddings"
    wanted = {"model": "docrag", **body}
    return requests.post(url, json=wanted, headers=served.headers(), timeout=60)


@pytest.mark.parametrize("given", ["ışık", ["ışık"]], ids=["text", "list"])
def test_bug_22_vectors_come_in_both_forms(served: Served, given: object) -> None:
    plain = vectors(served, input=given).json()["data"][0]["embedding"]
    packed = vectors(served, input=given, encoding_format="base64").json()["data"][0]["embedding"]
    numbers = struct.unpack(f"<{len(plain)}f", base64.b64decode(packed))
    assert numbers == pytest.approx(plain, abs=1e-6)


@pytest.mark.parametrize("given", [[1, 2], [[1, 2]]], ids=["one", "many"])
def test_bug_22_numbers_of_tokens_are_refused(served: Served, given: object) -> None:
    answer = vectors(served, input=given)
    assert answer.status_code == 400
    assert answer.json()["error"]["param"].startswith("input")


@pytest.mark.parametrize("path", ["/v1/models/", "//v1/models", "/v1//models", "/v1/models//"])
def test_bug_23_slashes_do_not_matter(served: Served, path: str) -> None:
    answer = get(served, path)
    assert answer.status_code == 200
    assert answer.json()["object"] == "list"


@pytest.mark.parametrize("path", ["/v1//chat/completions", "/v1/chat/completions/"])
def test_bug_23_slashes_do_not_matter_to_questions(served: Served, path: str) -> None:
    body = {"model": "docrag", "messages": [{"role": "user", "content": QUESTION}]}
    url = served.url + path
    answer = requests.post(
        url, json=body, headers=served.headers(), timeout=60, allow_redirects=False
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("fault", ["slow", "500", "busy", "no_model"])
def test_bug_24_models_are_told_from_memory(served: Served, fault: str) -> None:
    served.ollama.fault, served.ollama.delay = fault, 30.0
    asked = len(served.ollama.requests)
    begun = time.monotonic()
    assert get(served, "/v1/models").status_code == 200
    assert time.monotonic() - begun < SOON
    assert len(served.ollama.requests) == asked


def test_bug_31_health_is_told_apart_from_models(served: Served) -> None:
    """A list of models says nothing of the rest; these need no key."""
    for path in ("/healthz", "/readyz"):
        answer = requests.get(served.url + path, timeout=60)
        assert answer.status_code == 200


def test_bug_32_pieces_of_tool_calls_have_no_nulls() -> None:
    tool = {"type": "function", "function": {"name": "saat", "parameters": {"type": "object"}}}
    said = Reply(tool_calls=(("saat", {"şehir": "İzmir"}),))
    with FakeOpenAI(answer=said, fault="odd") as server:
        llm = OpenAILLM(model="m", url=f"{server.url}/v1")
        options = GenerationOptions(tools=(tool,))
        turns = [Message(role="user", content="Saat kaç?")]
        found = list(llm.stream(turns, max_tokens=50, temperature=0.0, options=options))
    pieces = [piece for delta in found for piece in delta.tool_calls]
    assert "".join(piece["function"].get("arguments", "") for piece in pieces)
    for piece in pieces:
        assert None not in piece.values()
        assert None not in piece["function"].values()
