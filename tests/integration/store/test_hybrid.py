"""The whole search: every score against its definition, and both stores alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from sqlalchemy import event

from docrag.api import (
    Access,
    Candidate,
    EmbedderError,
    ScoredChunk,
    asked_terms,
    plain,
)
from docrag.retrievers.hybrid import HybridRetriever
from docrag.store.bm25 import COMMON_BESIDE, LARGE, RAREST

from .conftest import ADMIN, Library
from .mirror import Writer, mirrored
from .twins import SIZES, WORDS, Integers, Twins, drawn, filled_twins

ROLES = ("admin", "half")
QUESTIONS = (
    "izin",
    "kaza raporu",
    "yıllık izin süresi kaç gün",
    "ISI ısı işçinin görevi görevi",
    "İş kazası belgesi a ab 2024 kazanın",
    "yokluk bilinmeyen",
)


@pytest.fixture(scope="module")
def twins(shared_database_url: str) -> Iterator[Twins]:
    with filled_twins(shared_database_url) as twins:
        yield twins


def fields(found: list[Candidate]) -> dict[int, tuple[float | None, ...]]:
    """Every number of every candidate, by chunk."""
    return {
        item.chunk.chunk_id: (
            item.dense,
            item.lexical,
            item.window,
            *(number for leg in item.legs for number in (leg.rank, leg.score)),
        )
        for item in found
    }


def both(twins: Twins, way: str, question: str, role: str, k: int) -> list[list[Candidate]]:
    terms, access = asked_terms(question), Access.of([role])
    return [
        store.candidates(
            terms=terms, vector=drawn(question, unit=unit), access=access, k=k
        )
        for store, unit in ((twins.store(way).chunks, False), (twins.memory, True))
    ]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("way", "k"), [("exact", 4), ("exact", 200), ("hnsw", 9)])
def test_stores_agree_on_every_field(
    twins: Twins, way: str, question: str, role: str, k: int
) -> None:
    found, wanted = both(twins, way, question, role, k)
    assert [item.chunk for item in found] == [item.chunk for item in wanted]
    assert [[leg.name for leg in item.legs] for item in found] == [
        [leg.name for leg in item.legs] for item in wanted
    ]
    one, other = fields(found), fields(wanted)
    for number in other:
        assert one[number] == pytest.approx(other[number], abs=1e-9)
    assert [item.feedback for item in found] == pytest.approx(
        [item.feedback for item in wanted], abs=1e-6
    )


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("way", "pool"), [("exact", 5), ("exact", 200), ("hnsw", 20)])
def test_results_of_both_stores_are_equal(
    twins: Twins, way: str, question: str, role: str, pool: int
) -> None:
    found, wanted = (
        HybridRetriever(store=store, embedder=Integers(unit=unit), pool=pool).retrieve(
            question, access=Access.of([role]), k=5
        )
        for store, unit in ((twins.store(way).chunks, False), (twins.memory, True))
    )
    assert [item.chunk for item in found] == [item.chunk for item in wanted]
    # The database moves the question in single precision.
    assert numbers(found) == pytest.approx(numbers(wanted), rel=1e-5, abs=1e-6)
    assert len(found) == 5


def numbers(found: list[ScoredChunk]) -> list[float]:
    """Score, and rank and score of each leg."""
    return [
        number
        for item in found
        for number in (item.score, *(n for leg in item.legs for n in (leg.rank, leg.score)))
    ]


@pytest.mark.parametrize("way", ["exact", "hnsw"])
@pytest.mark.parametrize("role", ROLES)
def test_scores_equal_their_definitions(twins: Twins, way: str, role: str) -> None:
    """Also of a chunk that only the other search has found."""
    question, access = QUESTIONS[4], Access.of([role])
    asked = asked_terms(question)
    with mirrored(twins.engine, exact=way == "exact") as (chunks, reference):
        found = chunks.candidates(terms=asked, vector=drawn(question), access=access, k=12)
    lexical, window = reference.lexical(asked, role), reference.window(asked, role)
    for item in found:
        number = item.chunk.chunk_id
        assert item.lexical == pytest.approx(lexical[number], abs=1e-9)
        assert item.window == pytest.approx(window[number], abs=1e-9)
    names = {tuple(leg.name for leg in item.legs) for item in found}
    assert {("dense",), ("lexical",)} <= names


@pytest.mark.parametrize("size", sorted(set(SIZES)))
def test_every_chunk_of_a_document_has_its_window(twins: Twins, size: int) -> None:
    """Runs of at most twelve, as even as can be."""
    with mirrored(twins.engine) as (chunks, reference):
        found = chunks.candidates(terms=["izin"], vector=drawn("x"), access=ADMIN, k=1000)
    units = {unit.id: unit for unit in reference.units if unit.size == size}
    runs = {units[i.chunk.chunk_id].window: i.window for i in found if i.chunk.chunk_id in units}
    assert len(runs) == -(-size // 12)
    wanted = reference.window(["izin"])
    assert {units[n].window: score for n, score in wanted.items() if n in units} == pytest.approx(
        runs, abs=1e-9
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_second_stage_equals_definitions(twins: Twins, question: str) -> None:
    """Letters and pairs of the retriever are textbook BM25 over all chunks."""
    retriever = HybridRetriever(
        store=twins.exact.chunks, embedder=Integers(), pool=200, cosine_weight=7.5
    )
    found = retriever.retrieve(question, access=ADMIN, k=1000)
    with mirrored(twins.engine) as (_, reference):
        wanted = {"c4": reference.c4(question), "bigram": reference.bigram(question)}
    for item in found:
        scores = {leg.name: leg.score for leg in item.legs}
        for name, definition in wanted.items():
            assert scores[name] == pytest.approx(definition[item.chunk.chunk_id], abs=1e-9)
        del scores["dense"]
        cosine = scores.pop("feedback")
        assert item.score == pytest.approx(sum(scores.values()) + 7.5 * cosine, abs=1e-9)


@pytest.fixture
def large(twins: Twins) -> Iterator[Twins]:
    """The same corpus, searched as one of 20,000 chunks would be."""

    def enlarge(
        _c: object, _u: object, sent: str, values: object, *_: object
    ) -> tuple[str, object]:
        assert "searched AS MATERIALIZED" not in sent or f"st.n < {LARGE}" in sent
        return sent.replace(f"st.n < {LARGE}", "st.n < 0"), values

    event.listen(twins.engine, "before_cursor_execute", enlarge, retval=True)
    yield twins
    event.remove(twins.engine, "before_cursor_execute", enlarge)


def searched_terms(asked: list[str], frequency: Callable[[str], int], n: int) -> list[str]:
    """Terms that find chunks of a large corpus: the three rarest, and all in a tenth at most."""
    known = sorted((frequency(plain(term)), term) for term in set(asked) if frequency(plain(term)))
    return [
        term for place, (df, term) in enumerate(known) if df <= n * COMMON_BESIDE or place < RAREST
    ]


def test_common_words_find_nothing_in_a_large_corpus_but_count(large: Twins) -> None:
    """What the rarer words find has the score of all words, if it is as many as wanted."""
    asked = ["izin", "rapor", "maas", "a", "ab", "sure", "sagli"]
    with mirrored(large.engine) as (_, reference):
        rare = searched_terms(asked, reference.frequency, len(reference.units))
    wanted = {n for n, score in reference.lexical(rare).items() if score > 0}
    found = large.exact.chunks.candidates(terms=asked, vector=None, access=ADMIN, k=len(wanted))
    lexical, window = reference.lexical(asked), reference.window(asked)
    assert len(rare) < len(asked)
    assert {item.chunk.chunk_id for item in found} == wanted
    for item in found:
        assert item.lexical == pytest.approx(lexical[item.chunk.chunk_id], abs=1e-9)
        assert item.window == pytest.approx(window[item.chunk.chunk_id], abs=1e-9)


def test_search_hands_its_counts_on(twins: Twins) -> None:
    """The second stage counts by the same snapshot as the first."""
    asked = asked_terms(QUESTIONS[2])
    with mirrored(twins.engine) as (chunks, reference):
        found = chunks.candidates(terms=asked, vector=drawn("x"), access=ADMIN, k=5)
    words = found[0].words
    assert words is not None and all(item.words is words for item in found)
    assert words.n_units == len(reference.units)
    named = {plain(term): reference.frequency(plain(term)) for term in asked}
    assert dict(words.document_frequency) == {term: n for term, n in named.items() if n}


def test_chunk_without_vector_is_found_by_words(twins: Twins) -> None:
    document = twins.memory._rows[-1].chunk
    found = twins.exact.chunks.candidates(
        terms=asked_terms(document.text), vector=drawn("x"), access=ADMIN, k=200
    )
    (own,) = [item for item in found if item.chunk == document]
    assert own.dense is None
    assert [leg.name for leg in own.legs] == ["lexical"]


def test_equal_chunks_come_in_their_order(library: Library) -> None:
    """Sums of many floats must not decide between equal texts."""
    words = " ".join(WORDS)
    for n in range(30):
        document, _ = library.queue(data=str(n).encode())
        Writer(library.store).fill(document.id, "İzin", [words], vectors=np.stack([drawn("x")]))
    retriever = HybridRetriever(store=library.store.chunks, embedder=Integers())
    found = retriever.retrieve(words, access=ADMIN, k=30)
    ids = [item.chunk.chunk_id for item in found]
    assert ids == sorted(ids) and len(ids) == 30


def test_text_is_stored_without_its_header(library: Library) -> None:
    document, _ = library.queue()
    Writer(library.store).fill(document.id, "İzin_Yönergesi", ["on dört gün"], section="Ücretli")
    for words in ("yönerge", "ücretli"):
        (found,) = library.store.chunks.candidates(
            terms=asked_terms(words), vector=None, access=ADMIN, k=5
        )
        assert (found.chunk.text, found.chunk.section) == ("on dört gün", "Ücretli")


def test_vector_of_another_length_is_refused(library: Library) -> None:
    library.shelve("izin")
    with pytest.raises(EmbedderError, match="the stored ones 16 numbers"):
        HybridRetriever(store=library.store.chunks, embedder=Integers()).retrieve(
            "izin", access=ADMIN, k=5
        )
