from __future__ import annotations

import pytest

from docrag.api import Leg, ScoredChunk, StoredChunk
from docrag.cli.search import _for_people

HIT = ScoredChunk(
    chunk=StoredChunk(
        chunk_id=1,
        document_id="d",
        title="İzin",
        filename="izin.pdf",
        ordinal=0,
        text="Yıllık izin on dört gündür.",
        page_first=3,
        page_last=3,
    ),
    score=41.5,
    legs=(Leg(name="dense", score=0.87, rank=2), Leg(name="lexical", score=12.25, rank=0)),
)


def test_passage_is_shown_with_its_page() -> None:
    shown = _for_people(1, HIT, explain=False)
    assert shown == "1. izin.pdf s. 3  (41.500)\nYıllık izin on dört gündür."


@pytest.mark.parametrize(
    "line", ["   dense        0.870  #2", "   lexical     12.250  not in its list"]
)
def test_every_search_is_explained(line: str) -> None:
    assert line in _for_people(1, HIT, explain=True).split("\n")
