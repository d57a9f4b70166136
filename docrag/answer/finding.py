"""What is found for a question, and whether it suffices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from docrag.answer.context import by_page
from docrag.answer.duplicates import are_copies, without_copies
from docrag.answer.gate.evidence import Verdict, weigh
from docrag.answer.inquiry import Inquiry
from docrag.answer.naming import is_named, named_first
from docrag.answer.neighbours import NeighbourStore, by_rank
from docrag.answer.question import asked
from docrag.api import Access, Citation, Reranker, Retriever, ScoredChunk, StoredChunk
from docrag.settings import Settings

#: Most chunks that are retrieved to find enough that are no copies of each other.
WIDEST: Final = 400
#: Chunks of the earlier question that have a place beside those of a follow-up.
CARRIED: Final = 2


class Finder:
    """Searches, and judges what it found. Thread-safe: it keeps no state of a call."""

    def __init__(
        self,
        *,
        settings: Settings,
        retriever: Retriever,
        reranker: Reranker,
        neighbours: NeighbourStore | None,
        required: Callable[[], float | None],
    ) -> None:
        """Keep the parts.

        :param neighbours: reads what stands beside a chunk; ``None`` adds no neighbours.
        :param required: tells how much evidence is enough where the settings do not; ``None``
            takes the usual.
        """
        self._settings = settings
        self._retriever = retriever
        self._reranker = reranker
        self._neighbours = neighbours
        self._required = required

    def search(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, reranked, best first; none for an empty query.

        Each passage once: of copies, only one takes a place (see ``docrag.answer.duplicates``).

        :raises ValueError: ``k`` is less than 1.
        """
        if k < 1:
            raise ValueError(f"k is {k}; ask for at least 1 chunk")
        wide = max(k, self._settings.rerank_k)
        query = asked(query)
        while True:
            found = self._retriever.retrieve(query, access=access, k=wide)
            kept = without_copies(named_first(self._reranker.rerank(query, found)), k)
            if len(kept) >= k or len(found) < wide or wide >= WIDEST:
                return kept
            wide = min(2 * wide, WIDEST)

    def found(self, inquiry: Inquiry, access: Access) -> list[ScoredChunk]:
        """What may be used: the question's own chunks, best first, then the earlier question's.

        docrag keeps no conversation, so the earlier question is searched again, with the access of
        today: a source that has been withdrawn since, or that a client made up, is not there.
        """
        most = self._settings.top_k
        fresh, before = (
            self.search(query, access=access, k=most) if query else []
            for query in (inquiry.searched, inquiry.carried)
        )
        if not (fresh and before):
            return fresh or before
        room = max(most - CARRIED, 1)
        found: list[ScoredChunk] = []
        for scored in (*fresh[:room], *before[:CARRIED], *fresh[room:], *before[CARRIED:]):
            if not any(_are_one(scored, other) for other in found):
                found.append(scored)
        return found[:most]

    def weighed(
        self, inquiry: Inquiry, context: Sequence[Citation], found: Sequence[ScoredChunk]
    ) -> Verdict:
        """Whether the sources suffice for what is asked: the best verdict on one of its texts."""
        named, least = any(map(is_named, found)), self._settings.evidence
        if least is None:
            least = self._required()
        verdicts = [
            weigh(text, context, found=found, least=least, named=named) for text in inquiry.judged
        ]
        passed = [verdict for verdict in verdicts if verdict.is_enough]
        return max(passed, key=lambda verdict: verdict.evidence) if passed else verdicts[0]

    def around(self, found: Sequence[ScoredChunk], access: Access) -> tuple[StoredChunk, ...]:
        """Permitted neighbours of what was found, those of the best chunk first."""
        reach = self._settings.neighbours
        if self._neighbours is None or not reach:
            return ()
        ids = [scored.chunk.chunk_id for scored in found]
        around = self._neighbours.around(ids, reach=reach, access=access)
        ranked = by_rank(found, around, reach=reach)
        return tuple(part for chunk in ranked for part in by_page(chunk))


def _are_one(first: ScoredChunk, second: ScoredChunk) -> bool:
    one, other = first.chunk, second.chunk
    return one.chunk_id == other.chunk_id or are_copies(one, other)
