from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types

from docrag.loaders.cells import Value, written
from docrag.loaders.sheets import read
from docrag.loaders.sheettable import GROUP
from docrag.loaders.xlsx import SpreadsheetLoader
from tests.unit.loaders.office import refusal, sheet, sheets, text_of, zipped


def test_sheet_is_a_section_without_page(fixtures: Path) -> None:
    data = (fixtures / "kkd_stok.xlsx").read_bytes()
    (page,) = SpreadsheetLoader().load(data, filename="a.xlsx")
    assert (page.number, page.section) == (None, "KKD Stok")
    assert page.text.split("\n") == [
        "| Malzeme | Asgari stok | Birim |",
        "|---|---|---|",
        "| Baret | 40 | adet |",
        "| Nitril eldiven | 1200 | çift |",
        "| Kulak tıkacı | 500 | çift |",
    ]


def test_hidden_sheet_is_left_out_with_warning(fixtures: Path) -> None:
    (record,) = read((fixtures / "kkd_stok.xlsx").read_bytes())
    assert "gizlidir" not in record["text"]
    assert record["warning"] == "hidden sheets were left out: Gizli Fiyat"


def test_every_group_of_rows_repeats_the_head() -> None:
    rows = [[f"Malzeme {n}", n, "İzmir deposu"] for n in range(200)]
    texts = [record["text"] for record in read(sheet(["Ad", "Adet", "Yer"], *rows))]
    assert len(texts) > 5
    assert all(text.startswith("| Ad | Adet | Yer |\n|---|---|---|\n|") for text in texts)
    assert max(map(len, texts)) <= GROUP
    assert "".join(texts).count("| Malzeme ") == 200


def test_title_and_empty_rows_above_the_head_are_no_head() -> None:
    data = sheet(["STOK LİSTESİ"], [], ["Ad", "", "Adet"], [], ["Baret", "", 4.5])
    assert text_of(read(data)) == "STOK LİSTESİ\n\n| Ad | Adet |\n|---|---|\n| Baret | 4,5 |"


@pytest.mark.parametrize(("top", "left"), [(0, 0), (4, 2)])
def test_merged_cell_stands_in_each_of_its_rows(top: int, left: int) -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        worksheet = workbook.add_worksheet("Kat")
        worksheet.write_row(top, left, ["Kat", "Oda"])
        worksheet.merge_range(top + 1, left, top + 2, left, "Zemin")
        worksheet.write_column(top + 1, left + 1, ["A", "B", "C"])

    assert text_of(read(sheets(build))).endswith("| Zemin | A |\n| Zemin | B |\n|  | C |")


def test_share_of_a_hundred_is_written_with_its_sign() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        whole, parts = (workbook.add_format({"num_format": form}) for form in ("0%", "%0.0"))
        workbook.add_worksheet("Boş")
        worksheet = workbook.add_worksheet("Oran")
        worksheet.write_row(2, 1, ["KDV", "Zam", "Katsayı"])
        worksheet.write(3, 1, 0.18, whole)
        worksheet.write(3, 2, 0.255, parts)
        worksheet.write(3, 3, 0.3)

    assert text_of(read(sheets(build))).endswith("| %18 | %25,5 | 0,3 |")


def test_number_keeps_its_noughts_and_failed_formula_its_sign() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        worksheet = workbook.add_worksheet("Kod")
        worksheet.write_row(0, 0, ["Kod", "Sonuç"])
        worksheet.write(1, 0, 7, workbook.add_format({"num_format": "00000"}))
        worksheet.write_formula(1, 1, "=1/0", None, "#DIV/0!")

    assert text_of(read(sheets(build))).endswith("| 00007 | #DIV/0! |")


def test_raised_figure_in_a_cell_does_not_join_the_number_before() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        up, down = (workbook.add_format({"font_script": script}) for script in (1, 2))
        worksheet = workbook.add_worksheet("Üs")
        worksheet.write_rich_string(0, 0, "10", up, "3", " ğ CO", down, "2", " & x")

    assert "| 10³ ğ CO₂ & x |" in text_of(read(sheets(build)))


def test_text_box_stands_behind_its_sheet() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        workbook.add_worksheet("Boş")
        worksheet = workbook.add_worksheet("Acil")
        worksheet.write(0, 0, "Ad")
        worksheet.insert_textbox(2, 2, "Işık & 112\nİkinci")

    table, box = read(sheets(build))
    assert (box["section"], box["text"]) == ("Acil", "Işık & 112\nİkinci")
    assert table["text"].startswith("| Ad |")


def test_further_table_has_a_head_of_its_own() -> None:
    rows = [[f"Makine {n}", n] for n in range(50)]
    other = [[f"Benzen {n}", n] for n in range(50)]
    data = sheet(["Makine", "Adet"], *rows, [], ["KİMYASAL"], ["Ad", "ppm"], *other)
    texts = [record["text"] for record in read(data)]
    (first,) = (text for text in texts if "Benzen 0 " in text)
    assert first.startswith("KİMYASAL\n\n| Ad | ppm |\n|---|---|\n| Benzen 0 | 0 |")
    assert all("| Ad | ppm |" in text for text in texts if "Benzen" in text)
    assert not [text for text in texts if "Benzen" in text and "Makine" in text]


def test_row_behind_an_empty_one_is_no_head_without_figures_below() -> None:
    data = sheet(["Ad", "Yer"], ["Baret", "Depo"], [], ["Eldiven", "Raf"], ["Çizme", "Raf"])
    (record,) = read(data)
    assert record["text"].count("---|---") == 1


def test_head_of_two_rows_is_one() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        worksheet = workbook.add_worksheet("Risk")
        worksheet.write_row(0, 0, ["Bölüm", "", "", "Toz"])
        worksheet.merge_range(0, 1, 0, 2, "Gürültü")
        worksheet.write_row(1, 1, ["min", "maks"])
        worksheet.write_row(2, 0, ["Kaynak", 80, 95, 5])

    head = text_of(read(sheets(build))).split("\n")[0]
    assert head == "| Bölüm | Gürültü min | Gürültü maks | Toz |"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (40.0, "40"),
        (12.5, "12,5"),
        (-0.25, "-0,25"),
        (0.1 + 0.2, "0,3"),
        (1e20, "1e+20"),
        (float("inf"), "inf"),
        (True, "DOĞRU"),
        (date(2025, 2, 12), "12.02.2025"),
        (datetime(2025, 2, 12), "12.02.2025"),
        (datetime(2025, 2, 12, 8, 30), "12.02.2025 08:30"),
        (time(8, 30), "08:30"),
        (time(8, 30, 5), "08:30:05"),
        (timedelta(days=1, hours=12), "36:00"),
        ("", ""),
        (None, ""),
    ],
)
def test_value_is_written_as_people_do(value: Value, text: str) -> None:
    assert written(value) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"duz metin", "not a spreadsheet"),
        (zipped({"a.xml": b"<a/>"}), "not a spreadsheet"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\xd0\xcf\x11\xe0" + b"\x01" * 5000, "not a spreadsheet"),
        (sheet(), "sheets are empty"),
    ],
)
def test_sheet_refuses_what_it_cannot_read(data: bytes, reason: str) -> None:
    assert reason in refusal(read(data))


def test_cells_far_from_each_other_are_refused() -> None:
    def build(workbook: xlsxwriter.Workbook) -> None:
        worksheet = workbook.add_worksheet()
        worksheet.write(0, 0, "a")
        worksheet.write(1048575, 16383, "z")

    assert "row 1048576 and column 16384" in refusal(read(sheets(build)))
