from __future__ import annotations

from typing import Any

import pytest
import requests

from docrag.testing.rerank import FAULTS, SERVERS, FakeReranker, overlap

TEXTS = ["Kafeterya açılır.", "Yangın tüpü denetlenir."]


def ask(fake: FakeReranker, **body: object) -> requests.Response:
    whole = {"query": "yangın tüpü", **body}
    return requests.post(f"{fake.url}/v1/rerank", json=whole, timeout=5, allow_redirects=False)


def test_overlap_knows_turkish_letters() -> None:
    assert overlap("IŞIK ölçümü", "ışık o\u0308lc\u0327u\u0308ldü") == 0.5
    assert overlap("?", "ışık") == 0.0


@pytest.mark.parametrize(
    ("server", "body", "best"),
    [
        ("jina", {"documents": TEXTS, "model": "m"}, {"index": 1, "relevance_score": 1.0}),
        ("vllm", {"documents": TEXTS}, {"index": 1, "relevance_score": 1.0}),
        ("llamacpp", {"documents": TEXTS}, {"index": 1, "relevance_score": 5.0}),
        ("infinity", {"documents": TEXTS}, {"index": 1, "document": None}),
    ],
)
def test_results_are_best_first(server: str, body: dict[str, Any], best: dict[str, Any]) -> None:
    with FakeReranker(server=server) as fake:
        found = ask(fake, **body).json()["results"]
    assert [row["index"] for row in found] == [1, 0]
    assert best.items() <= found[0].items()


@pytest.mark.parametrize("server", ["tei", "llamacpp"])
def test_texts_are_answered_with_a_list(server: str) -> None:
    with FakeReranker(server=server) as fake:
        assert [row["index"] for row in ask(fake, texts=TEXTS).json()] == [1, 0]


def test_voyage_calls_its_results_data() -> None:
    with FakeReranker(server="voyage") as fake:
        assert len(ask(fake, documents=TEXTS, model="m", top_k=1).json()["data"]) == 1


def test_localai_neither_sorts_nor_counts() -> None:
    with FakeReranker(server="localai") as fake:
        found = ask(fake, documents=TEXTS[::-1], top_n=1).json()["results"]
    assert [row["index"] for row in found] == [1, 0]


@pytest.mark.parametrize(
    ("server", "body", "status"),
    [
        ("tei", {"documents": TEXTS}, 422),
        ("tei", {"texts": ["a"] * 33}, 413),
        ("jina", {"texts": TEXTS, "model": "m"}, 400),
        ("jina", {"documents": TEXTS}, 400),
        ("cohere", {"documents": TEXTS, "model": "m", "return_documents": False}, 400),
        ("voyage", {"documents": TEXTS, "model": "m", "top_n": 2}, 400),
    ],
)
def test_request_in_another_shape_is_refused(
    server: str, body: dict[str, Any], status: int
) -> None:
    with FakeReranker(server=server) as fake:
        assert ask(fake, **body).status_code == status
        assert fake.calls == 1


@pytest.mark.parametrize("options", [{"server": "ollama"}, {"fault": "fire"}])
def test_unknown_choice_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown"):
        FakeReranker(**options)  # type: ignore[arg-type]  # the values are strings


def test_choices_are_different() -> None:
    assert len(set(FAULTS)) == len(FAULTS)
    assert len(set(SERVERS)) == len(SERVERS)
