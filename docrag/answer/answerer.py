"""From a conversation to a prepared answer: retrieve, rerank, number, weigh, choose who writes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrag.answer import extractive, prompt
from docrag.answer.context import estimate_tokens, number
from docrag.answer.duplicates import without_copies
from docrag.answer.evidence import weigh
from docrag.answer.neighbours import NeighbourStore, all_grown, by_rank
from docrag.answer.question import asked, core, up_to_question
from docrag.answer.turn import Draft, Turn
from docrag.api import (
    LLM,
    Access,
    Answer,
    Delta,
    Message,
    Reranker,
    Retriever,
    ScoredChunk,
    StoredChunk,
    Usage,
)
from docrag.settings import Settings

#: Characters that one token of an answer has at the very most; beyond, the limit was ignored.
MOST_CHARACTERS_A_TOKEN = 12
#: Most chunks that are retrieved to find enough that are no copies of each other.
WIDEST = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """What a caller asks of the model; ``None`` leaves the setting as it is."""

    #: Most tokens of the answer; a wish above ``DOCRAG_ANSWER_TOKENS`` is cut to it.
    max_tokens: int | None = None
    #: 0 to 2.
    temperature: float | None = None


class Answerer:
    """Prepares answers. Thread-safe: it keeps no state of a call."""

    def __init__(
        self,
        *,
        settings: Settings,
        retriever: Retriever,
        reranker: Reranker,
        llm: LLM | None,
        neighbours: NeighbourStore | None = None,
    ) -> None:
        """Keep the parts.

        :param llm: ``None`` quotes passages instead of generating.
        :param neighbours: reads what stands beside a chunk; ``None`` adds no neighbours.
        """
        self._settings = settings
        self._retriever = retriever
        self._reranker = reranker
        self._llm = llm
        self._neighbours = neighbours

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
            kept = without_copies(self._reranker.rerank(query, found), k)
            if len(kept) >= k or len(found) < wide or wide >= WIDEST:
                return kept
            wide = min(2 * wide, WIDEST)

    def prepare(
        self,
        messages: Sequence[Message],
        *,
        access: Access,
        record: Callable[[Answer], None],
        sampling: Sampling | None = None,
    ) -> Turn:
        """Retrieval and evidence gate; the model is not asked yet.

        :param record: receives the finished answer once, for the audit.
        :param sampling: what the caller asks of the model instead of the settings.
        :raises ValueError: there is no user message with text.
        """
        started = time.monotonic()
        turns = up_to_question(messages)
        question = asked(turns[-1].content)
        found = self.search(question, access=access, k=self._settings.top_k)
        context = number(found)
        abstention = weigh(core(question), context, least=self._settings.evidence_coverage)
        draft = Draft(
            id=str(uuid.uuid4()),
            question=question,
            context=() if abstention else context,
            abstention=abstention,
            model_id=extractive.MODEL_ID,
            prompt_id="",
            prompt_tokens=estimate_tokens(question),
            started=started,
            fallback=prompt.fallback(self._settings.language),
        )
        # After the gate, which so judges what was found by the question and nothing else.
        around = () if abstention else self._around(found, access)
        planned, write = self._plan(draft, around, turns, sampling or Sampling())
        return Turn(planned, write, record)

    def _around(self, found: Sequence[ScoredChunk], access: Access) -> tuple[StoredChunk, ...]:
        """Permitted neighbours of what was found, those of the best chunk first."""
        reach = self._settings.neighbours
        if self._neighbours is None or not reach:
            return ()
        ids = [scored.chunk.chunk_id for scored in found]
        around = self._neighbours.around(ids, reach=reach, access=access)
        return by_rank(found, around, reach=reach)

    def _plan(
        self,
        draft: Draft,
        around: Sequence[StoredChunk],
        turns: Sequence[Message],
        sampling: Sampling,
    ) -> tuple[Draft, Callable[[], Iterator[Delta]]]:
        """Who writes the answer, and what is known before it is written."""
        if draft.abstention is not None:
            return draft, lambda: _say(draft.fallback)
        if self._llm is None:
            whole = replace(draft, context=all_grown(draft.context, around))
            return whole, lambda: extractive.quote(whole.question, whole.context)
        return self._generated(self._llm, draft, around, turns, sampling)

    def _generated(
        self,
        llm: LLM,
        draft: Draft,
        around: Sequence[StoredChunk],
        turns: Sequence[Message],
        sampling: Sampling,
    ) -> tuple[Draft, Callable[[], Iterator[Delta]]]:
        settings = self._settings
        most = min(sampling.max_tokens or settings.answer_tokens, settings.answer_tokens)
        temperature = sampling.temperature
        built = prompt.build(
            turns,
            draft.context,
            language=settings.language,
            window=llm.context_window,
            answer_tokens=most,
            neighbours=around,
        )
        planned = replace(
            draft,
            context=built.context,
            model_id=llm.model_id,
            prompt_id=built.id,
            most_characters=most * MOST_CHARACTERS_A_TOKEN,
            prompt_tokens=sum(estimate_tokens(message.content) for message in built.messages),
        )
        return planned, lambda: llm.stream(
            built.messages,
            max_tokens=most,
            temperature=settings.temperature if temperature is None else temperature,
        )


def _say(sentence: str) -> Iterator[Delta]:
    yield Delta(text=sentence)
    yield Delta(finish_reason="stop", usage=Usage())
