"""Whatever the models behind do, each body and each chunk is what OpenAI's own description says."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests

from tests.e2e.clients.conftest import Live
from tests.e2e.clients.plan import QUESTION, TOOL
from tests.e2e.conftest import Schemas

FORM = {
    "type": "json_schema",
    "json_schema": {"name": "answer", "schema": {"properties": {"metres": {"type": "integer"}}}},
}
#: What is sent besides the question: a name, the body's fields, further headers.
REQUESTS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("documents", {}, {}),
    ("usage", {"stream_options": {"include_usage": True}}, {}),
    ("plain", {"model": "docrag-plain"}, {}),
    ("tools", {"model": "docrag-plain", "tools": [TOOL], "tool_choice": "required"}, {}),
    ("form", {"model": "docrag-plain", "response_format": FORM}, {}),
    ("thoughts", {"model": "docrag-thinking"}, {}),
    ("odd", {"model": "docrag-odd"}, {}),
    ("busy", {"model": "docrag-busy"}, {}),
    ("short", {"max_tokens": 3}, {}),
    ("greeting", {"messages": [{"role": "user", "content": "Merhaba!"}]}, {}),
    ("nothing-found", {"messages": [{"role": "user", "content": "Mars'ta kaç uydu var?"}]}, {}),
    ("task", {}, {"X-Docrag-Task": "title_generation"}),
    ("open-webui", {}, {"X-OpenWebUI-Chat-Id": "c1"}),
]
#: Requests whose model leaves in the middle.
BROKEN = ["docrag-cut", "docrag-error", "docrag-endless"]

asked = pytest.mark.parametrize(
    ("body", "headers"), [pytest.param(*sent, id=name) for name, *sent in REQUESTS]
)


def post(live: Live, headers: dict[str, str], **body: Any) -> requests.Response:  # noqa: ANN401 - JSON
    """An answer to the usual question, whole."""
    question = [{"role": "user", "content": QUESTION}]
    return requests.post(
        f"{live.api}/chat/completions",
        json={"model": "docrag", "messages": question, **body},
        headers={"Authorization": f"Bearer {live.key}", **headers},
        timeout=60,
    )


def events(response: requests.Response) -> list[Any]:
    """The JSON of each event before ``[DONE]``."""
    data = [line[6:] for line in response.content.split(b"\n") if line[:6] == b"data: "]
    assert data[-1] == b"[DONE]"
    return [json.loads(item) for item in data[:-1]]


@asked
def test_body_fits(
    live: Live, openai_schemas: Schemas, body: dict[str, Any], headers: dict[str, str]
) -> None:
    response = post(live, headers, **body)
    assert response.status_code == 200, response.text
    openai_schemas["CreateChatCompletionResponse"].validate(response.json())


@asked
def test_chunks_fit(
    live: Live, openai_schemas: Schemas, body: dict[str, Any], headers: dict[str, str]
) -> None:
    found = events(post(live, headers, stream=True, **body))
    assert len(found) > 1
    for chunk in found:
        openai_schemas["CreateChatCompletionStreamResponse"].validate(chunk)


@pytest.mark.parametrize("model", BROKEN)
def test_broken_stream_fits(live: Live, openai_schemas: Schemas, model: str) -> None:
    (*told, last) = events(post(live, {}, stream=True, model=model))
    for chunk in told:
        openai_schemas["CreateChatCompletionStreamResponse"].validate(chunk)
    openai_schemas["ErrorResponse"].validate(last)


@pytest.mark.parametrize("model", [*BROKEN, "gpt-4o"])
def test_error_fits(live: Live, openai_schemas: Schemas, model: str) -> None:
    response = post(live, {}, model=model)
    assert response.status_code in (404, 503)
    openai_schemas["ErrorResponse"].validate(response.json())
