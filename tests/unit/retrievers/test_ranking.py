from __future__ import annotations

from docrag.api import Candidate, Leg
from docrag.retrievers.ranking import ranked
from docrag.testing.rerankers import scored_chunks

CHUNKS = [item.chunk for item in scored_chunks()]


def candidate(number: int, **ranks: int) -> Candidate:
    legs = tuple(Leg(name=name, score=1.0 / rank, rank=rank) for name, rank in ranks.items())
    return Candidate(chunk=CHUNKS[number], legs=legs)


def test_ranking_follows_ranks_of_its_search() -> None:
    found = ranked([candidate(0, dense=2), candidate(1, lexical=1, dense=1)], "dense")
    assert [item.chunk for item in found] == [CHUNKS[1], CHUNKS[0]]


def test_ranking_leaves_other_searches_out() -> None:
    assert ranked([candidate(0, lexical=1)], "dense") == []


def test_ranking_keeps_all_legs() -> None:
    (found,) = ranked([candidate(0, dense=3, lexical=1)], "dense")
    assert [leg.name for leg in found.legs] == ["dense", "lexical"]
    assert found.score == 1.0 / 3
