"""Each client learns of a failure, and takes no broken answer for a whole one."""

from __future__ import annotations

import pytest

from tests.e2e.clients.conftest import Ask
from tests.e2e.clients.running import CLIENTS
from tests.e2e.clients.test_answers import having

#: What docrag says when the model left in the middle of an answer.
BROKE_OFF = "model"
#: Clients whose errors carry the status of the server's answer.
STATUS = [
    name
    for name, client in CLIENTS.items()
    if name != "llm" and "wrong_key" in {case["case"] for case in client.cases}
]
#: Clients whose errors carry its code as well.
TYPED = ["openai-python", "openai-node", "langchain-python", "langchain-node"]


@pytest.mark.parametrize(
    ("client", "case"), having("cut_stream", "helper_cut", "error_stream", "endless_stream")
)
def test_cut_stream_is_an_error(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert BROKE_OFF in told["error"]["message"]
    assert told.get("finish") in (None, "error")
    if case != "helper_cut":
        assert told["text"]


@pytest.mark.parametrize(("client", "case"), having("cut", "error", "endless"))
def test_cut_answer_is_an_error(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert BROKE_OFF in told["error"]["message"]
    assert told["text"] == ""


@pytest.mark.parametrize(
    ("case", "status", "code"),
    [
        ("unknown_model", 404, "model_not_found"),
        ("wrong_key", 401, "invalid_api_key"),
        ("no_question", 400, None),
    ],
)
@pytest.mark.parametrize("client", STATUS)
def test_error_has_its_status(
    ask: Ask, client: str, case: str, status: int, code: str | None
) -> None:
    error = ask(client)[case]["error"]
    assert error["status"] == status
    assert error["message"]
    if code and client in TYPED:
        assert error["code"] == code


def test_command_says_what_was_wrong(ask: Ask) -> None:
    told = ask("llm")["wrong_key"]
    assert "Error code: 401" in told["error"]["message"]
    assert told["text"] == ""
