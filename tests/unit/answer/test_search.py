"""What a search gives: each passage once, as many as asked for, at little cost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from docrag.answer.answerer import Answerer
from docrag.answer.finding import WIDEST
from docrag.answer.models import Models
from docrag.api import Access, Message, ScoredChunk, StoredChunk
from docrag.rerankers.identity import IdentityReranker
from docrag.settings import Settings
from tests.unit.answer.sources import chunk

ISG = Access.of(["isg"])
COPY = "Baretini vardiya başında gözden geçirir ve çatlak bulursa amirine haber verir."
#: Words that make passages different without a number.
NAMES = ("kask", "gözlük", "eldiven", "önlük", "çizme", "maske")


def others(count: int) -> list[str]:
    """Passages that are no copies of each other."""
    return [f"{NAMES[n % 6]} {n} {COPY}" for n in range(count)]


class Ranked:
    """A retriever that knows its results, and counts what it is asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.asked: list[int] = []
        self._found = [
            ScoredChunk(chunk=chunk(n, text, document=f"d{n}", page=n).chunk, score=100.0 - n)
            for n, text in enumerate(texts, start=1)
        ]

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        self.asked.append(k)
        return self._found[:k] if query and access.roles else []


class Shelf:
    """Neighbours of one page each, and how often they were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[int], int, Access]] = []

    def around(self, chunk_ids: Sequence[int], *, reach: int, access: Access) -> list[StoredChunk]:
        self.asked.append((list(chunk_ids), reach, access))
        return [chunk(n + 1, "Komşu.", document=f"d{n}", page=n).chunk for n in chunk_ids]


def answerer(retriever: Ranked, shelf: Shelf | None = None, *, reach: int = 0) -> Answerer:
    return Answerer(
        settings=Settings(rerank_k=5, top_k=2, neighbours=reach),
        retriever=retriever,
        reranker=IdentityReranker(),
        models=Models(),
        neighbours=shelf,
    )


@pytest.mark.parametrize(
    ("copies", "more", "asked"),
    [(1, 9, [5]), (3, 7, [5]), (5, 9, [5, 10]), (30, 9, [5, 10, 20, 40]), (3, 0, [5])],
)
def test_search_goes_on_until_it_has_enough_without_copies(
    copies: int, more: int, asked: list[int]
) -> None:
    retriever = Ranked([COPY] * copies + others(more))
    found = answerer(retriever).search("baret", access=ISG, k=3)
    assert len(found) == min(3, 1 + more)
    assert [item.chunk.chunk_id for item in found] == [1, copies + 1, copies + 2][: len(found)]
    assert retriever.asked == asked


def test_search_in_nothing_but_copies_ends() -> None:
    retriever = Ranked([COPY] * 1000)
    assert len(answerer(retriever).search("baret", access=ISG, k=3)) == 1
    assert retriever.asked[-1] == WIDEST and len(retriever.asked) < 10


@pytest.mark.parametrize(("query", "roles"), [("", ["isg"]), ("baret", [])])
def test_search_for_nothing_asks_once(query: str, roles: list[str]) -> None:
    retriever = Ranked(others(9))
    assert answerer(retriever).search(query, access=Access.of(roles), k=3) == []
    assert len(retriever.asked) == 1


def context_of(parts: Answerer, question: str) -> list[tuple[int, list[int]]]:
    """Number and chunks of every source of an answer."""
    message = Message(role="user", content=question)
    turn = parts.prepare([message], access=ISG, record=lambda _: None)
    turn.read()
    return [(item.number, [c.chunk_id for c in item.chunks]) for item in turn.context]


def test_neighbours_are_asked_for_what_was_found_and_this_access() -> None:
    shelf = Shelf()
    parts = answerer(Ranked(others(4)), shelf, reach=1)
    assert context_of(parts, "Çatlak baret kime haber verilir?") == [(1, [1, 2]), (2, [2, 3])]
    assert shelf.asked == [([1, 2], 1, ISG)]


def test_neighbours_are_not_read_when_they_are_switched_off() -> None:
    shelf = Shelf()
    assert context_of(answerer(Ranked(others(4)), shelf), "Çatlak baret?") == [(1, [1]), (2, [2])]
    assert shelf.asked == []


def test_neighbours_are_not_read_for_a_question_that_is_declined() -> None:
    shelf = Shelf()
    parts = answerer(Ranked(others(4)), shelf, reach=5)
    assert context_of(parts, "Komşu gezegenlerin uyduları?") == []
    assert shelf.asked == []
