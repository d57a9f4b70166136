"""The contract of every reranker."""

from __future__ import annotations

from docrag.api import Leg, Reranker, ScoredChunk, StoredChunk

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

    def test_rerank_keeps_legs(self) -> None:
        """How a chunk was found stays known."""
        found = self.reranker().rerank(QUESTION, scored_chunks())
        assert all(item.legs for item in found)

    def test_rerank_leaves_input_alone(self) -> None:
        """The given list is not changed."""
        given = scored_chunks()
        self.reranker().rerank(QUESTION, given)
        assert given == scored_chunks()

    def test_rerank_of_nothing_is_empty(self) -> None:
        """No chunks give no chunks."""
        assert self.reranker().rerank(QUESTION, []) == []

    def test_rerank_takes_one_chunk(self) -> None:
        """One chunk comes back alone."""
        given = scored_chunks()[:1]
        found = self.reranker().rerank(QUESTION, given)
        assert [item.chunk for item in found] == [given[0].chunk]
