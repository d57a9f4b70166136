"""From a conversation to a prepared answer: what is asked, what is found, who writes."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from docrag.answer import plan
from docrag.answer.confidence import retrieval_grade
from docrag.answer.context import estimate_tokens, number
from docrag.answer.conversation import Conversation, read
from docrag.answer.draft import Draft
from docrag.answer.finding import Finder
from docrag.answer.finishing import NEAREST
from docrag.answer.guards import guard
from docrag.answer.inquiry import Inquiry, inquire
from docrag.answer.models import Models
from docrag.answer.neighbours import NeighbourStore
from docrag.answer.plan import Planner
from docrag.answer.prompt import Asked
from docrag.answer.quoting import extractive
from docrag.answer.rewriting import rewritten
from docrag.answer.sampling import Sampling as Sampling
from docrag.answer.templates import fallback
from docrag.answer.turn import Turn
from docrag.answer.writing import Attempt, Writing
from docrag.api import (
    LLM,
    Abstention,
    Access,
    Answer,
    Citation,
    Judge,
    Message,
    Reranker,
    Retriever,
    ScoredChunk,
)
from docrag.settings import Settings

logger = logging.getLogger(__name__)


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
        judge: Judge | None = None,
        required: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Keep the parts.

        :param models: who writes; without a default one, passages are quoted.
        :param neighbours: reads what stands beside a chunk; ``None`` adds no neighbours.
        :param judge: asked about sentences of a model that the words alone do not support.
        :param required: tells how much evidence is enough where the settings do not; ``None``
            takes the usual.
        """
        self._settings = settings
        self._models = models
        self._judge = judge
        self._finder = Finder(
            settings=settings,
            retriever=retriever,
            reranker=reranker,
            neighbours=neighbours,
            required=required,
        )
        self._guard = guard.Guard(attacks=settings.attacks, personal_data=settings.personal_data)

    def search(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """As :meth:`docrag.answer.finding.Finder.search`.

        :raises ValueError: ``k`` is less than 1.
        """
        return self._finder.search(query, access=access, k=k)

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
        guarded, seen = self._guard.over(messages)
        if seen.found:
            logger.info("guard: %s", ", ".join(seen.found), extra={"action": "guard"})
        if seen.refused:
            return self._refused(seen, started, record)
        talk = read(guarded)
        if talk.is_courtesy:
            draft = self._draft(talk.question, started, retrieved=False)
            return _turn(plan.said(draft, talk.kind, self._settings.language), _forget)
        inquiry = inquire(talk, lambda talk: self._rewritten(talk, llm, gone))
        found = self._finder.found(inquiry, access)
        context = number(found, first=first_number)
        draft = self._draft(inquiry.question, started, flags=seen.found)
        draft = self._judged(inquiry, context, found, draft)
        planner = self._planner(llm, sampling)
        if draft.abstention:
            return _turn(planner.declined(draft), record)
        # After the gate, which so judges what was found by the question and nothing else.
        around = self._finder.around(found, access)
        return _turn(planner.answered(draft, _asked(talk, inquiry), around), record)

    def plain(
        self, messages: Sequence[Message], *, sampling: Sampling | None = None, model: str = ""
    ) -> Turn:
        """A model's answer to the messages as they are: nothing is searched, cited or recorded.

        Personal data in them give way to masks where they do in questions.

        :raises ValueError: there is no message.
        :raises UnknownName: there is no such alias.
        :raises PromptTooLong: the last message does not fit the window of any model.
        """
        if not messages:
            raise ValueError("messages are empty; add the question")
        llm, messages = self._models.chosen(model), self._guard.masked(messages)
        draft = self._draft(messages[-1].content, time.monotonic(), retrieved=False)
        return _turn(self._planner(llm, sampling).plain(draft, messages), _forget)

    def _judged(
        self,
        inquiry: Inquiry,
        context: tuple[Citation, ...],
        found: Sequence[ScoredChunk],
        draft: Draft,
    ) -> Draft:
        """The draft with the sources if they suffice, else with what is said instead."""
        verdict = self._finder.weighed(inquiry, context, found)
        # A source that holds no word of the question comes near to nothing.
        abstention = verdict.abstention(context[:NEAREST] if verdict.coverage else ())
        language = self._settings.language
        return replace(
            draft,
            context=() if abstention else context,
            abstention=abstention,
            retrieval=retrieval_grade(verdict.evidence, verdict.missing, language=language),
        )

    def _refused(
        self, seen: guard.Verdict, started: float, record: Callable[[Answer], None]
    ) -> Turn:
        """A fixed sentence instead of an answer; what the question said is not recorded."""
        abstention = Abstention(reason=seen.refusal)
        draft = self._draft("", started, abstention=abstention, retrieved=False, flags=seen.found)
        return _turn(plan.said(draft, seen.refusal, self._settings.language), record)

    def _planner(self, llm: LLM | None, sampling: Sampling | None) -> Planner:
        second = self._models.fallback
        chosen = [] if llm is None else [llm] if second is None else [llm, second]
        return Planner(
            settings=self._settings,
            sampling=sampling or Sampling(),
            models=chosen,
            judge=self._judge,
        )

    def _draft(
        self,
        question: str,
        started: float,
        *,
        abstention: Abstention | None = None,
        retrieved: bool = True,
        flags: tuple[str, ...] = (),
    ) -> Draft:
        return Draft(
            id=str(uuid.uuid4()),
            question=question,
            context=(),
            abstention=abstention,
            model_id=extractive.MODEL_ID,
            prompt_id="",
            prompt_tokens=estimate_tokens(question),
            started=started,
            fallback=fallback(self._settings.language) if retrieved else "",
            retrieved=retrieved,
            resolves=retrieved,
            language=self._settings.language,
            flags=flags,
        )

    def _rewritten(
        self, talk: Conversation, llm: LLM | None, gone: Callable[[], bool] | None
    ) -> str:
        seconds, language = self._settings.rewrite_seconds, self._settings.language
        return rewritten(talk, llm, seconds=seconds, language=language, gone=gone)


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
