from __future__ import annotations

import time

import pytest

from docrag.api import sentences, spans


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Ayşe Yılmaz 6331 sayılı Kanunun 10. maddesini anlattı.",
        "T.C. Çalışma Bakanlığı m. 4 gereğince karar verdi.",
        "Ücret 3.500,50 TL olup 12.02.2025 günü ödenir.",
        "Baret, gözlük vb. Donanım ücretsiz verilir.",
        "Bkz. İSG Kurulu kararı No. 5.",
        "A. Kaya bu alanı\ndenetler ve sonucu yazar.",
    ],
)
def test_sentences_keep_one_together(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Kapıyı kapat. İşini bırak! Nereye gideceksin? Dışarı.", 4),
        ("Dahili numara 1144. Nöbetçi oradadır.", 2),
        ("Şöyle dedi: “Çıkın.” Herkes çıktı.", 2),
        ("1. Amaç\nBu talimat çalışanları korumak için hazırlanmıştır.", 2),
        ("(1) İşveren sorumludur.\n(2) Çalışan uyar.\na) Baret takar\nb) Gözlük takar", 4),
        ("| Kat | Birim |\n| 1 | Üretim |", 2),
        ("Paragraf bir\n\nparagraf iki", 2),
    ],
)
def test_sentences_split(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_sentences_of_blank_are_none(text: str) -> None:
    assert sentences(text) == []


def test_spans_cover_all_but_blanks() -> None:
    text = "  Bir cümle. Öteki cümle!\n\nSon  "
    assert [text[start:end] for start, end in spans(text)] == ["Bir cümle.", "Öteki cümle!", "Son"]


@pytest.mark.parametrize("piece", [".", ". ", "\n", ".\n", '."', "a", "1.", "(", "- "])
def test_sentences_take_linear_time(piece: str) -> None:
    start = time.monotonic()
    sentences("Son. " + piece * 300_000)
    assert time.monotonic() - start < 10
