from __future__ import annotations

from pathlib import Path

import pytest

from docrag.api import LoaderError, Page
from docrag.loaders.md import MAX_LINES, MarkdownLoader, read


def load(text: str) -> list[Page]:
    return MarkdownLoader().load(text.encode(), filename="belge.md")


def test_markdown_gives_heading_path() -> None:
    pages = load(
        "# Plan\n\n## 1. Alan\nMetin\n\n### 1.1 Sayım\nOn dakika\n\n## 2. Tatbikat\nYılda bir"
    )
    assert [page.section for page in pages] == [
        "Plan",
        "Plan > 1. Alan",
        "Plan > 1. Alan > 1.1 Sayım",
        "Plan > 2. Tatbikat",
    ]
    assert pages[2].text == "1.1 Sayım\nOn dakika"
    assert {page.number for page in pages} == {None}


def test_markdown_leaves_text_before_heading_without_section() -> None:
    pages = load("Giriş metni.\n\n# Başlık\nDevam")
    assert [(page.section, page.text) for page in pages] == [
        ("", "Giriş metni."),
        ("Başlık", "Başlık\nDevam"),
    ]


def test_markdown_ignores_heading_mark_in_code() -> None:
    (page,) = load("# Başlık\n\n```\n# Madde 99\n```\n")
    assert page.section == "Başlık"
    assert "# Madde 99" in page.text


def test_markdown_reads_underlined_heading() -> None:
    assert load("Başlık\n======\n\nMetin")[0] == Page(
        number=None, text="Başlık\n\nMetin", section="Başlık"
    )


def test_markdown_keeps_table_rows() -> None:
    (page,) = load("# T\n\n| Kat | Birim |\n|---|---|\n| 1 | Üretim |\n")
    assert "| 1 | Üretim |" in page.text


def test_markdown_strips_marks_from_heading() -> None:
    (page,) = load("# **Kalın** ve `kod` ve [bağ](http://a) #\nMetin")
    assert page.section == "Kalın ve kod ve bağ"


def test_markdown_skips_level_of_heading() -> None:
    pages = load("### Derin\na\n\n# Üst\nb\n\n#### Alt\nc")
    assert [page.section for page in pages] == ["Derin", "Üst", "Üst > Alt"]


def test_markdown_leaves_out_front_matter_and_comments(fixtures: Path) -> None:
    data = (fixtures / "acil_durum_plani_bom_crlf.md").read_bytes()
    pages = MarkdownLoader().load(data, filename="a.md")
    text = "\n".join(page.text for page in pages)
    assert "sahip: isg" not in text
    assert "iç not" not in text
    assert "| Zemin | Güvenlik | Depo |" in text


def test_markdown_takes_rule_that_is_no_front_matter() -> None:
    (page,) = load("Metin\n\n---\n\nDevam")
    assert page.text == "Metin\n\n---\n\nDevam"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nDikkat: gaz\n\n---\n\nSonraki",
        "---\nDikkat, gaz kaçağı\n---\nSonraki",
        "---\nsahip: isg\nBu bir metindir.\n---\nSonraki",
        "---\nsahip: isg\n\nSonraki",
        "\n---\nsahip: isg\n---\nSonraki",
    ],
)
def test_markdown_keeps_text_between_rules(text: str) -> None:
    kept = "\n".join(page.text for page in load(text))
    assert [line for line in kept.split() if line != "---"] == text.replace("---", "").split()


def test_markdown_leaves_out_lists_in_front_matter() -> None:
    (page,) = load("---\nsahip: isg\n# not\netiketler:\n- İSG\n  - ek\n\ntarih: 2025\n---\nMetin")
    assert page.text == "Metin"


@pytest.mark.parametrize("text", ["", " \n", "<!-- yalnız not -->", "---\na: 1\n---\n"])
def test_markdown_refuses_file_without_text(text: str) -> None:
    with pytest.raises(LoaderError, match=r"belge\.md"):
        load(text)


def test_markdown_refuses_too_many_lines() -> None:
    with pytest.raises(LoaderError, match="more than 300000 lines; split"):
        read(b"a\n" * (MAX_LINES + 1), filename="belge.md")
