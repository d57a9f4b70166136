from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.rerankers.passages import passage, shortened
from docrag.testing.rerankers import scored_chunks


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("ışık ölçümü yapılır", 100, "ışık ölçümü yapılır"),
        ("ışık ölçümü", 11, "ışık ölçümü"),
        ("ışık ölçümü", 10, "ışık"),
        ("ışık ölçümü", 5, "ışık"),
        ("ışık ölçümü", 4, "ışık"),
        ("ışık ölçümü", 3, "ışı"),
        ("ışık\nölçümü\tyapılır", 14, "ışık\nölçümü"),
        ("  ışık  ", 4, "ışık"),
        ("", 1, ""),
        (" \n", 1, ""),
    ],
)
def test_text_is_cut_at_a_word(text: str, limit: int, cut: str) -> None:
    assert shortened(text, limit) == cut


def test_decomposed_letters_are_composed_before_they_count() -> None:
    assert shortened("g\u0306s\u0327I\u0307u\u0308", 4) == "ğşİü"


def test_text_can_be_sent() -> None:
    assert shortened("a\0b \ud800", 10).encode("utf-8") == b"ab ?"


def test_passage_begins_with_title_and_headings() -> None:
    chunk = replace(scored_chunks()[0].chunk, title="Yıllık_İzin", section="4. Süre")
    assert passage(chunk, 100) == f"Yıllık İzin 4. Süre\n{chunk.text}"
    assert passage(chunk, 16) == "Yıllık İzin 4."
