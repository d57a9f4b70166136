"""Who may write an answer, one after the other, each with its own prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from docrag.answer import prompt
from docrag.answer.checking import Checks
from docrag.answer.draft import Draft
from docrag.answer.neighbours import all_grown
from docrag.answer.plain import RESERVE, option_tokens, tokens, trimmed
from docrag.answer.prompt import Asked
from docrag.answer.quoting import extractive
from docrag.answer.sampling import Sampling, Wish, wish
from docrag.answer.templates import prompt_id, sentence, text_of
from docrag.answer.writing import Attempt
from docrag.api import LLM, Delta, Judge, Message, PromptTooLong, StoredChunk, Usage
from docrag.settings import Settings

#: Characters that one token of an answer has at the very most; beyond, the limit was ignored.
MOST_CHARACTERS_A_TOKEN: Final = 12


def said(draft: Draft, name: str, language: str) -> Iterator[Attempt]:
    """A fixed sentence.

    :param name: its prompt file, such as ``greeting``.
    """
    identifier = prompt_id(name, language)
    chosen = replace(draft, prompt_id=identifier, resolves=False)
    yield Attempt(draft=chosen, start=lambda: _say(text_of(identifier)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans answers of one caller's wish."""

    settings: Settings
    sampling: Sampling
    #: The models that may write, the chosen one first; none quotes passages.
    models: Sequence[LLM]
    #: Asked about sentences that the words alone do not support.
    judge: Judge | None = None

    def declined(self, draft: Draft) -> Iterator[Attempt]:
        """The sentence that the documents do not hold the answer."""
        yield Attempt(draft=draft, start=lambda: _say(draft.fallback))

    def answered(
        self, draft: Draft, asked: Asked, neighbours: Sequence[StoredChunk]
    ) -> Iterator[Attempt]:
        """An answer from the sources of the draft: by a model, or by quoting them.

        :raises PromptTooLong: no model can be asked this.
        """
        if not self.models:
            grown = all_grown(draft.context, neighbours)
            whole = replace(draft, context=grown, is_quoted=True)
            yield Attempt(draft=whole, start=_quoting(whole, self.settings.language))
            return
        asking = wish(self.sampling, self.settings, with_tools=self.settings.tools == "always")
        if asking.options is None or not asking.options.tools:
            asked = replace(asked, behind=())

        def one(llm: LLM) -> Attempt:
            return self._generated(llm, asking, draft, asked, neighbours)

        first: Draft | None = None
        for attempt in self._each(one):
            first = first or attempt.draft
            yield attempt
        if first and not self.sampling.wants_json:
            yield self._quoted(first)

    def plain(self, draft: Draft, messages: Sequence[Message]) -> Iterator[Attempt]:
        """An answer of a model to the messages as they are.

        :raises PromptTooLong: no model can be asked this.
        """
        if not self.models:
            yield from said(draft, "no_model", self.settings.language)
            return
        asking = wish(self.sampling, self.settings, with_tools=self.settings.tools != "never")

        def one(llm: LLM) -> Attempt:
            room = llm.context_window - asking.max_tokens - RESERVE
            sent = trimmed(messages, room=room - option_tokens(asking.options))
            return self._attempt(llm, asking, draft, sent)

        yield from self._each(one)

    def _each(self, attempt: Callable[[LLM], Attempt]) -> Iterator[Attempt]:
        """What each of the models makes of it; one with too small a window is left out.

        A model is looked at when its turn comes: its server may have to tell its window first.

        :raises PromptTooLong: all of them are left out.
        """
        failures: list[PromptTooLong] = []
        for llm in self.models:
            try:
                one = attempt(llm)
            except PromptTooLong as exc:
                failures.append(exc)
            else:
                yield one
        if len(failures) == len(self.models):
            raise failures[0]

    def _generated(
        self,
        llm: LLM,
        asking: Wish,
        draft: Draft,
        asked: Asked,
        neighbours: Sequence[StoredChunk],
    ) -> Attempt:
        built = prompt.build(
            asked,
            draft.context,
            language=self.settings.language,
            window=llm.context_window - option_tokens(asking.options),
            answer_tokens=asking.max_tokens,
            neighbours=neighbours,
        )
        own = replace(
            draft,
            context=built.context,
            prompt_id=built.id,
            resolves=not self.sampling.wants_json,
            checks=self._checks(draft.question),
        )
        return self._attempt(llm, asking, own, built.messages)

    def _checks(self, question: str) -> Checks | None:
        """How the text of a model is checked; ``None`` if it is not."""
        settings = self.settings
        if settings.verify == "off" or self.sampling.wants_json:
            return None
        return Checks(
            policy=settings.verify,
            language=settings.language,
            question=question,
            judge=self.judge,
        )

    def _attempt(
        self, llm: LLM, asking: Wish, draft: Draft, messages: Sequence[Message]
    ) -> Attempt:
        own = replace(
            draft,
            model_id=llm.model_id,
            prompt_tokens=sum(map(tokens, messages)) + option_tokens(asking.options),
            most_characters=asking.max_tokens * MOST_CHARACTERS_A_TOKEN,
            has_tools=bool(asking.options and asking.options.tools),
        )
        start = asking.starter(llm, messages)
        return Attempt(draft=own, start=start, retries=self.settings.llm_retries)

    def _quoted(self, draft: Draft) -> Attempt:
        """The sources as they stand, behind a sentence that says why."""
        language = self.settings.language
        own = replace(
            draft,
            model_id=extractive.MODEL_ID,
            prompt_id=prompt_id("quoted", language),
            prompt_tokens=0,
            most_characters=0,
            checks=None,
            is_quoted=True,
        )
        return Attempt(
            draft=own, start=_quoting(own, language, f"{sentence('quoted', language)}\n\n")
        )


def _quoting(draft: Draft, language: str, opening: str = "") -> Callable[[], Iterator[Delta]]:
    def quote() -> Iterator[Delta]:
        if opening:
            yield Delta(text=opening)
        yield from extractive.quote(draft.question, draft.context, language=language)

    return quote


def _say(text: str) -> Iterator[Delta]:
    yield Delta(text=text)
    yield Delta(finish_reason="stop", usage=Usage())
