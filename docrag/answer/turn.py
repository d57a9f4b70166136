"""One prepared answer: sources found and judged, text not written yet."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

from docrag.answer.calls import cleaned
from docrag.answer.checking import Checking
from docrag.answer.draft import Draft
from docrag.answer.finishing import finished
from docrag.answer.markers import MarkerFilter
from docrag.api import Abstention, Answer, Citation, Delta, LLMError, StoreError, Usage, storable

logger = logging.getLogger(__name__)


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
        self._checking: Checking | None = None

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
        markers = self._filters()
        for delta in source:
            if self._closed.is_set():
                return
            if isinstance(delta, Draft):
                self._draft = delta
                markers = self._filters()
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

    def _filters(self) -> MarkerFilter | None:
        """What resolves markers, for the sources that the one who writes was offered.

        What checks the text behind it is made as well.
        """
        checks = self._draft.checks if self._draft.resolves else None
        self._checking = Checking(self.context, checks) if checks and self.context else None
        if not self._draft.resolves:
            return None
        return MarkerFilter(citation.number for citation in self.context)

    def _piece(self, delta: Delta, markers: MarkerFilter | None) -> Delta:
        """The text of a delta with its markers resolved; the final one completes the answer."""
        text = storable(delta.text)
        if markers:
            text = markers.feed(text)
        self._length += len(text)
        if self._checking:
            text = self._checking.feed(text)
        reason = delta.finish_reason
        if reason is None and 0 < self._draft.most_characters < self._length:
            reason = "length"
        if reason is None:
            self._text.append(text)
            return Delta(text=text)
        text += self._rest(markers)
        if self._is_silent(text) or (self._checking and self._checking.has_failed):
            # Some clients take an empty answer for a broken one.
            text = self._draft.fallback
        self._text.append(text)
        self._finish(reason, delta.usage)
        return Delta(text=text, finish_reason=reason, usage=self.answer.usage)

    def _rest(self, markers: MarkerFilter | None) -> str:
        """What was held back, at the end of the text."""
        text = markers.finish() if markers else ""
        return self._checking.feed(text) + self._checking.finish() if self._checking else text

    def _is_silent(self, last: str) -> bool:
        """True if an answer from documents has neither text nor calls of tools."""
        if self._has_calls or not self._draft.resolves:
            return False
        return not "".join((*self._text, last)).strip()

    def _finish(self, reason: str, usage: Usage | None) -> None:
        text = "".join(self._text)
        self._answer = finished(self._draft, text, reason, usage, self._checking)
        try:
            self._record(self._answer)
        except StoreError as exc:
            # What was written is the reader's; the operator learns that a row is missing.
            logger.error("audit row lost: %s", exc, extra={"action": "audit_lost", "turn": self.id})
