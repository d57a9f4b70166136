"""Chat requests: what is taken, what is refused, and the whole answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import Abstention, Delta, LLMError, Message
from tests.unit.web.conftest import citation

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]


def asked(assistant: StandIn) -> list[Message]:
    """Messages of the last question."""
    return list(assistant.asked[-1])


def refused(response: TestResponse) -> tuple[int, str | None]:
    """Status and named parameter of a refusal."""
    assert response.json is not None
    return response.status_code, response.json["error"]["param"]


def test_answer_has_text_and_usage(ask: Ask) -> None:
    body: Any = ask().json
    assert body["object"] == "chat.completion"
    assert body["choices"][0]["message"]["content"] == "İşveren yükümlüdür [1]."
    assert body["choices"][0]["finish_reason"] == "stop"
    assert body["usage"] == {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


def test_annotation_spans_the_marker(ask: Ask) -> None:
    message: Any = ask().json["choices"][0]["message"]  # type: ignore[index] # a JSON object
    (found,) = message["annotations"]
    place = found["url_citation"]
    assert message["content"][place["start_index"] : place["end_index"]] == "[1]"
    assert place["title"] == "kanun_6331.pdf s. 7"
    assert place["url"].startswith("http://localhost/documents/")
    assert place["url"].endswith("?page=7")


def test_search_results_list_what_was_offered(ask: Ask) -> None:
    body: Any = ask().json
    assert [entry["title"] for entry in body["search_results"]] == [
        "kanun_6331.pdf s. 7",
        "kanun_6331.pdf s. 8",
    ]
    assert body["search_results"][0]["snippet"].startswith("İşveren, risk")


def test_verdict_lists_cited_sources_only(ask: Ask) -> None:
    body: Any = ask().json
    assert body["docrag"]["answered"] is True
    assert [source["number"] for source in body["docrag"]["sources"]] == [1]
    assert body["docrag"]["sources"][0]["page_first"] == 7


def test_abstention_names_no_source(ask: Ask, assistant: StandIn) -> None:
    assistant.abstention = Abstention(reason="no_passages")
    assistant.script = lambda: iter([Delta(text="Bilgi yok."), Delta(finish_reason="stop")])
    body: Any = ask().json
    assert body["docrag"] == {
        "answered": False,
        "reason": "no_passages",
        "sources": [],
        "evidence": 0.0,
        "coverage": 0.0,
        "missing": [],
        "nearest": [],
    }
    assert body["search_results"] == []
    assert body["choices"][0]["message"]["annotations"] == []


def test_text_parts_are_joined(ask: Ask, assistant: StandIn) -> None:
    parts = [{"type": "text", "text": "İlk"}, {"type": "text", "text": "ikinci"}]
    assert ask(parts).status_code == 200
    assert asked(assistant)[-1].content == "İlk\nikinci"


@pytest.mark.parametrize("kind", ["image_url", "input_audio", "file"])
def test_other_part_is_refused(ask: Ask, kind: str) -> None:
    parts = [{"type": "text", "text": "Bu ne?"}, {"type": kind, kind: {"url": "data:,"}}]
    assert refused(ask(parts)) == (400, "messages[0].content[1]")


def test_developer_becomes_system(ask: Ask, assistant: StandIn) -> None:
    turns = [{"role": "developer", "content": "Kısa yaz."}, {"role": "user", "content": "Soru"}]
    assert ask(messages=turns).status_code == 200
    assert [message.role for message in asked(assistant)] == ["system", "user"]


def test_null_content_is_taken(ask: Ask, assistant: StandIn) -> None:
    turns = [
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "42", "tool_call_id": "x"},
        {"role": "user", "content": "Soru"},
    ]
    assert ask(messages=turns).status_code == 200
    # Results of tools are handed on: a model without documents needs them after its calls.
    assert [message.role for message in asked(assistant)] == ["assistant", "tool", "user"]


@pytest.mark.parametrize(
    "more",
    [
        {"max_tokens": 64},
        {"max_completion_tokens": 64},
        {"stream_options": None},
        {"stream": None},
        {"n": 1, "seed": 1, "tools": [], "logit_bias": {}, "num_ctx": 1, "user": {"id": "x"}},
        {"temperature": 0, "top_p": 1, "stop": ["x"], "response_format": {"type": "text"}},
    ],
)
def test_usual_field_is_accepted(ask: Ask, more: dict[str, Any]) -> None:
    assert ask(**more).status_code == 200


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": None}, "messages"),
        ({"messages": "soru"}, "messages"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages"),
        ({"messages": [{"role": "user"}]}, "messages"),
        ({"messages": [{"role": "kral", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [5]}, "messages[0]"),
        ({"model": None}, "model"),
        ({"n": 2}, "n"),
        ({"temperature": 9}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"stream": "belki"}, "stream"),
    ],
)
def test_bad_field_is_named(ask: Ask, more: dict[str, Any], param: str) -> None:
    assert refused(ask(**more)) == (400, param)


def test_unknown_model_is_not_found(ask: Ask) -> None:
    response = ask(model="gpt-4o")
    assert refused(response) == (404, "model")
    assert response.json is not None
    assert response.json["error"]["code"] == "model_not_found"


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", '"x"', "5", "[" * 100_000, "1" * 10_000, "{}"],
    ids=["empty", "cut", "list", "text", "number", "deep", "long", "nothing"],
)
def test_bad_json_is_refused(client: FlaskClient, reader: dict[str, str], body: str) -> None:
    response = client.post("/v1/chat/completions", data=body, headers=reader)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["type"] == "invalid_request_error"


def test_json_is_read_whatever_its_type(client: FlaskClient, reader: dict[str, str]) -> None:
    body = '{"model": "docrag", "messages": [{"role": "user", "content": "Iğdır"}]}'
    response = client.post(
        "/v1/chat/completions", data=body, headers=reader, content_type="text/plain"
    )
    assert response.status_code == 200


def test_unstorable_text_is_cleaned(
    client: FlaskClient, reader: dict[str, str], assistant: StandIn
) -> None:
    body = '{"model": "docrag", "messages": [{"role": "user", "content": "a\\u0000b\\ud800"}]}'
    response = client.post("/v1/chat/completions", data=body, headers=reader)
    assert response.status_code == 200
    assert asked(assistant)[-1].content == "ab?"


@pytest.mark.parametrize("stream", [False, True])
def test_dead_model_is_an_http_error(ask: Ask, assistant: StandIn, stream: bool) -> None:
    def fail() -> Iterator[Delta]:
        raise LLMError("ollama at http://10.0.0.5:11434 cannot be reached")
        yield

    assistant.script = fail
    response = ask(stream=stream)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "10.0.0.5" not in response.get_data(as_text=True)


def test_answer_without_finish_is_an_error(ask: Ask, assistant: StandIn) -> None:
    assistant.script = lambda: iter([Delta(text="yarım")])
    assert ask().status_code == 503


def test_body_over_limit_is_refused(client: FlaskClient, reader: dict[str, str]) -> None:
    response = client.post("/v1/chat/completions", data=b" " * 9_000_000, headers=reader)
    assert response.status_code == 413


def test_models_are_full_objects(client: FlaskClient, reader: dict[str, str]) -> None:
    body: Any = client.get("/v1/models", headers=reader).json
    assert body["object"] == "list"
    model, plain = body["data"]
    assert plain["id"] == "docrag-plain"
    assert (model["id"], model["object"], model["owned_by"]) == ("docrag", "model", "docrag")
    assert isinstance(model["created"], int)
    assert client.get("/v1/models/docrag", headers=reader).json == model


def test_missing_model_is_not_found(client: FlaskClient, reader: dict[str, str]) -> None:
    response = client.get("/v1/models/yok/boyle", headers=reader)
    assert refused(response) == (404, "model")


@pytest.mark.parametrize("kind", ["image_url", "input_audio", "file", 5])
def test_other_part_of_an_earlier_turn_is_left_out(
    ask: Ask, assistant: StandIn, kind: object
) -> None:
    parts = [{"type": kind}, {"type": "text", "text": "Bu ne?"}, {"type": "text", "text": "İş"}]
    turns = [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": "Bir baret."},
        {"role": "user", "content": "Kim takar?"},
    ]
    assert ask(messages=turns).status_code == 200
    assert asked(assistant)[0].content == "Bu ne?\nİş"


def test_other_part_of_the_last_question_is_named_by_its_place(ask: Ask) -> None:
    turns = [
        {"role": "user", "content": "Merhaba"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]},
        {"role": "assistant", "content": "Evet?"},
    ]
    assert refused(ask(messages=turns)) == (400, "messages[1].content[0]")


def test_null_text_part_is_empty(ask: Ask, assistant: StandIn) -> None:
    parts = [{"type": "text", "text": None}, {"type": "text", "text": "Soru"}]
    assert ask(parts).status_code == 200
    assert asked(assistant)[-1].content == "Soru"


def test_source_without_pages_leads_to_its_section(ask: Ask, assistant: StandIn) -> None:
    assistant.context = (replace(citation(1, page=None), section="Plan > 1. Alan & Sayım"),)
    body: Any = ask().json
    url = body["search_results"][0]["url"]
    assert url.endswith("?section=Plan%20%3E%201.%20Alan%20%26%20Say%C4%B1m")


def test_source_without_section_leads_to_the_document(ask: Ask, assistant: StandIn) -> None:
    assistant.context = (replace(citation(1, page=None), section=""),)
    body: Any = ask().json
    assert body["search_results"][0]["url"].endswith("/documents/" + citation(1).document_id)
