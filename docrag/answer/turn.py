"""One prepared answer: sources found and judged, text not written yet."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from docrag.answer.calls import cleaned
from docrag.answer.context import estimate_tokens
from docrag.answer.markers import MarkerFilter, numbers
from docrag.api import Abstention, Answer, Citation, Delta, LLMError, StoreError, Usage, storable

logger = logging.getLogger(__name__)

#: Largest token count that is believed, and that the audit can hold.
MOST_TOKENS = 2**31 - 1
#: Ends of a turn whose text is not what was to be said.
_FAILURES = ("aborted", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a turn will write, decided at retrieval."""

    id: str
    question: str
    #: Every source that may be cited, by number.
    context: tuple[Citation, ...]
    abstention: Abstention | None
    model_id: str
    prompt_id: str
    #: Tokens of the prompt by estimate, for backends that do not count.
    prompt_tokens: int
    #: ``time.monotonic()`` when the question came in.
    started: float
    #: The sentence that says the documents do not hold the answer.
    fallback: str
    #: The answer is cut here, characters, for models that ignore their limit; 0 for no cut.
    most_characters: int = 0
    #: False for an answer that nothing was looked up for.
    retrieved: bool = True
    #: Markers are resolved and an empty answer becomes the fallback sentence; if false, the text is
    #: what the model wrote and cites nothing.
    resolves: bool = True
    #: The model was given tools; calls of others are left out.
    has_tools: bool = False


class Turn:
    """A prepared answer that is written by iterating :meth:`stream` once.

    :meth:`close` may be called from another thread; everything else is for one thread.
    """

    def __init__(
        self,
        draft: Draft,
        write: Callable[[], Iterator[Delta | Draft]],
        record: Callable[[Answer], None],
    ) -> None:
        """Keep what is needed to write.

        :param write: starts the model (or the quoting, or the fallback) when called; a draft
            between the pieces says that another one writes from there on.
        :param record: called exactly once with the finished answer, also when it was cut short.
        """
        self._draft = draft
        self._write = write
        self._record = record
        self._source: Iterator[Delta | Draft] | None = None
        self._closed = threading.Event()
        self._answer: Answer | None = None
        self._text: list[str] = []
        self._length = 0
        self._has_calls = False

    @property
    def id(self) -> str:
        """Identifier of the audit row (UUID text)."""
        return self._draft.id

    @property
    def question(self) -> str:
        """The question as it was searched."""
        return self._draft.question

    @property
    def context(self) -> tuple[Citation, ...]:
        """Sources that may be cited; empty for an abstention."""
        return self._draft.context

    @property
    def abstention(self) -> Abstention | None:
        """Why nothing will be answered, or ``None``."""
        return self._draft.abstention

    @property
    def model_id(self) -> str:
        """Model that will write."""
        return self._draft.model_id

    @property
    def prompt_id(self) -> str:
        """Prompt that will be used; empty without a model."""
        return self._draft.prompt_id

    @property
    def retrieved(self) -> bool:
        """False for a greeting and for an answer without documents."""
        return self._draft.retrieved

    @property
    def answer(self) -> Answer:
        """The finished answer.

        :raises RuntimeError: :meth:`stream` was not read to its end.
        """
        if self._answer is None:
            raise RuntimeError("the answer is not finished; read stream() to its end first")
        return self._answer

    def stream(self) -> Iterator[Delta]:
        """The answer in pieces, markers resolved; exactly one delta, the last, is final.

        Text, thoughts and calls of tools come in deltas of their own.

        :raises LLMError: the model failed, also in the middle; nothing is made up instead.
        :raises RuntimeError: the stream was read before.
        """
        if self._source is not None:
            raise RuntimeError("the stream of a turn can be read once")
        self._source = iter(()) if self._closed.is_set() else self._write()
        if self._closed.is_set():
            self.close()
        failure = "aborted"
        try:
            yield from self._pieces(self._source)
            if not (self._closed.is_set() or self._answer):
                raise LLMError("the model's answer ended without its last piece")
        except LLMError:
            # After close() a broken connection is what was asked for.
            if not self._closed.is_set():
                failure = "error"
                raise
        finally:
            self.close()
            if self._answer is None:
                self._finish(failure, None)

    def close(self) -> None:
        """Stop the model and its connection. Thread-safe; closing twice is fine."""
        self._closed.set()
        close = getattr(self._source, "close", None)
        if close is None:
            return
        try:
            close()
        except ValueError:
            # A generator that runs in another thread right now; it stops at its next delta.
            logger.debug("stream is busy, closing it at its next piece")

    def read(self) -> Answer:
        """Write the whole answer.

        :raises LLMError: as :meth:`stream`.
        """
        for _ in self.stream():
            pass
        return self.answer

    def _pieces(self, source: Iterator[Delta | Draft]) -> Iterator[Delta]:
        """The pieces up to the final one, or until the turn is closed."""
        markers = self._markers()
        for delta in source:
            if self._closed.is_set():
                return
            if isinstance(delta, Draft):
                self._draft = delta
                markers = self._markers()
                continue
            if delta.reasoning:
                yield Delta(reasoning=storable(delta.reasoning))
            if delta.tool_calls:
                self._has_calls = True
                yield Delta(tool_calls=cleaned(delta.tool_calls))
            piece = self._piece(delta, markers)
            if piece.text or piece.finish_reason:
                yield piece
            if piece.finish_reason:
                return

    def _markers(self) -> MarkerFilter | None:
        """What resolves markers, for the sources that the one who writes was offered."""
        if not self._draft.resolves:
            return None
        return MarkerFilter(citation.number for citation in self.context)

    def _piece(self, delta: Delta, markers: MarkerFilter | None) -> Delta:
        """The text of a delta with its markers resolved; the final one completes the answer."""
        text = storable(delta.text)
        if markers:
            text = markers.feed(text)
        self._length += len(text)
        reason = delta.finish_reason
        if reason is None and 0 < self._draft.most_characters < self._length:
            reason = "length"
        if reason is None:
            self._text.append(text)
            return Delta(text=text)
        if markers:
            text += markers.finish()
        if self._is_silent(text):
            # Some clients take an empty answer for a broken one.
            text = self._draft.fallback
        self._text.append(text)
        self._finish(reason, delta.usage)
        return Delta(text=text, finish_reason=reason, usage=self.answer.usage)

    def _is_silent(self, last: str) -> bool:
        """True if an answer from documents has neither text nor calls of tools."""
        if self._has_calls or not self._draft.resolves:
            return False
        return not "".join((*self._text, last)).strip()

    def _is_due(self, text: str, reason: str) -> bool:
        """True if a text like this should cite a source: it is whole, and from documents."""
        is_whole = reason not in _FAILURES
        return is_whole and self._draft.resolves and bool(self.context and text.strip())

    def _finish(self, reason: str, usage: Usage | None) -> None:
        text = "".join(self._text)
        by_number = {citation.number: citation for citation in self.context}
        named = numbers(text) if self._draft.resolves else ()
        cited = tuple(by_number[n] for n in named if n in by_number)
        counted = usage or Usage(
            prompt_tokens=self._draft.prompt_tokens, completion_tokens=estimate_tokens(text)
        )
        declined = (
            self.retrieved and self.abstention is None and text.strip() == self._draft.fallback
        )
        self._answer = Answer(
            id=self.id,
            question=self.question,
            text=text,
            citations=cited,
            context=self.context,
            abstention=Abstention(reason="model_declined") if declined else self.abstention,
            is_uncited=not (cited or declined) and self._is_due(text, reason),
            model_id=self.model_id,
            prompt_id=self.prompt_id,
            finish_reason=reason,
            usage=_possible(counted),
            duration=time.monotonic() - self._draft.started,
        )
        try:
            self._record(self._answer)
        except StoreError as exc:
            # What was written is the reader's; the operator learns that a row is missing.
            logger.error("audit row lost: %s", exc, extra={"action": "audit_lost", "turn": self.id})


def _possible(usage: Usage) -> Usage:
    """The counts within what a backend can have meant."""
    return Usage(
        prompt_tokens=min(max(usage.prompt_tokens, 0), MOST_TOKENS),
        completion_tokens=min(max(usage.completion_tokens, 0), MOST_TOKENS),
    )
