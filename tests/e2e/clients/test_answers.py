"""Each client gets its answers from docrag: text, sources, reason of the end, token counts.

The sources are those of the documents' page; what a model cannot do is in ``test_failures.py``.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.clients.conftest import Ask
from tests.e2e.clients.plan import EXPECTED
from tests.e2e.clients.running import CLIENTS

#: Clients that show the sources of a chat completion to their caller.
SOURCES = ["openai-python", "openai-node", "ai-openai", "ai-responses"]
#: Clients that tell why an answer ended.
REASONS = [name for name in CLIENTS if name != "llm"]


def having(*cases: str, among: list[str] | None = None) -> list[Any]:
    """Client and case, for each client that does the case."""
    return [
        pytest.param(name, case, id=f"{name}-{case}")
        for name, client in CLIENTS.items()
        if among is None or name in among
        for case in cases
        if case in {known["case"] for known in client.cases}
    ]


def total(usage: Any) -> int:  # noqa: ANN401 - each library has its own names
    """The sum of tokens, by whatever name."""
    if isinstance(usage, str):
        return 1 if "input" in usage and "output" in usage else 0
    names = ("total_tokens", "totalTokens")
    return next((int(usage[name]) for name in names if name in usage), 0)


@pytest.mark.parametrize(
    ("client", "case"), having("whole", "stream", "helper", "odd", "odd_stream")
)
def test_answer_comes_from_the_document(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert EXPECTED in told["text"]
    assert "[1]" in told["text"]


@pytest.mark.parametrize(
    ("client", "case"), having("whole", "stream", "helper", "plain_stream", among=REASONS)
)
def test_end_of_an_answer_has_its_reason(ask: Ask, client: str, case: str) -> None:
    assert ask(client)[case]["finish"] in ("stop", "completed")


@pytest.mark.parametrize(("client", "case"), having("whole", "stream", "helper", among=SOURCES))
def test_sources_reach_the_caller(ask: Ask, client: str, case: str) -> None:
    (source, *_) = ask(client)[case]["sources"]
    shown = source.get("url_citation", source)
    assert shown["title"] == "is_guvenligi_talimati.pdf s. 3, Madde 10"
    assert shown["url"].endswith("?page=3")


@pytest.mark.parametrize(("client", "case"), having("whole", "stream"))
def test_tokens_are_counted(ask: Ask, client: str, case: str) -> None:
    assert total(ask(client)[case]["usage"]) > 0


@pytest.mark.parametrize(("client", "case"), having("busy", "busy_stream"))
def test_busy_model_lets_passages_be_quoted(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert "25 metreyi geçemez" in told["text"]
    assert "[1]" in told["text"]


@pytest.mark.parametrize(("client", "case"), having("plain", "plain_stream"))
def test_plain_model_answers_without_sources(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert told["text"]
    assert told.get("sources", []) == []


@pytest.mark.parametrize(("client", "case"), having("slow_stream", "helper_slow"))
def test_keep_alives_harm_nobody(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    # No source says so: the sign and the note of verification stand behind it.
    assert told["text"].startswith("Evet bu ⚠")


@pytest.mark.parametrize(("client", "case"), having("structured"))
def test_answer_has_the_wanted_form(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    if client == "llm":
        assert '"metres": 25' in told["text"]
    else:
        assert told["data"] == {"metres": 25, "reason": "Talimat"}


@pytest.mark.parametrize(
    ("client", "case"), having("tools", "tools_stream", "helper_tools", among=REASONS)
)
def test_tool_is_called(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert [call["function"]["name"] for call in told["tools"] if "name" in call["function"]] == [
        "get_weather"
    ]
    assert told["finish"] in ("tool_calls", "tool-calls")


@pytest.mark.parametrize(
    ("client", "case"),
    having(
        "thoughts",
        "thoughts_stream",
        among=["openai-python", "openai-node", "ai-compatible", "continue"],
    ),
)
def test_thoughts_come_apart_from_the_text(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert "düşünelim" in told["reasoning"]
    assert "düşünelim" not in told["text"]
    assert EXPECTED in told["text"]
