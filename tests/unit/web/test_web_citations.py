"""How clients are told of sources: results, annotations, events, footer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.answer.confidence import retrieval_grade
from docrag.api import Abstention, Answer, Confidence, Delta, StoredChunk, Usage
from docrag.web.openai.annotations import Links, verdict
from docrag.web.openai.events import EXCERPT, source_events
from tests.unit.web.conftest import citation

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]
Body = dict[str, Any]
#: As Open WebUI sends it with a JWT secret: no plain user header.
OPEN_WEBUI = {"X-OpenWebUI-Chat-Id": "4f1d"}


@pytest.fixture
def ask(client: FlaskClient, reader: dict[str, str]) -> Ask:
    """Posts the usual question with further headers."""

    def post(headers: dict[str, str], **more: object) -> TestResponse:
        question = [{"role": "user", "content": "İşveren neyle yükümlü?"}]
        body = {"model": "docrag", "messages": question, **more}
        return client.post("/v1/chat/completions", json=body, headers={**reader, **headers})

    return post


@pytest.fixture
def chunks(ask: Ask) -> Callable[..., list[Body]]:
    """The chunks of a streamed answer."""

    def post(**headers: str) -> list[Body]:
        lines = ask(headers, stream=True).get_data().split(b"\n")
        return [json.loads(line[6:]) for line in lines if line.startswith(b"data: {")]

    return post


@pytest.fixture
def style(assistant: StandIn) -> Callable[[str], None]:
    """Gives the caller's key a way to show sources."""
    plain = assistant.store.keys.principal

    def choose(citations: str) -> None:
        def principal(stored: bytes) -> object:
            return replace(plain(stored), citations=citations)

        assistant.store.keys.principal = principal

    return choose


def events(chunks: list[Body]) -> list[Body]:
    """The events between the chunks."""
    assert all(chunk["choices"] == [] for chunk in chunks if "event" in chunk)
    return [chunk["event"] for chunk in chunks if "event" in chunk]


def text_of(chunks: list[Body]) -> str:
    """The text that a client puts together."""
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


def test_open_webui_gets_a_status_and_its_sources(chunks: Callable[..., list[Body]]) -> None:
    status, *sources = events(chunks(**OPEN_WEBUI))
    assert status == {
        "type": "status",
        "data": {"description": "2 pasaj bulundu", "done": True},
    }
    assert [found["type"] for found in sources] == ["source", "source"]
    first = sources[0]["data"]
    assert first["source"]["name"] == first["metadata"][0]["name"] == "kanun_6331.pdf s. 7"
    assert first["source"]["url"].startswith("http://localhost/documents/")
    assert first["document"] == ["İşveren,\nrisk değerlendirmesi yapmakla yükümlüdür."]
    assert "distances" not in first


def test_events_come_after_the_role_and_before_the_text(
    chunks: Callable[..., list[Body]],
) -> None:
    found = chunks(**OPEN_WEBUI)
    places = [place for place, chunk in enumerate(found) if "event" in chunk]
    assert places == [1, 2, 3]
    assert found[0]["choices"][0]["delta"]["role"] == "assistant"


def test_each_number_has_a_source_of_its_own(
    chunks: Callable[..., list[Body]], assistant: StandIn
) -> None:
    assistant.context = (citation(3), citation(1), citation(2, page=None))
    keys = [event["data"]["metadata"][0]["source"] for event in events(chunks(**OPEN_WEBUI))[1:]]
    assert len(set(keys)) == 3
    assert [key.rpartition("#")[2] for key in keys] == ["1", "2", "3"]


def test_no_annotations_beside_events(chunks: Callable[..., list[Body]]) -> None:
    assert chunks(**OPEN_WEBUI)[-1]["choices"][0]["delta"] == {}


def test_whole_answer_has_sources_for_open_webui(ask: Ask) -> None:
    body: Any = ask(OPEN_WEBUI).json
    assert [found["metadata"][0]["name"] for found in body["sources"]] == [
        "kanun_6331.pdf s. 7",
        "kanun_6331.pdf s. 8",
    ]
    assert body["choices"][0]["message"]["annotations"]


def test_others_get_no_events(chunks: Callable[..., list[Body]], ask: Ask) -> None:
    assert events(chunks()) == []
    assert "sources" not in (ask({}).json or {})


@pytest.mark.parametrize("name", ["x-openwebui-user-email", "X-OpenWebUI-Auth-Type"])
def test_any_header_of_open_webui_tells(chunks: Callable[..., list[Body]], name: str) -> None:
    assert len(events(chunks(**{name: "x"}))) == 3


def test_key_can_ask_for_events(
    chunks: Callable[..., list[Body]], style: Callable[[str], None]
) -> None:
    style("events")
    assert len(events(chunks())) == 3


def test_nothing_found_has_no_events(chunks: Callable[..., list[Body]], assistant: StandIn) -> None:
    assistant.abstention = Abstention(reason="no_passages")
    assert events(chunks(**OPEN_WEBUI)) == []


def test_excerpts_keep_lines_short(assistant: StandIn) -> None:
    chunk: StoredChunk = replace(citation(1).chunks[0], text="\x01ğ" * 40_000)
    long = replace(citation(1), chunks=(chunk,))
    _, event = source_events([long], Links(root="https://docrag"), language="en")
    assert len(event["data"]["document"][0]) == EXCERPT
    assert len(json.dumps(event, ensure_ascii=False).encode()) < 64 * 1024


def test_one_source_is_one_passage() -> None:
    status, _ = source_events([citation(1)], Links(root=""), language="en")
    assert status["data"]["description"] == "1 passage found"


@pytest.mark.parametrize("stream", [False, True])
def test_footer_ends_the_text(
    ask: Ask, chunks: Callable[..., list[Body]], style: Callable[[str], None], stream: bool
) -> None:
    style("footer")
    body: Any = None if stream else ask({}).json
    text = text_of(chunks()) if stream else body["choices"][0]["message"]["content"]
    head, rule, tail = text.partition("\n\n---\nKaynaklar:\n")
    assert (head, bool(rule)) == ("İşveren yükümlüdür [1].", True)
    assert tail.startswith("- [1] [kanun_6331.pdf s. 7](http://localhost/documents/")
    assert "\n" not in tail


def test_footer_comes_before_the_finish(
    chunks: Callable[..., list[Body]], style: Callable[[str], None]
) -> None:
    style("footer")
    *_, footer, finish = chunks()
    assert "Kaynaklar" in footer["choices"][0]["delta"]["content"]
    assert finish["choices"][0]["finish_reason"] == "stop"


def test_footer_leaves_annotations_alone(
    chunks: Callable[..., list[Body]], style: Callable[[str], None]
) -> None:
    plain = chunks()[-1]["choices"][0]["delta"]["annotations"]
    style("footer")
    assert chunks()[-1]["choices"][0]["delta"]["annotations"] == plain


@pytest.mark.parametrize(
    "more",
    [
        {"model": "docrag-plain"},
        {"response_format": {"type": "json_object"}},
        {"metadata": {"docrag": {"retrieval": "off"}}},
    ],
)
def test_footer_never_breaks_other_texts(
    ask: Ask, style: Callable[[str], None], more: Body
) -> None:
    style("footer")
    assert "Kaynaklar" not in ask({}, **more).get_data(as_text=True)


@pytest.mark.parametrize("headers", [{}, OPEN_WEBUI], ids=str)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
def test_numbers_in_json_are_no_annotations(
    client: FlaskClient,
    reader: dict[str, str],
    assistant: StandIn,
    path: str,
    stream: bool,
    headers: dict[str, str],
) -> None:
    assistant.script = lambda: iter([Delta(text='{"ids": [1]}', finish_reason="stop")])
    form: Body = {"type": "json_object"}
    asked: Body = (
        {"input": "İşveren neyle yükümlü?", "text": {"format": form}}
        if path == "responses"
        else {"messages": [{"role": "user", "content": "Neyle?"}], "response_format": form}
    )
    body = {"model": "docrag", "stream": stream, **asked}
    response = client.post(f"/v1/{path}", json=body, headers={**reader, **headers})
    assert response.status_code == 200
    assert "url_citation" not in response.get_data(as_text=True)


def test_abstention_has_no_footer(
    ask: Ask, style: Callable[[str], None], assistant: StandIn
) -> None:
    style("footer")
    assistant.abstention = Abstention(reason="no_passages")
    assistant.script = lambda: iter([Delta(text="Yok [1]."), Delta(finish_reason="stop")])
    assert "Kaynaklar" not in ask({}).get_data(as_text=True)


@pytest.mark.parametrize("stream", [False, True])
def test_citations_never_stand_at_the_top(ask: Ask, stream: bool) -> None:
    """LobeChat shows their addresses for titles, and hides the footnotes."""
    assert '"citations"' not in ask(OPEN_WEBUI, stream=stream).get_data(as_text=True)


def test_answer_that_cites_nothing_says_so(ask: Ask, assistant: StandIn) -> None:
    assistant.script = lambda: iter([Delta(text="Paris.", finish_reason="stop")])
    told = ask({}).get_json()["docrag"]
    assert (told["answered"], told["reason"], told["sources"]) == (True, "uncited", [])


def test_confidence_has_values_and_their_reasons() -> None:
    sure = retrieval_grade(0.73, ("kıdem",), language="tr")
    answer = Answer(
        id="a",
        question="soru",
        text="Yanıt [1].",
        citations=(citation(1),),
        context=(citation(1),),
        abstention=None,
        model_id="m",
        prompt_id="p",
        finish_reason="stop",
        usage=Usage(),
        duration=0.1,
        confidence=Confidence(retrieval=sure, citations=sure, completeness=sure),
    )
    told = {"value": 0.73, "reason": sure.reason}
    assert verdict(answer)["confidence"] == {
        part: told for part in ("retrieval", "citations", "completeness")
    }
