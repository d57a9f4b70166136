"""From a conversation to a prepared answer: retrieve, rerank, number, weigh, choose who writes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence

from docrag.answer import extractive, prompt
from docrag.answer.context import estimate_tokens, number
from docrag.answer.evidence import weigh
from docrag.answer.turn import Draft, Turn
from docrag.api import (
    LLM,
    Abstention,
    Access,
    Answer,
    Citation,
    Delta,
    Message,
    Reranker,
    Retriever,
    ScoredChunk,
    Usage,
)
from docrag.settings import Settings

#: Longest question that is searched, characters; the end of a longer one is what was asked.
LONGEST_QUESTION = 2000


class Answerer:
    """Prepares answers. Thread-safe: it keeps no state of a call."""

    def __init__(
        self, *, settings: Settings, retriever: Retriever, reranker: Reranker, llm: LLM | None
    ) -> None:
        """Keep the parts.

        :param llm: ``None`` quotes passages instead of generating.
        """
        self._settings = settings
        self._retriever = retriever
        self._reranker = reranker
        self._llm = llm

    def search(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, reranked, best first; none for an empty query.

        :raises ValueError: ``k`` is less than 1.
        """
        if k < 1:
            raise ValueError(f"k is {k}; ask for at least 1 chunk")
        wide = max(k, self._settings.rerank_k)
        query = query[-LONGEST_QUESTION:]
        found = self._retriever.retrieve(query, access=access, k=wide)
        return self._reranker.rerank(query, found)[:k]

    def prepare(
        self,
        messages: Sequence[Message],
        *,
        access: Access,
        record: Callable[[Answer], None],
    ) -> Turn:
        """Retrieval and evidence gate; the model is not asked yet.

        :param record: receives the finished answer once, for the audit.
        :raises ValueError: there is no user message with text.
        """
        started = time.monotonic()
        turns = _up_to_question(messages)
        question = turns[-1].content.strip()
        found = self.search(question, access=access, k=self._settings.top_k)
        context = number(found)
        abstention = weigh(question, context, least=self._settings.evidence_coverage)
        draft, write = self._plan(turns, question, context, abstention, started)
        return Turn(draft, write, record)

    def _plan(
        self,
        turns: Sequence[Message],
        question: str,
        context: tuple[Citation, ...],
        abstention: Abstention | None,
        started: float,
    ) -> tuple[Draft, Callable[[], Iterator[Delta]]]:
        """Who writes the answer, and what is known before it is written."""
        draft = Draft(
            id=str(uuid.uuid4()),
            question=question,
            context=() if abstention else context,
            abstention=abstention,
            model_id=extractive.MODEL_ID,
            prompt_id="",
            prompt_tokens=estimate_tokens(question),
            started=started,
        )
        if abstention is not None:
            sentence = prompt.fallback(self._settings.language)
            return draft, lambda: _say(sentence)
        if self._llm is None:
            return draft, lambda: extractive.quote(question, context)
        return self._generated(self._llm, turns, draft)

    def _generated(
        self, llm: LLM, turns: Sequence[Message], draft: Draft
    ) -> tuple[Draft, Callable[[], Iterator[Delta]]]:
        settings = self._settings
        built = prompt.build(
            turns,
            draft.context,
            language=settings.language,
            window=llm.context_window,
            answer_tokens=settings.answer_tokens,
        )
        planned = Draft(
            id=draft.id,
            question=draft.question,
            context=built.context,
            abstention=None,
            model_id=llm.model_id,
            prompt_id=built.id,
            prompt_tokens=sum(estimate_tokens(message.content) for message in built.messages),
            started=draft.started,
        )
        return planned, lambda: llm.stream(
            built.messages,
            max_tokens=settings.answer_tokens,
            temperature=settings.temperature,
        )


def _up_to_question(messages: Sequence[Message]) -> list[Message]:
    """The conversation up to its last user message with text."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user" and messages[index].content.strip():
            return list(messages[: index + 1])
    raise ValueError("messages hold no user message with text; add the question")


def _say(sentence: str) -> Iterator[Delta]:
    yield Delta(text=sentence)
    yield Delta(finish_reason="stop", usage=Usage())
