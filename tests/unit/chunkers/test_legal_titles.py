"""Titles above articles, and the divisions around them."""

from __future__ import annotations

import pytest

from docrag.api import Chunk, Page
from docrag.chunkers.legal import LegalChunker
from docrag.chunkers.legal_titles import division_of, title_within

BEFORE = "MADDE 1 – (1) İlk hüküm.\nMADDE 2 – (1) İkinci hüküm {end}\n{above}\nMADDE 3 – (1) Son."


def last(above: str, *, end: str = "uygulanır.") -> Chunk:
    """The chunk of the third article with these lines above its heading."""
    text = BEFORE.format(above=above, end=end)
    return list(LegalChunker().split([Page(number=1, text=text)]))[-1]


@pytest.mark.parametrize(
    ("above", "section"),
    [
        ("Kapsam", "Madde 3 (Kapsam)"),
        ("Çalışanların görüşlerinin\nalınması", "Madde 3 (Çalışanların görüşlerinin alınması)"),
        ("Iğdır ve İzmir birimleri", "Madde 3 (Iğdır ve İzmir birimleri)"),
        ("“Yeni başlık", "Madde 3 (Yeni başlık)"),
        ("Toplu işçi çıkarma36", "Madde 3 (Toplu işçi çıkarma)"),
        ("Engelli çalıştırma91011", "Madde 3 (Engelli çalıştırma)"),
        ("Kapsam\n", "Madde 3 (Kapsam)"),
        ("Bu cümle devam eder.", "Madde 3"),
        ("küçük harfle başlar", "Madde 3"),
        ("Uzun " * 30, "Madde 3"),
        ("Bent sonu,", "Madde 3"),
        ("yerine işlenmiştir.)", "Madde 3"),
        ("uzatmaya yetkilidir.(44)", "Madde 3"),
    ],
)
def test_title_is_found_above_heading(above: str, section: str) -> None:
    assert last(above).section == section


def test_title_needs_end_of_sentence_before_it() -> None:
    assert last("Bakanlığa bildirir ve", end="uyarınca").section == "Madde 3"
    assert last("Başlık", end="uyarınca\nve benzeri hükümler").section == "Madde 3"
    assert last("Başlık", end="şunlardır:\na) biri\ndiğerini de sağlamak,").section.endswith("lık)")
    assert last("Başlık", end="uyarınca;\n- bir\n- iki").section == "Madde 3 (Başlık)"


@pytest.mark.parametrize(
    ("above", "section"),
    [
        ("İKİNCİ BÖLÜM\nÇeşitli Hükümler\nKapsam", "İKİNCİ BÖLÜM > Madde 3 (Kapsam)"),
        ("İKİNCİ BÖLÜM\nÇeşitli Hükümler", "İKİNCİ BÖLÜM > Madde 3"),
        ("İKİNCİ BÖLÜM\nAmaçlar,\nKoşullar\nTanımı", "İKİNCİ BÖLÜM > Madde 3 (Tanımı)"),
        ("İKİNCİ BÖLÜM\nUzun bölüm adı\n\nKapsam", "İKİNCİ BÖLÜM > Madde 3 (Kapsam)"),
        (
            "İKİNCİ KISIM\nGenel\nBİRİNCİ BÖLÜM\nÖzel\nKapsam",
            "İKİNCİ KISIM > BİRİNCİ BÖLÜM > Madde 3 (Kapsam)",
        ),
    ],
)
def test_title_stands_below_division(above: str, section: str) -> None:
    chunk = last(above)
    assert chunk.section == section
    assert chunk.text.startswith("İKİNCİ")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("BİRİNCİ BÖLÜM", "BİRİNCİ BÖLÜM"),
        ("ÜÇÜNÇÜ BÖLÜM", "ÜÇÜNÇÜ BÖLÜM"),
        ("ÜÇÜNCÜ BOLUM", "ÜÇÜNCÜ BOLUM"),
        ("ON BEŞİNCİ BÖLÜM", "ON BEŞİNCİ BÖLÜM"),
        ("ONUNCU KISIM", "ONUNCU KISIM"),
        ("SON BÖLÜM", "SON BÖLÜM"),
        ("Birinci Kitap", "Birinci Kitap"),
        ("DÖRDÜNCÜ AYIRIM", "DÖRDÜNCÜ AYIRIM"),
        ("2. BÖLÜM", "2. BÖLÜM"),
        ("BİRİNCİ BÖLÜM – Genel Hükümler", "BİRİNCİ BÖLÜM: Genel Hükümler"),
        ("Diğer bölüm", None),
        ("BÖLÜM", None),
        ("Makine Bölüm", None),
        ("BİRİNCİ BÖLÜM hükümleri uygulanır", None),
    ],
)
def test_division_is_an_ordinal_alone(line: str, name: str | None) -> None:
    division = division_of(line)
    assert (division.name if division else None) == name


def test_division_ends_smaller_ones() -> None:
    text = (
        "BİRİNCİ KISIM\nA\nBİRİNCİ BÖLÜM\nB\nMADDE 1 – (1) X.\nİKİNCİ BÖLÜM\nC\nMADDE 2 – (1) Y.\n"
        "İKİNCİ KISIM\nD\nMADDE 3 – (1) Z."
    )
    found = LegalChunker().split([Page(number=1, text=text)])
    assert [chunk.section for chunk in found] == [
        "BİRİNCİ KISIM > BİRİNCİ BÖLÜM > Madde 1",
        "BİRİNCİ KISIM > İKİNCİ BÖLÜM > Madde 2",
        "İKİNCİ KISIM > Madde 3",
    ]


@pytest.mark.parametrize(
    ("rest", "is_first", "below", "title"),
    [
        ("(Başlık)", False, "(1) Metin", "Başlık"),
        ("(Ek: 4/4/2015-6645/3 md.)", False, "Metin", ""),
        ("BAŞLIK", False, "Metin", "BAŞLIK"),
        ("Amaç", False, "(1) Metin", "Amaç"),
        ("Amaç", True, "Metin", "Amaç"),
        ("Amaç", False, "Metin", ""),
        ("Bu Kanun uygulanır.", True, "(1) Metin", ""),
        ("", True, "", ""),
    ],
)
def test_title_within_heading_line(rest: str, is_first: bool, below: str, title: str) -> None:
    assert title_within(rest, is_first=is_first, below=below) == title
