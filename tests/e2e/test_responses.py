"""OpenAI's own client and schemas against the served Responses and embeddings APIs."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import openai
import pytest
import requests
from pydantic import BaseModel

from docrag.testing.chat import Reply
from tests.e2e.conftest import QUESTION, Schemas, Served

#: Seconds in which a busy machine sees that a client left; a free one needs less than one.
SOON = 20.0
FALLBACK = "Bu bilgi belgelerde bulunmuyor."
TOOL: Any = {
    "type": "function",
    "name": "hava",
    "description": "Hava durumu",
    "parameters": {"type": "object", "properties": {"il": {"type": "string"}}},
    "strict": False,
}
THOUGHTFUL = Reply(reasoning="Düşünüyorum. Işık yok.", text="Evet, yapar.")
CALLING = Reply(tool_calls=(("hava", {"il": "Iğdır"}),))


class Distance(BaseModel):
    """What the model is asked to answer with."""

    metre: int


def create(served: Served, *, key: str = "", **more: Any) -> Any:  # noqa: ANN401 - the client's overloads
    """A Response; a list of events if streamed."""
    wanted = {"model": "docrag", "input": QUESTION, **more}
    found = served.client(key).responses.create(**wanted)
    return list(found) if more.get("stream") else found


def raw(served: Served, **body: Any) -> requests.Response:  # noqa: ANN401 - JSON
    """An answer as it is on the wire."""
    return requests.post(
        f"{served.url}/v1/responses",
        json={"model": "docrag", "input": QUESTION, **body},
        headers=served.headers(),
        timeout=60,
    )


def events(response: requests.Response) -> list[Any]:
    """The JSON of each event before ``[DONE]``."""
    lines = response.content.split(b"\n")
    data = [line.removeprefix(b"data: ") for line in lines if line.startswith(b"data: ")]
    assert data[-1] == b"[DONE]"
    return [json.loads(line) for line in data[:-1]]


def test_answer_cites_page_seven_first(served: Served) -> None:
    answer = create(served)
    (part,) = answer.output[0].content
    mark = part.annotations[0]
    assert answer.status == "completed"
    assert part.text[mark.start_index : mark.end_index] == "[1]"
    assert mark.title == "kanun_6331.pdf s. 7, Madde 10"
    assert mark.url == f"{served.url}/documents/{served.law_id}?page=7"
    assert answer.output_text == part.text
    assert answer.usage.total_tokens > 0


def test_stream_says_the_same(served: Served) -> None:
    found = create(served, stream=True)
    text = "".join(e.delta for e in found if e.type == "response.output_text.delta")
    marks = [e.annotation for e in found if e.type == "response.output_text.annotation.added"]
    assert text == create(served).output_text
    assert found[0].type == "response.created"
    assert found[-1].type == "response.completed"
    assert found[-1].response.output_text == text
    assert marks[0].title == "kanun_6331.pdf s. 7, Madde 10"


def test_accumulating_stream_helper_works(served: Served) -> None:
    with served.client().responses.stream(model="docrag", input=QUESTION) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    assert "[1]" in final.output_text
    assert "response.output_text.done" in kinds


@pytest.mark.parametrize("stream", [False, True])
def test_other_role_gets_the_fallback_without_a_model(served: Served, stream: bool) -> None:
    found = create(served, key=served.ik_key, stream=stream)
    answer = found[-1].response if stream else found
    assert answer.output_text == FALLBACK
    assert answer.output[0].content[0].annotations == []
    assert served.ollama.chat_calls == 0


@pytest.mark.parametrize(
    ("reply", "more"),
    [
        (None, {}),
        (None, {"instructions": "Kısa yaz.", "max_output_tokens": 3, "metadata": {"a": "b"}}),
        (THOUGHTFUL, {"model": "docrag-plain", "reasoning": {"effort": "low"}}),
        (CALLING, {"model": "docrag-plain", "tools": [TOOL], "tool_choice": "auto"}),
    ],
    ids=["sources", "cut", "thoughts", "calls"],
)
def test_bodies_and_events_fit_the_schemas(
    served: Served, openai_schemas: Schemas, reply: Reply | None, more: dict[str, Any]
) -> None:
    served.ollama.answer = reply
    openai_schemas["Response"].validate(raw(served, **more).json())
    for event in events(raw(served, stream=True, **more)):
        openai_schemas["ResponseStreamEvent"].validate(event)


def test_broken_model_fits_the_schema(served: Served, openai_schemas: Schemas) -> None:
    served.ollama.fault = "error_line"
    found = events(raw(served, stream=True))
    for event in found:
        openai_schemas["ResponseStreamEvent"].validate(event)
    assert [event["type"] for event in found[-2:]] == ["error", "response.failed"]


@pytest.mark.parametrize("fault", ["cut", "error_line", "garbage"])
def test_broken_model_is_an_error_in_the_stream(served: Served, fault: str) -> None:
    served.ollama.fault = fault
    seen: list[Any] = []
    with pytest.raises(openai.APIError):
        for event in served.client().responses.create(model="docrag", input=QUESTION, stream=True):
            seen.append(event)
    assert seen
    assert "response.completed" not in {event.type for event in seen}


def test_thoughts_stand_apart(served: Served) -> None:
    served.ollama.answer = THOUGHTFUL
    found = create(served, model="docrag-plain", stream=True)
    thoughts = [e.delta for e in found if e.type == "response.reasoning_summary_text.delta"]
    assert "".join(thoughts) == THOUGHTFUL.reasoning
    assert found[-1].response.output_text == THOUGHTFUL.text


def test_tool_is_called_and_its_result_read(served: Served) -> None:
    served.ollama.answer = CALLING
    first = create(served, model="docrag-plain", tools=[TOOL])
    (call,) = first.output
    served.ollama.answer = "Yağmurlu."
    turns = [
        {"role": "user", "content": QUESTION},
        call.to_dict(),
        {"type": "function_call_output", "call_id": call.call_id, "output": "yağmur"},
    ]
    second = create(served, model="docrag-plain", tools=[TOOL], input=turns)
    assert json.loads(call.arguments) == {"il": "Iğdır"}
    assert second.output_text == "Yağmurlu."


def test_streamed_call_is_put_together(served: Served) -> None:
    served.ollama.answer = CALLING
    client = served.client().responses
    with client.stream(model="docrag-plain", input=QUESTION, tools=[TOOL]) as stream:
        call: Any = stream.get_final_response().output[0]
    assert (call.type, call.name) == ("function_call", "hava")
    assert json.loads(call.arguments) == {"il": "Iğdır"}


def test_parsed_answer_is_an_object(served: Served) -> None:
    served.ollama.answer = '{"metre": 30}'
    answer = served.client().responses.parse(
        model="docrag-plain", input=QUESTION, text_format=Distance
    )
    assert answer.output_parsed == Distance(metre=30)


def test_answer_goes_back_as_input(served: Served) -> None:
    first = create(served)
    turns: Any = [{"role": "user", "content": QUESTION}]
    turns += [item.to_dict() for item in first.output]
    turns += [{"role": "user", "content": "Risk değerlendirmesi nasıl yapılır?"}]
    assert create(served, input=turns).status == "completed"


def test_conversations_are_not_kept(served: Served) -> None:
    with pytest.raises(openai.BadRequestError, match="keeps no conversations"):
        create(served, previous_response_id="resp_1")
    with pytest.raises(openai.NotFoundError):
        served.client().responses.retrieve("resp_1")


def test_busy_model_is_a_server_error(served: Served) -> None:
    served.ollama.fault = "busy"
    with pytest.raises(openai.InternalServerError) as caught:
        create(served, stream=True, model="docrag-plain")
    assert caught.value.status_code == 503


def test_silence_is_filled_with_comments(served: Served) -> None:
    served.ollama.delay = 3.0
    served.ollama.answer = "Evet."  # two pieces, the second after a silence
    lines = raw(served, stream=True, model="docrag-plain").content.split(b"\n")
    assert b": keep-alive" in lines
    assert [line for line in lines if line.startswith(b"id:")] == []


def test_gone_client_stops_the_model(served: Served) -> None:
    served.ollama.delay = 0.2
    served.ollama.answer = "Evet. " * 200
    body = {"model": "docrag-plain", "input": QUESTION, "stream": True}
    url = f"{served.url}/v1/responses"
    with requests.post(
        url, json=body, headers=served.headers(), stream=True, timeout=60
    ) as response:
        assert next(response.iter_lines()).startswith(b"event: response.created")
    assert served.ollama.disconnected.wait(SOON)


@pytest.mark.parametrize("form", [None, "float", "base64"])
def test_vectors_are_read_by_the_client(served: Served, form: Any) -> None:  # noqa: ANN401 - the client's literals
    more = {"encoding_format": form} if form else {}
    found = served.client().embeddings.create(model="docrag", input=["Işık", "baret"], **more)
    first: Any = found.data[0].embedding
    if form == "base64":
        first = np.frombuffer(base64.b64decode(first), dtype="<f4")
    assert len(first) == 256
    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-5)


def test_vectors_fit_the_schema(served: Served, openai_schemas: Schemas) -> None:
    response = requests.post(
        f"{served.url}/v1/embeddings",
        json={"model": "docrag", "input": "Işık"},
        headers=served.headers(),
        timeout=60,
    )
    openai_schemas["CreateEmbeddingResponse"].validate(response.json())
