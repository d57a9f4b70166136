from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from docrag.api import Chunk, Page
from docrag.chunkers.recursive import RecursiveChunker
from docrag.chunkers.structure import StructureChunker
from docrag.joining import joined
from docrag.loaders.md import read as read_markdown

DATA = Path(os.environ.get("DATA", "../shared/data"))


def chunks(*texts: str, size: int = 200, overlap: int = 0, numbered: bool = True) -> list[Chunk]:
    pages = [Page(number=n if numbered else None, text=t) for n, t in enumerate(texts, start=1)]
    return list(StructureChunker(size=size, overlap=overlap).split(pages))


def headings(text: str) -> list[str]:
    """The section of each chunk of a text, each once."""
    return list(dict.fromkeys(chunk.section for chunk in chunks(text, size=1000)))


def prose(number: int, *, wrapped: bool = False) -> str:
    """Sentences without any structure, of several lengths."""
    text = " ".join(
        f"İşveren {n}. katta çalışan {n * 7} kişiye ığdır ve şile ekiplerinin "
        + "ölçüm sonuçlarını gecikmeden bildirir ve kaydeder ve saklar ve izler "[: 10 + n % 60]
        + ("(bkz. m. 4)." if n % 3 else "mi? Evet, Dr. Aydın'a göre öyle!")
        for n in range(number)
    )
    if not wrapped:
        return text
    lines, line = [], ""
    for word in text.split():
        if len(line) > 70:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def test_structure_names_itself() -> None:
    assert StructureChunker().fingerprint == "structure/1000/150/v1"


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("size", [200, 1000])
def test_structure_cuts_prose_as_recursive_does(wrapped: bool, size: int) -> None:
    pages = [Page(number=n, text=prose(40 + n, wrapped=wrapped)) for n in range(1, 4)]
    pages += [Page(number=None, text=prose(30) + "\n\n" + prose(20, wrapped=wrapped), section="A")]
    expected = list(RecursiveChunker(size=size, overlap=size // 7).split(pages))
    found = list(StructureChunker(size=size, overlap=size // 7).split(pages))
    assert [(c.text, c.page_first, c.page_last, c.section) for c in found] == [
        (c.text, c.page_first, c.page_last, c.section) for c in expected
    ]


@pytest.mark.parametrize("mark", ["\n", "\n\n"])
def test_structure_cuts_tquad_as_recursive_does(mark: str) -> None:
    file = DATA / "tquad" / "dev-v0.1.json"
    if not file.is_file():
        pytest.skip(f"LOUD: {file} is missing, so the chunks of TQuAD are not compared")
    for article in json.loads(file.read_text("utf-8"))["data"]:
        text = mark.join(paragraph["context"] for paragraph in article["paragraphs"])
        pages = [Page(number=None, text=text)]
        found = StructureChunker().split(pages)
        if any(line.isupper() for line in text.splitlines()):
            continue  # a line of capitals is a heading
        assert [c.text for c in found] == [c.text for c in RecursiveChunker().split(pages)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4. Uygulama\nMaske takılır.", ["4. Uygulama"]),
        ("4. Uygulama\n4.2 Bakım\nYağ dökülmez.", ["4. Uygulama > 4.2 Bakım"]),
        ("# Amaç\nBir.\n## Kapsam ##\nİki.", ["Amaç", "Amaç > Kapsam"]),
        ("İŞ İZNİ\nBir.\n\nıSLAK ZEMİN\nİki.", ["İŞ İZNİ"]),
        ("IŞIKLANDIRMA\nBir.\n2. Ölçüm\nİki.", ["IŞIKLANDIRMA", "IŞIKLANDIRMA > 2. Ölçüm"]),
        ("BİRİNCİ BÖLÜM\nGENEL HÜKÜMLER\nBir.", ["BİRİNCİ BÖLÜM GENEL HÜKÜMLER"]),
        ("Baret\nGözlük\n3. Denetim\nHer gün", ["", "3. Denetim"]),
        ("3. Denetim\na) Fren,\nb) Korna", ["3. Denetim"]),
        ("İ\u0307Ş TALİMATI\nBir.", ["İ\u0307Ş TALİMATI"]),
    ],
)
def test_structure_reads_headings(text: str, expected: list[str]) -> None:
    assert headings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. Kask takılır\n2. Kapı kapanır\n3. Rapor yazılır",
        "5. Kaza yerinde emniyet şeridi çekilir ve\nbölge boşaltılır.",
        "Süre 12 saattir ve çalışma\nTÜRKİYE STANDARTLARI ENSTİTÜSÜ\nonayı ile uzar.",
        "12.05.2020 Tarihli karar",
        "1. Amaç .......... 3",
        "12 Eylül günü",
        "ADI\nSOYADI\nGÖREVİ\nTARİHİ\nİMZASI",
        "```sh\n# Madde 99 başlık değildir\n```",
        "kW",
    ],
)
def test_structure_takes_no_other_line_for_a_heading(text: str) -> None:
    assert headings(text) == [""]


def test_structure_never_crosses_heading() -> None:
    first, second = chunks("1. Amaç\nBir.\n2. Kapsam\nİki.")
    assert (first.text, second.text) == ("1. Amaç\nBir.", "2. Kapsam\nİki.")
    assert (first.label, second.label) == ("1. Amaç", "2. Kapsam")


def test_structure_keeps_outer_section_and_its_heading() -> None:
    page = Page(number=None, text="4.2 Bakım\nYağ dökülmez.", section="4. Uygulama > 4.2 Bakım")
    (chunk,) = StructureChunker().split([page])
    assert (chunk.section, chunk.label) == ("4. Uygulama > 4.2 Bakım", "4.2 Bakım")


def test_structure_keeps_list_item_whole() -> None:
    item = "- Operatör lastikleri yoklar. Frene basar. Kornayı\nçalar. Aynayı siler."
    found = chunks(f"Her sabah şunlar yapılır, sonra iş başlar.\n{item}\n{item}", size=110)
    assert [chunk.text for chunk in found[1:]] == [item, item]


def test_structure_cuts_item_that_does_not_fit() -> None:
    found = chunks("- " + " ".join(f"Cümle {n} burada biter." for n in range(20)), size=100)
    assert max(len(chunk.text) for chunk in found) <= 100
    assert all(chunk.text.endswith("biter.") for chunk in found)


def table(rows: int) -> str:
    return "| Kat | Birim |\n|---|---|\n" + "\n".join(f"| {n}. | Üretim {n} |" for n in range(rows))


def test_structure_keeps_table_whole_when_it_fits() -> None:
    first, second = chunks(f"{'Uzun bir giriş cümlesi. ' * 6}\n{table(5)}")
    assert second.text == table(5)
    assert "|" not in first.text


def test_structure_tells_header_of_later_rows() -> None:
    found = chunks(f"2. Katlar\n{table(40)}")
    assert found[0].section == "2. Katlar"
    assert {chunk.section for chunk in found[1:]} == {"2. Katlar > Kat | Birim"}
    assert all(chunk.text.startswith("| ") and chunk.text.endswith(" |") for chunk in found[1:])
    assert "\n".join(chunk.text for chunk in found) == f"2. Katlar\n{table(40)}"


def test_structure_goes_on_with_table_of_next_page() -> None:
    lines = table(40).split("\n")
    found = chunks("\n".join(lines[:20]), "\n".join(lines[20:]))
    assert {c.section for c in found if c.page_first == 2} == {"Kat | Birim"}


def test_structure_keeps_code_whole() -> None:
    code = "```python\n# Madde 1\n\nprint(1). Bir. İki. Üç.\n```"
    found = chunks(f"{'Uzun bir giriş cümlesi. ' * 8}\n{code}\nSon söz.", size=200)
    assert any(code in chunk.text for chunk in found)
    assert {chunk.section for chunk in found} == {""}


def test_structure_reads_open_fence_as_text() -> None:
    assert headings("```py\n\n# Amaç\nBir.") == ["", "Amaç"]


def test_structure_ends_chunk_with_page() -> None:
    found = chunks("1. Amaç\nBir.", "İki.")
    assert [(c.text, c.page_first, c.section) for c in found] == [
        ("1. Amaç\nBir.", 1, "1. Amaç"),
        ("İki.", 2, "1. Amaç"),
    ]


def test_structure_crosses_page_inside_a_sentence() -> None:
    found = chunks("- Bir.\n- Operatör her sabah", "lastikleri yoklar.\nSonra yağa bakar.")
    (chunk,) = found
    assert (chunk.page_first, chunk.page_last) == (1, 2)
    assert chunk.page_at(chunk.text.index("sabah")) == 1
    assert chunk.page_at(chunk.text.index("lastikleri")) == 2


def test_structure_keeps_heading_at_foot_of_page_with_its_text() -> None:
    first, second = chunks("Bir.\n2. Kapsam", "İki.")
    assert (second.text, second.page_first, second.page_last) == ("2. Kapsam\nİki.", 1, 2)
    assert first.text == "Bir."


def test_structure_gives_page_number_no_chunk_of_its_own() -> None:
    (chunk,) = chunks("2 / 27\n\nİKİNCİ BÖLÜM\nİki.")
    assert chunk.section == "İKİNCİ BÖLÜM"


@pytest.mark.parametrize("overlap", [0, 60])
def test_structure_is_joined_again(overlap: int) -> None:
    text = f"1. Amaç\n{prose(12, wrapped=True)}\n2. Katlar\n{table(30)}\n\n- Bir.\n- İki.\n- Üç."
    found = chunks(text, prose(9), size=300, overlap=overlap)
    again = joined((chunk.ordinal, chunk.text) for chunk in found)
    assert again.split() == f"{text}\n{prose(9)}".split()


def test_structure_reads_loaded_markdown() -> None:
    source = "# Plan\n\n## 1. Alan\nBir.\n\n### 1.1 Sayım\n- Kat sorumlusu sayar.\n"
    pages = read_markdown(source.encode(), filename="plan.md")
    found = [(c.section, c.label) for c in StructureChunker().split(pages)]
    assert found[1:] == [
        ("Plan > 1. Alan", "1. Alan"),
        ("Plan > 1. Alan > 1.1 Sayım", "1.1 Sayım"),
    ]


def test_structure_shortens_label_and_path() -> None:
    long = "# " + "a" * 110
    (chunk,) = chunks(f"{long}\n#{long}\n##{long}\nBir.", size=1000)
    assert len(chunk.label) == 80
    assert chunk.section == " > ".join(["a" * 110] * 2)


@pytest.mark.parametrize(
    "line",
    [
        "# a\n",
        "```py\n",
        "|---|\n",
        "AMAÇ VE KAPSAM\n",
        "4.2 Bakım\n",
        "a) b\nc.\n",
        "1.",
        "| ",
        "\n",
    ],
    ids=["marks", "fences", "rules", "capitals", "numbers", "items", "dots", "cells", "blank"],
)
def test_structure_takes_linear_time(line: str) -> None:
    start = time.process_time()
    found = chunks(line * 40_000, size=1000)
    assert time.process_time() - start < 5
    assert all(len(chunk.text) <= 1000 for chunk in found)
