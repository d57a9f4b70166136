"""From a conversation to a prepared answer: what is asked, what is found, who writes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from docrag.answer import extractive, plan
from docrag.answer.context import by_page, estimate_tokens, number
from docrag.answer.conversation import Conversation, read
from docrag.answer.duplicates import are_copies, without_copies
from docrag.answer.evidence import weigh
from docrag.answer.inquiry import Inquiry, inquire
from docrag.answer.models import Models
from docrag.answer.naming import is_named, named_first
from docrag.answer.neighbours import NeighbourStore, by_rank
from docrag.answer.plan import Planner
from docrag.answer.prompt import Asked
from docrag.answer.question import asked
from docrag.answer.rewriting import rewritten
from docrag.answer.sampling import Sampling as Sampling
from docrag.answer.templates import fallback
from docrag.answer.turn import Draft, Turn
from docrag.answer.writing import Attempt, Writing
from docrag.api import (
    LLM,
    Abstention,
    Access,
    Answer,
    Citation,
    Message,
    Reranker,
    Retriever,
    ScoredChunk,
    StoredChunk,
)
from docrag.settings import Settings

#: Most chunks that are retrieved to find enough that are no copies of each other.
WIDEST = 400
#: Chunks of the earlier question that have a place beside those of a follow-up.
CARRIED = 2


class Answerer:
    """Prepares answers. Thread-safe: it keeps no state of a call."""

    def __init__(
        self,
        *,
        settings: Settings,
        retriever: Retriever,
        reranker: Reranker,
        models: Models,
        neighbours: NeighbourStore | None = None,
    ) -> None:
        """Keep the parts.

        :param models: who writes; without a default one, passages are quoted.
        :param neighbours: reads what stands beside a chunk; ``None`` adds no neighbours.
        """
        self._settings = settings
        self._retriever = retriever
        self._reranker = reranker
        self._models = models
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
            kept = without_copies(named_first(self._reranker.rerank(query, found)), k)
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
        model: str = "",
        first_number: int = 1,
        gone: Callable[[], bool] | None = None,
    ) -> Turn:
        """Retrieval and evidence gate; no model has begun to answer yet.

        A greeting, thanks or a goodbye is answered without them, and leaves no record.

        :param record: receives the finished answer once, for the audit.
        :param sampling: what the caller asks of the model instead of the settings.
        :param model: alias of the model that writes; empty for the default one.
        :param first_number: number of the first source.
        :param gone: tells, from another thread, whether nobody waits for the answer any more.
        :raises ValueError: there is no user message with text.
        :raises UnknownName: there is no such alias.
        :raises PromptTooLong: the question does not fit the window of any model.
        """
        started = time.monotonic()
        llm = self._models.chosen(model)
        talk = read(messages)
        if talk.is_courtesy:
            draft = self._draft(talk.question, started, retrieved=False)
            return _turn(plan.said(draft, talk.kind, self._settings.language), _forget)
        inquiry = inquire(talk, lambda talk: self._rewritten(talk, llm, gone))
        found = self._found(inquiry, access)
        context = number(found, first=first_number)
        abstention = self._weighed(inquiry, context, named=any(map(is_named, found)))
        draft = self._draft(inquiry.question, started, () if abstention else context, abstention)
        planner = self._planner(llm, sampling)
        if abstention:
            return _turn(planner.declined(draft), record)
        # After the gate, which so judges what was found by the question and nothing else.
        around = self._around(found, access)
        return _turn(planner.answered(draft, _asked(talk, inquiry), around), record)

    def plain(
        self, messages: Sequence[Message], *, sampling: Sampling | None = None, model: str = ""
    ) -> Turn:
        """A model's answer to the messages as they are: nothing is searched, cited or recorded.

        :raises ValueError: there is no message.
        :raises UnknownName: there is no such alias.
        :raises PromptTooLong: the last message does not fit the window of any model.
        """
        if not messages:
            raise ValueError("messages are empty; add the question")
        llm = self._models.chosen(model)
        draft = self._draft(messages[-1].content, time.monotonic(), retrieved=False)
        return _turn(self._planner(llm, sampling).plain(draft, messages), _forget)

    def _planner(self, llm: LLM | None, sampling: Sampling | None) -> Planner:
        second = self._models.fallback
        chosen = [] if llm is None else [llm] if second is None else [llm, second]
        return Planner(settings=self._settings, sampling=sampling or Sampling(), models=chosen)

    def _draft(
        self,
        question: str,
        started: float,
        context: tuple[Citation, ...] = (),
        abstention: Abstention | None = None,
        *,
        retrieved: bool = True,
    ) -> Draft:
        return Draft(
            id=str(uuid.uuid4()),
            question=question,
            context=context,
            abstention=abstention,
            model_id=extractive.MODEL_ID,
            prompt_id="",
            prompt_tokens=estimate_tokens(question),
            started=started,
            fallback=fallback(self._settings.language) if retrieved else "",
            retrieved=retrieved,
            resolves=retrieved,
        )

    def _rewritten(
        self, talk: Conversation, llm: LLM | None, gone: Callable[[], bool] | None
    ) -> str:
        seconds, language = self._settings.rewrite_seconds, self._settings.language
        return rewritten(talk, llm, seconds=seconds, language=language, gone=gone)

    def _found(self, inquiry: Inquiry, access: Access) -> list[ScoredChunk]:
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

    def _weighed(
        self, inquiry: Inquiry, context: Sequence[Citation], *, named: bool
    ) -> Abstention | None:
        """``None`` if the sources suffice for what is asked, else why they do not."""
        least = 0.6 if self._settings.evidence is None else self._settings.evidence
        verdicts = [weigh(text, context, least=least, named=named) for text in inquiry.judged]
        return None if None in verdicts else verdicts[0]

    def _around(self, found: Sequence[ScoredChunk], access: Access) -> tuple[StoredChunk, ...]:
        """Permitted neighbours of what was found, those of the best chunk first."""
        reach = self._settings.neighbours
        if self._neighbours is None or not reach:
            return ()
        ids = [scored.chunk.chunk_id for scored in found]
        around = self._neighbours.around(ids, reach=reach, access=access)
        ranked = by_rank(found, around, reach=reach)
        return tuple(part for chunk in ranked for part in by_page(chunk))


def _turn(attempts: Iterator[Attempt], record: Callable[[Answer], None]) -> Turn:
    """A turn that the first attempt writes; the others are made when they are needed."""
    first = next(attempts)
    return Turn(first.draft, lambda: Writing(chain((first,), attempts)), record)


def _forget(answer: Answer) -> None:
    """Record nothing: this was no question to the documents."""


def _asked(talk: Conversation, inquiry: Inquiry) -> Asked:
    return Asked(
        turns=talk.turns,
        rewritten=inquiry.rewritten,
        earlier=inquiry.carried,
        behind=talk.behind,
    )


def _are_one(first: ScoredChunk, second: ScoredChunk) -> bool:
    one, other = first.chunk, second.chunk
    return one.chunk_id == other.chunk_id or are_copies(one, other)
