from __future__ import annotations

import numpy as np
import pytest

from docrag.api import SettingsError
from docrag.embedders.hashing import HashingEmbedder


@pytest.mark.parametrize("text", ["", "   ", "?!"])
def test_hashing_gives_first_unit_vector_without_words(text: str) -> None:
    vector = HashingEmbedder(dim=8).embed_query(text)
    assert vector.tolist() == [1.0] + [0.0] * 7


@pytest.mark.parametrize(
    ("left", "right"),
    [("IŞIK İZNİ", "ışık izni"), ("izin süresi", "IZIN SURESI"), ("çalışan", "calisan")],
)
def test_hashing_ignores_case_and_accents(left: str, right: str) -> None:
    embedder = HashingEmbedder()
    assert np.allclose(embedder.embed_query(left), embedder.embed_query(right))


def test_hashing_is_the_same_in_every_process() -> None:
    # CRC-32 of "yangi" is fixed, unlike hash(), which each process salts.
    vector = HashingEmbedder(dim=256).embed_query("yangın")
    assert np.flatnonzero(vector).tolist() == [(_crc("yangi") >> 1) % 256]


def test_hashing_brings_shared_words_nearer() -> None:
    embedder = HashingEmbedder()
    rows = embedder.embed_documents(["yıllık izin süresi", "kafeterya menüsü"])
    assert np.argmax(rows @ embedder.embed_query("izin süresi kaç gün")) == 0


def test_hashing_names_its_space() -> None:
    assert HashingEmbedder(dim=64).model_id == "hashing-64"


def test_hashing_refuses_no_dimension() -> None:
    with pytest.raises(SettingsError, match="dim must be a whole number, 1 or more"):
        HashingEmbedder(dim=0)


def _crc(text: str) -> int:
    value = 0xFFFFFFFF
    for byte in text.encode():
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
