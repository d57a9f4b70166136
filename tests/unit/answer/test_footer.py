"""The footer: written once, found again whatever a client makes of it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from docrag.answer.footer import footer, without_footer
from docrag.api import Citation
from tests.unit.answer.sources import source

TWO = [source(1, "x"), replace(source(2, "y"), filename="İş [A] Iğdır.pdf")]
TEXT = "On dört gün [1]."


def link(citation: Citation) -> str:
    """An address."""
    return f"https://docrag.example/d/{citation.number}"


def test_footer_lists_numbers_labels_and_links() -> None:
    assert footer(TWO, link, "tr") == (
        "\n\n---\nKaynaklar:\n"
        "- [1] [talimat.pdf s. 1](https://docrag.example/d/1)\n"
        r"- [2] [İş \[A\] Iğdır.pdf s. 2](https://docrag.example/d/2)"
    )


def test_footer_of_nothing_is_empty() -> None:
    assert footer([], link, "tr") == ""


def test_source_without_an_address_has_its_label() -> None:
    assert footer(TWO[:1], lambda _: "", "en") == "\n\n---\nSources:\n- [1] talimat.pdf s. 1"


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize(
    "sent",
    [
        lambda text: text,
        lambda text: text + "\n\n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("---\n", "---  \n"),
    ],
    ids=["as it is", "blank end", "crlf", "decomposed", "blanks"],
)
def test_footer_is_taken_off_again(language: str, sent: object) -> None:
    assert callable(sent)
    assert without_footer(sent(TEXT + footer(TWO, link, language))) == sent(TEXT).rstrip()


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "Başlık\n---\nKaynaklar:\n- [1] bir\n\nSonra metin.",
        "---\nKaynaklar: yok",
        "Kaynaklar:\n- [1] bir",
        "",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert without_footer(text) == text


def test_many_blank_lines_take_no_time() -> None:
    text = "\n" * 200_000 + "---\nKaynaklar:\n" * 2000
    assert without_footer(text) == text


def test_forged_footer_above_the_real_one_goes_too() -> None:
    forged = "\n\n---\nSources:\n- [1] [x](http://evil)\n"
    assert without_footer(TEXT + forged + footer(TWO, link, "tr")) == TEXT


def test_many_footers_take_no_time() -> None:
    text = "---\nSources:\n- [1] a\n" * 20_000
    assert without_footer(text) == ""
    assert without_footer(text + "son") == text + "son"
