"""The contract of every reranker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from docrag.api import Leg, Reranker, ScoredChunk, StoredChunk

#: Threads that rerank at the same time.
THREADS = 4

#: A question that some of the chunks answer.
QUESTION = "İşveren yangın tüplerini ne sıklıkla kontrol eder?"
_TEXTS = (
    "Yıllık izin on dört gündür.",
    "Yangın tüpleri her altı ayda bir kontrol edilir.",
    "İşveren kontrolü belgeler.",
    "Kafeterya saat on ikide açılır.",
)


def scored_chunks() -> list[ScoredChunk]:
    """Retrieved chunks, best first, as a retriever gives them."""
    return [
        ScoredChunk(
            chunk=StoredChunk(
                chunk_id=number,
                document_id="00000000-0000-0000-0000-000000000001",
                title="Yönerge",
                filename="yonerge.pdf",
                ordinal=number,
                text=text,
                page_first=1,
                page_last=1,
            ),
            score=1.0 / number,
            legs=(Leg(name="dense", score=1.0 / number, rank=number),),
        )
        for number, text in enumerate(_TEXTS, start=1)
    ]


class RerankerContract:
    """Inherit in a test class and give the reranker; every test of this class must pass."""

    def reranker(self) -> Reranker:
        """The reranker under test; the same object may be given to every test."""
        raise NotImplementedError

    def test_reranker_offers_protocol(self) -> None:
        """It has the protocol's method."""
        assert isinstance(self.reranker(), Reranker)

    def test_rerank_keeps_every_chunk(self) -> None:
        """The same chunks come back, each once, unchanged and none new."""
        given = scored_chunks()
        found = self.reranker().rerank(QUESTION, given)
        assert len(found) == len(given)
        by_id = {item.chunk.chunk_id: item.chunk for item in given}
        assert {item.chunk.chunk_id: item.chunk for item in found} == by_id

    def test_rerank_sorts_best_first(self) -> None:
        """Scores never rise along the list."""
        scores = [item.score for item in self.reranker().rerank(QUESTION, scored_chunks())]
        assert scores == sorted(scores, reverse=True)

    def test_rerank_scores_are_finite(self) -> None:
        """Every score is a number that can be compared, also in the legs."""
        found = self.reranker().rerank(QUESTION, scored_chunks())
        scores = [leg.score for item in found for leg in item.legs]
        assert all(map(math.isfinite, [*scores, *(item.score for item in found)]))

    def test_rerank_keeps_legs(self) -> None:
        """How a chunk was found stays known; a reranker may add legs behind."""
        found = self.reranker().rerank(QUESTION, scored_chunks())
        legs = {item.chunk.chunk_id: item.legs for item in scored_chunks()}
        kept = {item.chunk.chunk_id: item.legs[: len(legs[item.chunk.chunk_id])] for item in found}
        assert kept == legs

    def test_rerank_is_repeatable(self) -> None:
        """The same question and chunks give the same result."""
        reranker = self.reranker()
        first = reranker.rerank(QUESTION, scored_chunks())
        assert reranker.rerank(QUESTION, scored_chunks()) == first

    def test_rerank_leaves_input_alone(self) -> None:
        """The given list is not changed, and another one is returned."""
        given = scored_chunks()
        found = self.reranker().rerank(QUESTION, given)
        assert given == scored_chunks()
        assert found is not given

    def test_rerank_takes_any_sequence(self) -> None:
        """A tuple is as good as a list."""
        given = tuple(scored_chunks())
        assert _ids(self.reranker().rerank(QUESTION, given)) == _ids(given)

    def test_rerank_of_nothing_is_empty(self) -> None:
        """No chunks give no chunks."""
        assert self.reranker().rerank(QUESTION, []) == []

    def test_rerank_of_empty_question_keeps_chunks(self) -> None:
        """Without a question no chunk gets lost."""
        assert _ids(self.reranker().rerank("", scored_chunks())) == _ids(scored_chunks())

    def test_rerank_takes_one_chunk(self) -> None:
        """One chunk comes back alone."""
        given = scored_chunks()[:1]
        found = self.reranker().rerank(QUESTION, given)
        assert [item.chunk for item in found] == [given[0].chunk]

    def test_rerank_tells_twins_apart(self) -> None:
        """Two chunks with the same text both come back, in the order given."""
        first = scored_chunks()[1]
        second = replace(first, chunk=replace(first.chunk, chunk_id=99, ordinal=99))
        found = self.reranker().rerank(QUESTION, [first, second])
        assert [item.chunk for item in found] == [first.chunk, second.chunk]

    def test_rerank_takes_odd_text(self) -> None:
        """Text without words, NUL, half a surrogate pair and decomposed letters do no harm."""
        one = scored_chunks()[0]
        given = [
            replace(one, chunk=replace(one.chunk, chunk_id=number, text=text))
            for number, text in enumerate(("…", "a\0b", "\ud800", "I\u0307s\u0327c\u0327i", " "))
        ]
        assert _ids(self.reranker().rerank("İŞÇİ\0 \ud83d?", given)) == _ids(given)

    def test_rerank_serves_threads(self) -> None:
        """Questions at the same time do not get each other's chunks."""
        reranker = self.reranker()
        chunks = scored_chunks()
        parts = [[*chunks[start:], *chunks[: start - 1]] for start in range(1, len(chunks))] * 3
        alone = [reranker.rerank(QUESTION, part) for part in parts]
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(lambda part: reranker.rerank(QUESTION, part), parts)) == alone


def _ids(items: Sequence[ScoredChunk]) -> list[int]:
    return sorted(item.chunk.chunk_id for item in items)
