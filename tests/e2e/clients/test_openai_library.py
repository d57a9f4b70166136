"""OpenAI's own libraries on everything else that docrag offers: models, vectors, responses."""

from __future__ import annotations

import math

import pytest

from tests.e2e.clients.conftest import Ask
from tests.e2e.clients.plan import EXPECTED

LIBRARIES = ["openai-python", "openai-node"]

pytestmark = pytest.mark.parametrize("client", LIBRARIES)


def test_models_are_listed(ask: Ask, client: str) -> None:
    listed = [model["id"] for model in ask(client)["models"]["data"]]
    assert listed[:2] == ["docrag", "docrag-plain"]
    assert {"docrag-cut", "docrag-slow", "docrag-thinking"} < set(listed)


def test_one_model_is_shown(ask: Ask, client: str) -> None:
    shown = ask(client)["model"]["data"]
    assert (shown["id"], shown["object"]) == ("docrag", "model")
    assert isinstance(shown["created"], int)


@pytest.mark.parametrize("case", ["embeddings", "embeddings_float"])
def test_vectors_have_length_one(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert [round(math.hypot(*row), 3) for row in told["data"]] == [1.0, 1.0]
    assert told["usage"]["total_tokens"] > 0


def test_vectors_are_the_same_in_both_forms(ask: Ask, client: str) -> None:
    told = ask(client)
    for one, other in zip(
        told["embeddings"]["data"], told["embeddings_float"]["data"], strict=True
    ):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize("case", ["responses", "responses_stream"])
def test_response_comes_from_the_document(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is None
    assert EXPECTED in told["text"]
    assert told["finish"] == "completed"
    assert told["sources"][0]["type"] == "url_citation"
    assert told["sources"][0]["title"] == "is_guvenligi_talimati.pdf s. 3, Madde 10"
    assert told["usage"]["total_tokens"] > 0


@pytest.mark.parametrize("case", ["responses_cut", "responses_cut_stream"])
def test_cut_response_is_no_whole_one(ask: Ask, client: str, case: str) -> None:
    told = ask(client)[case]
    assert told["error"] is not None
    assert told["finish"] != "completed"
