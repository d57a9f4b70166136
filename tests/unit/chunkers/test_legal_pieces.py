"""Which long items of a law stay whole, and where longer ones are cut."""

from __future__ import annotations

import pytest

from docrag.api import Chunk, Page
from docrag.chunkers.legal import LegalChunker

#: Size of a chunk from which on a long item may be longer.
SIZE = 500
_WORDS = "İşyeri hekiminin çığ altında kalan ışıksız işyerlerindeki görevlendirilmesi bildirilir, "


def chunks(article: str, *pages: str, size: int = SIZE) -> list[Chunk]:
    """Chunks of the third article of a law; what follows the first text is on pages of its own."""
    texts = [f"MADDE 1 – (1) A.\nMADDE 2 – (1) B.\nMADDE 3 – (1) {article}", *pages]
    numbered = [Page(number=n, text=text) for n, text in enumerate(texts, start=1)]
    found = LegalChunker(size=size).split(numbered)
    return [chunk for chunk in found if chunk.label.startswith("Madde 3")]


def items(number: int) -> str:
    """An item with so many items of its own, about 90 characters each."""
    return "b) Hizmetlerle ilgili olarak;\n" + "\n".join(
        f"{n}) {_WORDS}" for n in range(1, number + 1)
    )


def test_item_with_items_stays_whole() -> None:
    text = items(12)
    found = chunks(f"Bakanlık;\na) Yönetmelik çıkarır,\n{text}\nc) Biter.")
    assert [chunk.label for chunk in found] == [
        "Madde 3, fıkra 1, bent a",
        "Madde 3, fıkra 1, bent b",
        "Madde 3, fıkra 1, bent c",
    ]
    assert found[1].text == text.strip()
    assert 2 * SIZE < len(found[1].text) <= 2.5 * SIZE


def test_longer_item_is_cut_between_its_items() -> None:
    found = chunks(f"Bakanlık;\na) Kısa,\n{items(15)}\nc) Biter.")
    assert [chunk.label for chunk in found[1:-1]] == [
        "Madde 3, fıkra 1, bent b, alt bent 1–5",
        "Madde 3, fıkra 1, bent b, alt bent 6–10",
        "Madde 3, fıkra 1, bent b, alt bent 11–15",
    ]
    assert all(len(chunk.text) <= SIZE for chunk in found)


@pytest.mark.parametrize(
    "article",
    [
        pytest.param("Cümle biter. " * 75, id="paragraph"),
        pytest.param("Bakanlık;\na) " + "Cümle biter. " * 75 + "\nb) Biter.", id="plain item"),
        pytest.param(
            "Bakanlık;\na) Şunlar:\n1) " + "Cümle biter. " * 75 + "\n" + "2) Biter. " * 40,
            id="item of an item",
        ),
        pytest.param(
            "Bakanlık;\n" + "\n".join(f"{n}) {_WORDS * 2}" for n in "abcçde"),
            id="paragraph of items",
        ),
    ],
)
def test_nothing_else_is_longer_for_it(article: str) -> None:
    assert max(len(chunk.text) for chunk in chunks(article)) <= 1.7 * SIZE


def test_item_with_items_is_cut_in_small_chunks() -> None:
    found = chunks(f"Bakanlık;\na) Kısa,\n{items(8)}", size=SIZE - 1)
    assert max(len(chunk.text) for chunk in found) < SIZE


def test_item_with_items_knows_its_pages() -> None:
    before, behind = items(10).split("6)")
    found = chunks(f"Bakanlık;\na) Kısa,\n{before.rstrip()}", f"6){behind}\nc) Biter.")[1]
    sixth = found.text.index("6)")
    assert (found.label, found.page_first, found.page_last) == ("Madde 3, fıkra 1, bent b", 1, 2)
    assert [found.page_at(sixth - 2), found.page_at(sixth)] == [1, 2]
