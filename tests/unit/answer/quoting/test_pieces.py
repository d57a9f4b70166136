"""What can be quoted of a source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.pieces import Piece, pieces
from docrag.api import Article
from tests.unit.answer.sources import source

TABLE = "Süreler şöyledir:\n\n| Kıdem | İzin |\n|---|---|\n| 1 yıl | 14 gün |\n\nYol izni ayrıdır."
LIST = "İşveren şunları yapar:\na) Eğitir.\nb) Denetler.\n(2) Kayıt tutulur."


def of(text: str) -> list[Piece]:
    """Pieces of a source with this text."""
    return pieces(source(1, text))


def test_kinds_are_told_apart() -> None:
    assert [piece.kind for piece in of(f"YILLIK İZİN\n{TABLE}")] == [
        "heading", "sentence", "head", "head", "row", "sentence",
    ]  # fmt: skip


def test_row_is_led_by_the_sentence_before_its_table() -> None:
    found = of(TABLE)
    assert [piece.lead for piece in found if piece.kind == "row"] == [0]


def test_item_is_led_by_the_sentence_before_its_list() -> None:
    assert [piece.lead for piece in of(LIST)] == [None, 0, 0, None]


def test_positions_count_on() -> None:
    assert [piece.position for piece in of(LIST)] == [0, 1, 2, 3]


def test_sentence_that_stands_twice_comes_once() -> None:
    assert [piece.text for piece in of("Baret takılır. Baret takılır.")] == ["Baret takılır."]


@pytest.mark.parametrize(
    "remark", ["(Ek fıkra: 29/1/2016-6663/22 md.)", "(Değişik: 4/4/2015-6645/37 md.)", "27"]
)
def test_remark_of_an_editor_says_nothing(remark: str) -> None:
    found = of(f"Kayıt tutulur.\n\n{remark}\n\nSüt izni verilir.")
    assert [piece.is_body for piece in found] == [True, False, True]


def test_piece_knows_its_page_and_article() -> None:
    one = source(3, "MADDE 8 – (1) Kayıt tutulur.")
    article = Article(kind="madde", number="8", status="mulga")
    own = replace(one, chunks=(replace(one.chunks[0], article=article),))
    piece = pieces(own)[0]
    assert (piece.page, piece.article, piece.is_repealed) == (3, article, True)


def test_blank_source_has_no_pieces() -> None:
    assert of(" \n ") == []
