from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from docrag.api import Leg, RerankerError, ScoredChunk, SettingsError
from docrag.rerankers.http import HttpReranker
from docrag.testing.rerank import BROKEN, SERVERS, TEI_BATCH, FakeReranker
from docrag.testing.rerankers import QUESTION, scored_chunks

KEY = "sk-cok-gizli"


@pytest.fixture
def fake() -> Iterator[FakeReranker]:
    with FakeReranker() as server:
        yield server


def reranker(fake: FakeReranker, **options: Any) -> HttpReranker:  # noqa: ANN401 - options
    return HttpReranker(url=fake.url, shape=fake.server, model="m", **options)


def many(count: int) -> list[ScoredChunk]:
    """Chunks with numbered texts, of which the last answers best."""
    one = scored_chunks()[0]
    texts = ["boş"] * (count - 1) + [QUESTION]
    return [
        replace(one, chunk=replace(one.chunk, chunk_id=number, text=text))
        for number, text in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize("server", SERVERS)
def test_best_chunk_comes_first_from_every_server(server: str) -> None:
    with FakeReranker(server=server) as fake:
        found = reranker(fake).rerank(QUESTION, scored_chunks())
        assert fake.calls == 1
    assert found[0].chunk == scored_chunks()[1].chunk


def test_leg_tells_score_and_place(fake: FakeReranker) -> None:
    found = reranker(fake).rerank(QUESTION, scored_chunks())
    assert [item.legs[-1] for item in found] == [
        Leg(name="rerank", score=item.score, rank=rank) for rank, item in enumerate(found, 1)
    ]
    assert found[0].legs[:-1] == scored_chunks()[1].legs


def test_ties_keep_their_order(fake: FakeReranker) -> None:
    found = reranker(fake).rerank("ilgisiz", scored_chunks())
    assert [item.chunk.chunk_id for item in found] == [1, 2, 3, 4]


def test_document_is_sent_with_its_title(fake: FakeReranker) -> None:
    reranker(fake).rerank(QUESTION, scored_chunks())
    body = fake.requests[0]
    assert body["query"] == QUESTION
    assert body["documents"][0] == f"Yönerge\n{scored_chunks()[0].chunk.text}"
    assert body["model"] == "m"


def test_long_texts_are_cut(fake: FakeReranker) -> None:
    reranker(fake, max_characters=12).rerank("yangın tüpü nerede?", scored_chunks()[:1])
    assert fake.requests[0]["query"] == "yangın tüpü"
    assert fake.requests[0]["documents"] == ["Yönerge"]


def test_model_is_left_out_when_unset() -> None:
    with FakeReranker(server="llamacpp") as fake:
        HttpReranker(url=fake.url, shape="llamacpp").rerank(QUESTION, scored_chunks())
        assert "model" not in fake.requests[0]


@pytest.mark.parametrize(("count", "calls"), [(6, 2), (7, 3)])
def test_documents_are_sent_in_batches(fake: FakeReranker, count: int, calls: int) -> None:
    found = reranker(fake, batch_size=3).rerank(QUESTION, many(count))
    assert fake.calls == calls
    assert [item.chunk.chunk_id for item in found] == [count, *range(1, count)]


def test_default_batch_suits_tei() -> None:
    with FakeReranker(server="tei") as fake:
        found = reranker(fake).rerank(QUESTION, many(TEI_BATCH + 1))
        assert (len(found), fake.calls) == (TEI_BATCH + 1, 2)


@pytest.mark.parametrize("question", ["", "  \n", "\0"])
def test_empty_question_asks_nobody(fake: FakeReranker, question: str) -> None:
    assert reranker(fake).rerank(question, scored_chunks()) == scored_chunks()
    assert fake.calls == 0


def test_no_chunks_ask_nobody(fake: FakeReranker) -> None:
    assert reranker(fake).rerank(QUESTION, []) == []
    assert fake.calls == 0


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("server", ["jina", "tei", "voyage"])
def test_broken_answer_is_an_error(server: str, fault: str) -> None:
    with FakeReranker(server=server, fault=fault) as fake:
        with pytest.raises(RerankerError, match=f"the reranker at {fake.url} "):
            reranker(fake).rerank(QUESTION, scored_chunks())
        assert fake.calls == 1


@pytest.mark.parametrize("fault", ["missing", "nan", "429", "html", "redirect", "slow"])
def test_keep_returns_chunks_as_they_came(
    fake: FakeReranker, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    fake.fault = fault
    built = reranker(fake, on_error="keep", timeout=0.2)
    assert built.rerank(QUESTION, scored_chunks()) == scored_chunks()
    [record] = [item for item in caplog.records if item.levelno >= logging.WARNING]
    assert record.getMessage().startswith(f"not reranked: the reranker at {fake.url} ")
    assert record.__dict__["action"] == "rerank_failed"


def test_keep_needs_all_batches(fake: FakeReranker) -> None:
    fake.routes = {("POST", "/rerank"): lambda exchange: exchange.send_json(
        {"results": [{"index": 0, "score": 1.0}]}
    )}  # fmt: skip
    given = many(3)
    assert reranker(fake, on_error="keep", batch_size=2).rerank(QUESTION, given) == given


def test_keep_works_again_with_the_server(fake: FakeReranker) -> None:
    built = reranker(fake, on_error="keep")
    fake.fault = "500"
    assert built.rerank(QUESTION, scored_chunks()) == scored_chunks()
    fake.fault = ""
    assert built.rerank(QUESTION, scored_chunks())[0].legs[-1].name == "rerank"


@pytest.mark.parametrize("on_error", ["keep", "fail"])
@pytest.mark.parametrize("fault", ["", "401", "422", "nan"])
def test_question_texts_and_key_stay_out_of_the_log(
    fake: FakeReranker, fault: str, on_error: str, caplog: pytest.LogCaptureFixture
) -> None:
    fake.fault = fault
    built = reranker(fake, api_key=KEY, on_error=on_error)
    shown = repr(built)
    with caplog.at_level(logging.INFO):
        try:
            built.rerank(QUESTION, scored_chunks())
        except RerankerError as exc:
            shown += f"{exc} {exc!r}"
    assert fake.keys == [f"Bearer {KEY}"]
    assert not any(word in shown + caplog.text for word in (KEY, "yangın", "Yangın", "izin"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": "ollama"}, "shape is 'ollama'"),
        ({"on_error": "ignore"}, "on_error is 'ignore'; choose fail or keep"),
        ({"batch_size": 0}, "batch_size must be a whole number"),
        ({"batch_size": 2.5}, "batch_size must be a whole number"),
        ({"max_characters": 0}, "max_characters must be a whole number"),
        ({"shape": []}, "shape is"),
        ({"model": 3}, "model must be a text, not 3"),
        ({"timeout": 0}, "timeout must be a number of seconds, more than 0"),
        ({"timeout": "abc"}, "timeout must be a number of seconds, .* 86400, not 'abc'"),
        ({"timeout": None}, "timeout must be a number of seconds, .* 86400, not None"),
        ({"timeout": True}, "timeout must be a number of seconds, .* 86400, not True"),
        ({"timeout": float("inf")}, "timeout must be a number of seconds, .* 86400, not inf"),
        ({"timeout": 1e9}, "timeout must be a number of seconds, .* 86400, not 1000000000.0"),
        ({"timeout": []}, "timeout must be a number of seconds, .* 86400, not \\[\\]"),
        ({"timeout": float("nan")}, "timeout must be a number of seconds, more than 0"),
        ({"url": "yok"}, "url of the reranker"),
    ],
)
def test_wrong_option_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        HttpReranker(**{"url": "http://x", **options})


def test_there_is_no_default_address() -> None:
    url = inspect.signature(HttpReranker).parameters["url"]
    assert url.default is inspect.Parameter.empty
