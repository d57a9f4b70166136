from __future__ import annotations

import pytest

from docrag.api import SettingsError
from docrag.rerankers.shapes import SHAPES, shape_of
from docrag.testing.rerank import SERVERS


def test_shapes_are_named_after_servers() -> None:
    assert set(SHAPES) == set(SERVERS)


@pytest.mark.parametrize("name", ["jina", "infinity", "llamacpp", "localai", "vllm"])
def test_servers_that_share_a_shape(name: str) -> None:
    assert shape_of(name).body("m", "soru", ["a", "b"]) == {
        "model": "m",
        "query": "soru",
        "documents": ["a", "b"],
        "top_n": 2,
        "return_documents": False,
    }


def test_cohere_is_asked_without_return_documents() -> None:
    assert set(shape_of("cohere").body("m", "soru", ["a"])) == {
        "model",
        "query",
        "documents",
        "top_n",
    }


def test_tei_is_asked_for_texts_and_told_to_cut() -> None:
    assert shape_of("tei").body("", "soru", ["a"]) == {
        "query": "soru",
        "texts": ["a"],
        "raw_scores": False,
        "return_text": False,
        "truncate": True,
    }


def test_voyage_counts_by_top_k() -> None:
    body = shape_of("voyage").body("rerank-2.5", "soru", ["a", "b"])
    assert (body["top_k"], body["truncation"]) == (2, True)
    assert "top_n" not in body


def test_unknown_shape_lists_the_known() -> None:
    with pytest.raises(SettingsError, match=r"shape is 'ollama'; choose one of cohere, infinity"):
        shape_of("ollama")
