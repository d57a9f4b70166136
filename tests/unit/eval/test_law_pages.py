from __future__ import annotations

import pytest

from docrag.api import Leg, ScoredChunk, StoredChunk
from eval.law_pages import Places, place

ITEM = {"document": "kanun.pdf", "page": [4]}


def hit(first: int | None, last: int | None, filename: str = "kanun.pdf") -> ScoredChunk:
    chunk = StoredChunk(
        chunk_id=1, document_id="d", title="Kanun", filename=filename, ordinal=0, text="İzin",
        page_first=first, page_last=last,
    )  # fmt: skip
    return ScoredChunk(chunk=chunk, score=1.0, legs=(Leg(name="dense", score=0.5, rank=1),))


@pytest.mark.parametrize(("first", "last"), [(4, 4), (3, 4), (4, 6), (3, 5)])
def test_chunk_with_a_part_on_the_page_is_right(first: int, last: int) -> None:
    assert place([hit(1, 2), hit(first, last)], ITEM) == 2


@pytest.mark.parametrize("other", [hit(5, 6), hit(None, None), hit(4, 4, "yonetmelik.pdf")])
def test_other_pages_and_laws_are_wrong(other: ScoredChunk) -> None:
    assert place([other], ITEM) == 0


def test_places_are_summed_up() -> None:
    assert str(Places(places=(1, 5, 6, 0))) == "2/4 in five, 1 first, MRR 0.3417"


def test_no_questions_have_no_places() -> None:
    assert str(Places(places=())) == "0/0 in five, 0 first, MRR 0.0000"
