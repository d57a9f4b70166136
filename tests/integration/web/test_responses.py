"""The Responses API over a real database: whole and streamed, what is refused, who sees what."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.assistant import Assistant
from docrag.testing.chat import Reply
from docrag.testing.ollama import FakeOllama
from tests.integration.web.conftest import Headers

RULE = "Depoda baret takmak zorunludur. Baret her vardiyada kontrol edilir. Iğdır şubesi dâhildir."
QUESTION = "Depoda baret takmak zorunlu mu?"
FALLBACK = "Bu bilgi belgelerde bulunmuyor."
TOOL = {"type": "function", "name": "hava", "parameters": {"type": "object"}}


@pytest.fixture
def document_id(client: FlaskClient, admin: Headers, isg: Headers, assistant: Assistant) -> str:
    """A document for isg, ready."""
    form = {"file": (io.BytesIO(RULE.encode()), "baret.txt"), "roles": "isg"}
    made: Any = client.post("/api/documents", data=form, headers=admin).json
    assert assistant.work_once()
    found: str = made["id"]
    return found


def post(client: FlaskClient, who: Headers, **more: Any) -> TestResponse:  # noqa: ANN401 - JSON
    """A request with the usual question unless told otherwise."""
    body = {"model": "docrag", "input": QUESTION, **more}
    return client.post("/v1/responses", json=body, headers=who)


def ask(client: FlaskClient, who: Headers, **more: Any) -> Any:  # noqa: ANN401 - JSON
    """The finished Response, whole or as the last event of a stream holds it."""
    response = post(client, who, **more)
    assert response.status_code == 200, response.text
    return events(response)[-1]["response"] if more.get("stream") else response.json


def events(response: TestResponse) -> list[dict[str, Any]]:
    """The events of a stream, each named as its data says, before ``[DONE]``."""
    blocks = response.get_data(as_text=True).split("\n\n")
    assert blocks[-2:] == ["data: [DONE]", ""]
    found = []
    for block in blocks[:-2]:
        name, _, data = block.rpartition("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert name.splitlines()[-1] == f"event: {found[-1]['type']}"
    return found


def part(body: Any) -> Any:  # noqa: ANN401 - JSON
    """The text part of the message of a Response."""
    (message,) = [item for item in body["output"] if item["type"] == "message"]
    (found,) = message["content"]
    return found


def sent(ollama: FakeOllama) -> Any:  # noqa: ANN401 - JSON
    """The last chat that the model was asked."""
    return ollama.requests[-1]


def error(response: TestResponse, status: int = 400) -> dict[str, Any]:
    """The error object of an answer."""
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.get_json()["error"]
    return found


@pytest.mark.parametrize("stream", [False, True])
def test_answer_cites_by_annotations(
    client: FlaskClient, isg: Headers, document_id: str, stream: bool
) -> None:
    body = ask(client, isg, stream=stream)
    found = part(body)
    (mark,) = found["annotations"]

    assert found["text"][mark["start_index"] : mark["end_index"]] == "[1]"
    assert mark["type"] == "url_citation"
    assert mark["url"].endswith(document_id)
    assert body["docrag"]["sources"][0]["document_id"] == document_id


def test_whole_and_streamed_are_alike(client: FlaskClient, isg: Headers, document_id: str) -> None:
    own = {"id", "created_at", "completed_at", "output"}
    whole, streamed = (ask(client, isg, stream=stream) for stream in (False, True))

    assert part(whole) == part(streamed)
    assert {k: v for k, v in whole.items() if k not in own} == {
        k: v for k, v in streamed.items() if k not in own
    }


def test_stream_has_every_piece_once(client: FlaskClient, isg: Headers, document_id: str) -> None:
    found = events(post(client, isg, stream=True))
    deltas = [e["delta"] for e in found if e["type"] == "response.output_text.delta"]

    assert [event["sequence_number"] for event in found] == list(range(len(found)))
    assert len(deltas) > 2
    assert "".join(deltas) == part(found[-1]["response"])["text"]
    assert found[-1]["response"]["usage"]["total_tokens"] > 0


@pytest.mark.parametrize("stream", [False, True])
def test_answer_names_its_audit_row(
    client: FlaskClient, isg: Headers, document_id: str, assistant: Assistant, stream: bool
) -> None:
    body = ask(client, isg, stream=stream)
    (entry,) = assistant.store.answers.list(limit=5)

    assert body["id"] == f"resp_{entry.answer.id}"


@pytest.mark.parametrize("stream", [False, True])
def test_other_role_learns_nothing(
    client: FlaskClient, ik: Headers, document_id: str, ollama: FakeOllama, stream: bool
) -> None:
    text = post(client, ik, stream=stream).get_data(as_text=True)

    assert FALLBACK in text
    assert not any(word in text for word in (document_id, "baret.txt", "vardiyada"))
    assert ollama.chat_calls == 0


def test_conversation_is_read_from_items(
    client: FlaskClient, isg: Headers, document_id: str, ollama: FakeOllama
) -> None:
    said = [{"type": "output_text", "text": "Merhaba, sorunuz nedir?", "annotations": []}]
    items = [
        {"role": "developer", "content": "Kısa yaz."},
        {"role": "user", "content": "Bir sorum var."},
        {"type": "message", "role": "assistant", "id": "msg_1", "content": said},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]},
    ]
    ask(client, isg, input=items, instructions="Türkçe yaz.")
    prompt = json.dumps(sent(ollama), ensure_ascii=False)

    assert all(text in prompt for text in ("Kısa yaz.", "Türkçe yaz.", "sorunuz", "baret takmak"))


def test_task_is_known_here_too(client: FlaskClient, isg: Headers, ollama: FakeOllama) -> None:
    ollama.answer = '{"title": "Baret"}'
    client_says = {**isg, "X-Docrag-Task": "title_generation"}
    response = post(client, client_says, input="### Task:\nBaşlık yaz.")

    assert response.headers["x-docrag-retrieval"] == "skipped-task"
    assert part(response.json)["text"] == '{"title": "Baret"}'
    assert "docrag" not in (response.json or {})


def test_metadata_turns_documents_off(
    client: FlaskClient, isg: Headers, document_id: str, ollama: FakeOllama
) -> None:
    ollama.answer = "Selam [1]."
    said = {"docrag": {"retrieval": "off"}, "konu": "baret"}
    response = post(client, isg, metadata=said)

    assert response.headers["x-docrag-retrieval"] == "skipped-off"
    assert part(response.json) == {
        "type": "output_text", "text": "Selam [1].", "annotations": [], "logprobs": [],
    }  # fmt: skip
    assert response.json is not None
    assert response.json["metadata"] == {"konu": "baret"}


@pytest.mark.parametrize("stream", [False, True])
def test_thoughts_and_calls_are_items(
    client: FlaskClient, isg: Headers, ollama: FakeOllama, stream: bool
) -> None:
    ollama.answer = Reply(reasoning="Hava sorulmuş.", tool_calls=(("hava", {"il": "Iğdır"}),))
    body = ask(client, isg, model="docrag-plain", stream=stream, tools=[TOOL])
    thought, call = body["output"]

    assert thought["summary"] == [{"type": "summary_text", "text": "Hava sorulmuş."}]
    assert (call["type"], call["name"]) == ("function_call", "hava")
    assert json.loads(call["arguments"]) == {"il": "Iğdır"}
    assert body["status"] == "completed"


def test_result_of_a_call_reaches_the_model(
    client: FlaskClient, isg: Headers, ollama: FakeOllama
) -> None:
    ollama.answer = "Yağmurlu."
    items = [
        {"role": "user", "content": "Iğdır'da hava?"},
        {"type": "function_call", "call_id": "c1", "name": "hava", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "yağmur"},
    ]
    body = ask(client, isg, model="docrag-plain", input=items, tools=[TOOL])

    assert part(body)["text"] == "Yağmurlu."
    assert [turn["role"] for turn in sent(ollama)["messages"]][-3:] == ["user", "assistant", "tool"]


@pytest.mark.parametrize("stream", [False, True])
def test_cut_answer_is_incomplete(
    client: FlaskClient, isg: Headers, document_id: str, stream: bool
) -> None:
    body = ask(client, isg, stream=stream, max_output_tokens=2)

    assert body["status"] == "incomplete"
    assert body["incomplete_details"] == {"reason": "max_output_tokens"}
    assert body["max_output_tokens"] == 2


def test_broken_stream_says_so(
    client: FlaskClient, isg: Headers, document_id: str, ollama: FakeOllama
) -> None:
    ollama.fault = "error_line"
    *_, told, failed = events(post(client, isg, stream=True))

    assert told["type"] == "error"
    assert told["error"]["message"] == told["message"]
    assert failed["type"] == "response.failed"
    assert failed["response"]["error"]["code"] == "server_error"
    assert failed["response"]["status"] == "failed"


@pytest.mark.parametrize(
    ("body", "param", "said"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id", "keeps no conversations"),
        ({"conversation": {"id": "conv_1"}}, "conversation", "keeps no conversations"),
        ({"background": True}, "background", "background"),
        ({"prompt": {"id": "p"}}, "prompt", "instructions"),
        ({"input": []}, "input", "not empty"),
        ({"input": 5}, "input", "items"),
        ({"input": [{"role": "kişi", "content": "a"}]}, "input[0].role", "input[0].role"),
        ({"input": [{"type": "reasoning"}]}, "input", ""),
        ({"input": [{"role": "system", "content": "a"}]}, "input", "input: no user message"),
        (
            {"input": [{"type": "reasoning"}, {"role": "user", "content": 5}]},
            "input[1].content",
            "input[1].content",
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image"}]}]},
            "input[0].content[0]",
            "image_url",
        ),
        ({"max_output_tokens": 0}, "max_output_tokens", ""),
        ({"temperature": "sıcak"}, "temperature", "number"),
        ({"tools": [{"type": "function"}]}, "tools[0].name", "text"),
        ({"text": {"format": {"type": "şiir"}}}, "text.format.type", "json_schema"),
    ],
)
def test_odd_requests_are_refused_by_name(
    client: FlaskClient, isg: Headers, body: dict[str, Any], param: str, said: str
) -> None:
    found = error(post(client, isg, **body))

    assert (found["type"], found["param"]) == ("invalid_request_error", param)
    assert said in found["message"]


def test_unknown_model_is_not_found(client: FlaskClient, isg: Headers) -> None:
    found = error(post(client, isg, model="gpt-5"), 404)

    assert (found["code"], found["param"]) == ("model_not_found", "model")


def test_nobody_gets_an_answer(client: FlaskClient) -> None:
    assert error(post(client, {}), 401)["code"] == "invalid_api_key"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_nothing_is_kept(client: FlaskClient, isg: Headers, document_id: str, method: str) -> None:
    name = ask(client, isg)["id"]
    response = client.open(f"/v1/responses/{name}", method=method, headers=isg)

    assert error(response, 404)["code"] == "not_found"


def test_unknown_fields_are_ignored(client: FlaskClient, isg: Headers, document_id: str) -> None:
    more = {"store": True, "include": ["x"], "truncation": "auto", "user": {"id": 1}, "odd": [1]}
    body = ask(client, isg, **more, tools=[{"type": "web_search"}], tool_choice="required")

    assert (body["store"], body["tools"], body["tool_choice"]) == (False, [], "auto")
    assert "[1]" in part(body)["text"]


def test_footer_ends_the_text_where_a_key_wants_it(
    client: FlaskClient, isg: Headers, document_id: str, assistant: Assistant
) -> None:
    (key,) = assistant.store.keys.list("kişi-isg")
    assistant.store.keys.set_citations(key.id, "footer")
    found = part(ask(client, isg, stream=True))

    assert re.search(r"\n---\nKaynaklar:\n- \[1\] \[baret\.txt", found["text"])
    assert len(found["annotations"]) == 1
