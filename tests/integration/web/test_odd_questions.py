"""Questions that nobody should ask, sent over HTTP: an answer or a clear refusal, never a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from docrag.assistant import Assistant
from tests.integration.web.conftest import Headers


@pytest.fixture
def who(isg: Headers, assistant: Assistant) -> Headers:
    """A user who may read one document."""
    assistant.ingest(b"Depoda baret takmak zorunludur.", roles=["isg"], filename="baret.txt")
    return isg


def status(client: FlaskClient, who: Headers, content: Any) -> int:  # noqa: ANN401 - JSON
    body = {"model": "docrag", "messages": [{"role": "user", "content": content}]}
    # Escaped, since the client's own JSON refuses half a surrogate pair.
    response = client.post(
        "/v1/chat/completions",
        data=json.dumps(body),
        content_type="application/json",
        headers=who,
    )
    assert response.json
    assert ("error" in response.json) == (response.status_code != 200)
    return response.status_code


@pytest.mark.parametrize(
    "content",
    [
        "?!.,",
        "🙂",
        "ημέρες άδεια",
        "الإجازة السنوية",
        "年假为十四天",
        "'; DROP TABLE chunks; -- baret",
        "baret\0",
        "baret \ud800",
    ],
    ids=lambda content: content[:6].encode("unicode_escape").decode(),
)
def test_odd_question_is_answered(client: FlaskClient, who: Headers, content: str) -> None:
    assert status(client, who, content) == 200


def test_question_longer_than_the_prompt_is_refused(client: FlaskClient, who: Headers) -> None:
    assert status(client, who, "baret " * 8_000) == 400


@pytest.mark.parametrize("content", ["", "  ", "\n"])
def test_empty_question_is_refused(client: FlaskClient, who: Headers, content: str) -> None:
    assert status(client, who, content) == 400
