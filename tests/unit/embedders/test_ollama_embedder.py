from __future__ import annotations

from typing import Any

import pytest

from docrag.api import EmbedderError, SettingsError
from docrag.embedders.ollama import OllamaEmbedder
from docrag.embedders.rows import FaultyRow
from docrag.testing.ollama import FakeOllama


def test_request_forbids_cutting() -> None:
    with FakeOllama(dim=8) as fake:
        OllamaEmbedder(url=fake.url, dim=8).embed_query("izin")
    assert fake.requests == [{"model": "bge-m3", "input": ["izin"], "truncate": False}]


def test_texts_go_in_batches() -> None:
    with FakeOllama(dim=8) as fake:
        OllamaEmbedder(url=fake.url, dim=8, batch_size=4).embed_documents(["metin"] * 10)
    assert [len(request["input"]) for request in fake.requests] == [4, 4, 2]


def test_one_text_without_numbers_is_named() -> None:
    texts = [f"madde {number}" for number in range(40)]
    texts[23] = "madde TETİK"
    with FakeOllama(dim=8, fail_on="TETİK") as fake:
        embedder = OllamaEmbedder(url=fake.url, dim=8)
        with pytest.raises(EmbedderError) as caught:
            embedder.embed_documents(texts)
        rest = embedder.embed_documents(texts[:23] + texts[24:])
    assert caught.value.indices == (23,)
    assert rest.shape == (39, 8)


def test_long_text_is_named_as_long() -> None:
    with FakeOllama(dim=8, max_characters=1500) as fake, pytest.raises(EmbedderError) as caught:
        OllamaEmbedder(url=fake.url, dim=8).embed_documents(["kısa", "uzun " * 400, "kısa"])
    assert (caught.value.indices, caught.value.too_long) == ((1,), (1,))


def test_other_dimension_is_an_error() -> None:
    with FakeOllama(dim=8) as fake, pytest.raises(EmbedderError, match="dim=8") as caught:
        OllamaEmbedder(url=fake.url, dim=1024).embed_documents(["bir", "iki"])
    assert caught.value.indices == ()


def test_other_server_is_an_error() -> None:
    with FakeOllama() as fake:
        fake.routes = {("POST", "/api/embed"): lambda exchange: exchange.send_json({"ok": True})}
        with pytest.raises(EmbedderError, match="does not answer like /api/embed"):
            OllamaEmbedder(url=fake.url).embed_query("izin")


def test_repr_does_not_hold_key() -> None:
    assert "gizli" not in repr(vars(OllamaEmbedder(api_key="gizli")))


@pytest.mark.parametrize(
    ("name", "value"),
    [("batch_size", 0), ("batch_size", "16"), ("dim", 2.5), ("timeout", 0), ("model", None)],
)
def test_wrong_option_is_named(name: str, value: object) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(SettingsError, match=f"^{name} must be a .*, not {value!r}$"):
        OllamaEmbedder(**options)


def test_address_may_be_whole() -> None:
    with FakeOllama(dim=8) as fake:
        assert OllamaEmbedder(url=f"{fake.url}/api/embed", dim=8).embed_query("ışık").shape == (8,)


def test_answer_without_rows_blames_the_text() -> None:
    with FakeOllama() as fake:
        answer = {"embeddings": None}
        fake.routes = {("POST", "/api/embed"): lambda exchange: exchange.send_json(answer)}
        with pytest.raises(FaultyRow, match="1 vectors were asked for, 0 came back"):
            OllamaEmbedder(url=fake.url).embed_query("izin")
