"""Headings of articles in all the forms that were seen, and lines that only name an article."""

from __future__ import annotations

import pytest

from docrag.chunkers.legal_headings import Counters, heading_of


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("MADDE 1 – (1) Bu Kanunun", "madde", "1"),
        ("MADDE 1- (1) Bu Kanunun", "madde", "1"),
        ("Madde 4 -Aşağıda belirtilen", "madde", "4"),
        ("Madde 1 — Bu Yönetmelik", "madde", "1"),
        ("MADDE 2—(1) Bu Yönerge", "madde", "2"),
        ("MADDE 3 —-(1) Bu Yönerge", "madde", "3"),
        ("―Madde 39 — Son", "madde", "39"),
        ("“MADDE 5- (1) Lisansüstü", "madde", "5"),
        ("MADDE 1. Amaç", "madde", "1"),
        ("Madde 6:", "madde", "6"),
        ("MADDE 5\xad (1) Kurul", "madde", "5"),
        ("Madde 6 (Başlık)", "madde", "6"),
        ("Madde 13-BAŞLIK", "madde", "13"),
        ("MADDE 25/A – (Ek: 4/4/2015-6645/3 md.)", "madde", "25/a"),
        ("MADDE 25S/A – (Ek: 4/4/2015-6645/3 md.)", "madde", "25/a"),
        ("MADDE 7/I – Iğdır", "madde", "7/ı"),
        ("MADDE 10 (1) İşveren", "madde", "10"),
        ("MADDE  5  –  (1)  Üniversite", "madde", "5"),
        ("MADDE 37 – 4857 sayılı Kanunun", "madde", "37"),
        ("MADDE 33 – 13/12/1983 tarihli", "madde", "33"),
        ("Madde 116 - (13.6.1952 tarihli ve 5953 sayılı", "madde", "116"),
        ("MADDE 9", "madde", "9"),
        ("GEÇİCİ MADDE 4 – (1) (Değişik", "gecici", "4"),
        ("Geçici Madde 8- (Ek: 12/10/2017", "gecici", "8"),
        ("GEÇICI MADDE 8 – (Ek", "gecici", "8"),
        ("Ek Madde 3- (Ek: 12/10/2017-7036/15 md.)", "ek", "3"),
        ("EK MADDE 3 – (Ek", "ek", "3"),
        ("MÜKERRER MADDE 20 – (Ek", "mukerrer", "20"),
        ("MADDE 3A – (1) Bitişik", "madde", "3/a"),
        ("MADDE 3 A – (1) Ayrık", "madde", "3/a"),
        ("MADDE 3-A – (1) Tireli", "madde", "3/a"),
        ("MADDE 3 A (1) Ayraçsız", "madde", "3/a"),
        ("EK-MADDE 2 – Metin", "ek", "2"),
        ("GEÇ. MADDE 2 – Metin", "gecici", "2"),
        ("Geçici Madde-3: Metin", "gecici", "3"),
        ("M A D D E  12 – Metin", "madde", "12"),
        ("14. Madde: Ters yazım", "madde", "14"),
    ],
)
def test_heading_is_read_in_every_form(line: str, kind: str, name: str) -> None:
    heading = heading_of(line)
    assert heading is not None
    assert (heading.kind, heading.name) == (kind, name)


@pytest.mark.parametrize(
    "line",
    [
        "Madde 4'de belirtilen",
        "Madde 4’te sayılanlara",
        "Madde 1 uyarınca",
        "10 uncu maddesinin",
        "madde 4 – küçük harfle",
        "Madde 4, 5 ve 6 hükümleri",
        "Madde 4. maddesine göre",
        "Madde 5. fıkra",
        "Madde 4-b bendi",
        "Madde 4-5 hükümleri",
        "Madde 4 (b) bendi",
        "Madde 10 (1) numaralı bent",
        "Madde 8/1 uyarınca",
        "Ek Madde 3 30/7/2010",
        "Madde 1 – Amaç ............ 3",
        "Bu Madde 3 – öyle değil",
        "İçki veya uyuşturucu madde kullanma yasağı",
        "Kimyasal Madde 5 – kg",
        "MADDELER 1 – 5",
        "MADDE 9.1 Alt madde",
        "MADDE 12.1. Alt madde",
        "Madde 4 – (1) numaralı fıkrasına göre",
        "Madde 3: uyarınca",
        "5. Madde uyarınca",
        "14. Madde: gereğince",
        "Madde 1: Baret takılıyor mu?",
        "",
    ],
)
def test_heading_is_not_read_from_reference(line: str) -> None:
    assert heading_of(line) is None


def accepted(*lines: str) -> list[str]:
    """Kind and number of the lines that count, each knowing the next."""
    counters = Counters()
    headings = [heading for line in lines if (heading := heading_of(line))]
    following = [*headings[1:], None]
    return [
        f"{heading.kind} {heading.name}"
        for heading, after in zip(headings, following, strict=True)
        if counters.accept(heading, after)
    ]


def test_counters_count_each_kind_for_itself() -> None:
    lines = ("MADDE 1 – A", "EK MADDE 1 – B", "GEÇİCİ MADDE 1 – C", "MADDE 2 – D")
    assert accepted(*lines) == ["madde 1", "ek 1", "gecici 1", "madde 2"]


def test_counters_accept_letter_behind_its_number() -> None:
    lines = ("MADDE 1 – A", "MADDE 1/A – B", "MADDE 1/B – C", "MADDE 2 – D")
    assert accepted(*lines) == ["madde 1", "madde 1/a", "madde 1/b", "madde 2"]


@pytest.mark.parametrize(("number", "counts"), [(3, True), (8, True), (9, False), (1, False)])
def test_counters_accept_small_gap(number: int, counts: bool) -> None:
    found = accepted("MADDE 1 – A", f"MADDE {number} – B")
    assert (len(found) == 2) is counts


def test_counters_need_separator_for_gap() -> None:
    assert accepted("MADDE 1 – A", "MADDE 3 (1) B") == ["madde 1"]


def test_counters_accept_far_number_that_counts_on() -> None:
    found = accepted("MADDE 1 – A", "MADDE 20 – B", "MADDE 21 – C")
    assert found == ["madde 1", "madde 20", "madde 21"]


def test_counters_accept_lower_number_not_seen() -> None:
    lines = ("GEÇİCİ MADDE 78 – A", "GEÇİCİ MADDE 80 – B", "GEÇİCİ MADDE 79 – C")
    assert accepted(*lines) == ["gecici 78", "gecici 80", "gecici 79"]


def test_counters_reject_number_seen() -> None:
    assert accepted("MADDE 1 – A", "MADDE 2 – B", "MADDE 1 – C") == ["madde 1", "madde 2"]


def test_counters_begin_in_the_middle_of_a_law() -> None:
    assert accepted("MADDE 10 – A", "MADDE 11 – B") == ["madde 10", "madde 11"]
    assert accepted("MADDE 10 – A", "MADDE 3 – B") == ["madde 3"]


def test_counters_accept_repeated_article_of_any_number() -> None:
    lines = ("MADDE 1 – A", "MÜKERRER MADDE 20 – B", "MÜKERRER MADDE 80 – C")
    assert accepted(*lines) == ["madde 1", "mukerrer 20", "mukerrer 80"]


def test_counters_accept_quoted_heading_only_if_due() -> None:
    assert accepted("MADDE 1 – A", "“MADDE 2 – B", "“MADDE 4 – C") == ["madde 1", "madde 2"]
