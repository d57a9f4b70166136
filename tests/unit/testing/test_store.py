from __future__ import annotations

import pytest

from docrag.api import ADMIN_ROLE, Access, Article, ChunkStore, StoredChunk
from docrag.testing.retrievers import CHUNKS, DIM, QUESTION, filled_store
from docrag.testing.store import MemoryChunkStore
from docrag.testing.vectors import vector

ADMIN = Access.of((ADMIN_ROLE,))


def test_store_offers_protocol() -> None:
    assert isinstance(MemoryChunkStore(), ChunkStore)


@pytest.mark.parametrize("roles", [(), ("personel",), ("güvenlik", "satınalma"), (ADMIN_ROLE,)])
def test_store_filters_by_role(roles: tuple[str, ...]) -> None:
    found = filled_store().candidates(
        terms=("yangi", "izin"), vector=vector(QUESTION, DIM), access=Access.of(roles), k=100
    )
    expected = {text for text, allowed in CHUNKS if {*allowed, ADMIN_ROLE} & set(roles)}
    assert {item.chunk.text for item in found} == expected


def test_store_joins_both_searches_dense_first() -> None:
    found = filled_store().candidates(
        terms=("yilli",), vector=vector(CHUNKS[0][0], DIM), access=ADMIN, k=1
    )
    assert [[leg.name for leg in item.legs] for item in found] == [["dense"], ["lexical"]]


def test_store_gives_one_candidate_for_two_searches() -> None:
    found = filled_store().candidates(
        terms=("yilli",), vector=vector(CHUNKS[4][0], DIM), access=ADMIN, k=1
    )
    assert [[leg.name for leg in item.legs] for item in found] == [["dense", "lexical"]]


def test_store_ranks_rare_words_higher() -> None:
    found = filled_store().candidates(terms=("yangi", "dolum"), vector=None, access=ADMIN, k=9)
    assert found[0].chunk.text == CHUNKS[1][0]


def test_statistics_count_all_chunks() -> None:
    statistics = filled_store().statistics("f5", ["yangi", "yok"])
    assert statistics.n_units == len(CHUNKS)
    assert statistics.document_frequency == {"yangi": 5, "yok": 0}


def test_statistics_of_nothing_are_zero() -> None:
    assert MemoryChunkStore().statistics("f5", ["izin"]).average_length == 0.0


def test_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="known: f5"):
        MemoryChunkStore().statistics("lemma", [])


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k must be 1 or more"):
        MemoryChunkStore().candidates(terms=("a",), vector=None, access=ADMIN, k=0)


def test_roles_are_not_read_as_letters() -> None:
    store = filled_store()
    chunk = store.candidates(terms=("yangi",), vector=None, access=ADMIN, k=1)[0].chunk
    with pytest.raises(TypeError, match="roles must be a collection"):
        store.add(chunk, "personel")


def test_store_finds_named_articles() -> None:
    store = MemoryChunkStore()
    for number, (name, paragraph) in enumerate([("1", 1), ("1", 2), ("2", 1)]):
        article = Article(
            kind="madde", number=name, paragraph_first=paragraph, paragraph_last=paragraph
        )
        chunk = StoredChunk(
            chunk_id=number, document_id="d", title="T", filename="t.pdf", ordinal=number,
            text="iş", page_first=1, page_last=1, article=article,
        )  # fmt: skip
        store.add(chunk, {"ik"})
    second = [Article(kind="madde", number="1", paragraph_first=2, paragraph_last=2)]
    found, seen = store.named_beside(second, ["d", "e"], access=Access.of(["ik"]), k=5)
    assert ([chunk.chunk_id for chunk in found], seen) == ([1, 0], frozenset("d"))
    hidden = store.named_beside(second, ["d"], access=Access.of(["isg"]), k=5)
    assert hidden == ([], frozenset())
    with pytest.raises(ValueError, match="k must be 1"):
        store.named_beside(second, (), access=ADMIN, k=0)
