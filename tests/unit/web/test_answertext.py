"""Answers in pieces for a page."""

from __future__ import annotations

import pytest

from docrag.web.openai.annotations import SNIPPET
from docrag.web.pages.answertext import Piece, excerpt, pieces


def cut(text: str, *doubtful: str) -> list[Piece]:
    """The pieces of a text that cites source 1, with these sentences that nothing supports."""
    return pieces(text, cited={1}, doubtful=doubtful)


def doubted(found: list[Piece]) -> str:
    return "|".join(piece.text for piece in found if piece.is_doubtful)


def test_marker_of_a_citation_is_a_piece() -> None:
    assert cut("İzin 14 gündür [1]. Son [2].") == [
        Piece(text="İzin 14 gündür "),
        Piece(text="[1]", number=1),
        Piece(text=". Son [2]."),
    ]


def test_empty_answer_has_no_pieces() -> None:
    assert cut("") == []


@pytest.mark.parametrize(
    ("text", "sentence", "marked"),
    [
        ("Bir. İki üç. Dört.", "İki üç.", "İki üç."),
        ("Bir [1]. İki [1] üç. Dört.", "İki üç.", "İki |[1]| üç."),
        ("- **İki** üç. ⚠\n- Dört.", "İki üç.", "İki** üç."),
        ("| İki | üç |\n", "İki | üç", "İki | üç"),
        ("İki · üç\nDört.", "İki | üç", "İki · üç"),
        ("Iğdır  ili\nuzak.", "Iğdır ili uzak.", "Iğdır  ili\nuzak."),
        ("Bir. İki.", "Yok.", ""),
        ("Bir. İki.", "**", ""),
    ],
)
def test_doubtful_sentence_is_found_in_the_text(text: str, sentence: str, marked: str) -> None:
    found = cut(text, sentence)
    assert doubted(found) == marked
    assert "".join(piece.text for piece in found) == text


def test_sentence_that_comes_twice_is_marked_twice() -> None:
    found = cut("Aynı. Başka. Aynı.", "Aynı.", "Aynı.")
    assert [piece.text for piece in found if piece.is_doubtful] == ["Aynı.", "Aynı."]


@pytest.mark.parametrize(
    ("source", "said", "begins", "ends"),
    [
        ("Kısa\nbir söz.", "uzun", "Kısa bir söz.", "Kısa bir söz."),
        ("Boş söz. " * 60 + "Işık 25 metredir. " + "Son söz. " * 60, "ışık 25 m", "…Işık 25", "…"),
        ("Işık 25 metredir. " + "Boş söz. " * 60, "IŞIK", "Işık 25", "…"),
        ("Boş söz. " * 60 + "Işık yanar.", "Işık yanar", "…", "Işık yanar."),
        ("Boş söz. " * 60, "", "Boş söz.", "…"),
        ("ş" * 900, "", "şşş", "…"),
    ],
    ids=["short", "middle", "start", "end", "nothing said", "no sentence"],
)
def test_excerpt_begins_at_the_sentence_that_was_meant(
    source: str, said: str, begins: str, ends: str
) -> None:
    found = excerpt(source, said)
    assert found.startswith(begins) and found.endswith(ends)
    assert len(found) <= SNIPPET + 2


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("| Görev | Gün |\n|---|---|\n| Işıklı | 14 |", "Görev · Gün; Işıklı · 14"),
        ("Önce.\n| a |  | c |\nSonra | da.", "Önce. a · c Sonra | da."),
        ("| a \\| b | c |", "a | b · c"),
        ("  | :--- | ---: |\n  | x | y |", "x · y"),
        ("b | c |\n| d | e |", "b · c; d · e"),
        ("|", ""),
        ("| a |\n\n| b |\nc", "a b c"),
    ],
    ids=["table", "empty cell", "sign in a cell", "rule", "cut row", "lone sign", "tables"],
)
def test_excerpt_shows_rows_without_pipes(source: str, shown: str) -> None:
    assert excerpt(source, "") == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("İzin\n\nİzin verilir.", "İzin verilir."),
        ("İzin", "İzin"),
        ("İzinler verilir.", "İzinler verilir."),
        ("Önce İzin verilir.", "Önce İzin verilir."),
    ],
)
def test_heading_above_an_excerpt_is_not_said_again(source: str, shown: str) -> None:
    assert excerpt(source, "", heading="İzin") == shown
