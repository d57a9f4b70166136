"""Who writes an answer: one model after the other, and quoted passages at last."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from docrag.answer.calls import without_calls
from docrag.answer.draft import Draft
from docrag.api import AnswerCutShort, Delta, LLMError, LLMRefused, LLMUnavailable

logger = logging.getLogger(__name__)

#: Seconds before a model is tried again: a busy server needs a moment, a reader does not wait long.
PAUSE: Final = 0.5
#: Longest pause that a server may ask for, seconds; beyond, the next one writes.
LONGEST_PAUSE: Final = 2.0
#: Ends of an answer that say nothing of the documents: without a word before them, the answer is
#: missing, and not that the passages hold none.
CUT: Final = ("length", "content_filter")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One that can write."""

    #: What the answer says of who wrote it, and from what.
    draft: Draft
    #: Starts to write.
    start: Callable[[], Iterator[Delta]]
    #: Further tries after a failure that may pass.
    retries: int = 0


class Writing(Iterator[Delta | Draft]):
    """The pieces of the first attempt that gets to its first word.

    Before the pieces of another attempt than the first stands its draft. Once a word, a thought or
    a call of a tool is out, an error ends the writing: what was read cannot be taken back.
    Iterate in one thread, close in any.
    """

    def __init__(self, attempts: Iterable[Attempt]) -> None:
        """Keep who may write; nobody is asked before the first piece is.

        :param attempts: in the order in which they are tried, at least one; each is taken when its
            turn comes.
        """
        self._attempts = attempts
        self._closed = threading.Event()
        self._stream: Iterator[Delta] | None = None
        self._begun = False
        self._pieces = self._written()

    def __next__(self) -> Delta | Draft:
        """The next piece.

        :raises LLMError: everybody failed, of which this is the first failure, or the one who
            wrote failed in the middle.
        """
        return next(self._pieces)

    def close(self) -> None:
        """Stop at once, also in a pause; closing twice does nothing."""
        self._closed.set()
        close(self._stream)

    def _written(self) -> Iterator[Delta | Draft]:
        failures: list[LLMError] = []
        for attempt in self._attempts:
            if failures:
                yield attempt.draft
            failure = yield from self._tried(attempt)
            if failure is None or self._closed.is_set():
                return
            failures.append(failure)
        raise failures[0]

    def _tried(self, attempt: Attempt) -> Generator[Delta, None, LLMError | None]:
        """The pieces of an attempt; its failure in the end if it failed before its first word.

        :raises LLMError: it failed in the middle.
        """
        for left in range(attempt.retries, -1, -1):
            try:
                yield from self._once(attempt)
            except LLMError as exc:
                if self._begun:
                    raise
                if self._closed.is_set():
                    return exc
                _log(exc, attempt.draft.model_id)
                pause = _pause(exc) if left else None
                if pause is None or self._closed.wait(pause):
                    return exc
            else:
                return None
        return None

    def _once(self, attempt: Attempt) -> Iterator[Delta]:
        """The pieces of one try.

        :raises LLMError: it failed, or ended without its last piece.
        """
        self._stream = attempt.start()
        if self._closed.is_set():
            close(self._stream)
            return
        has_answer = not attempt.draft.resolves
        for told in self._stream:
            delta = told if attempt.draft.has_tools else without_calls(told)
            has_answer = has_answer or bool(delta.text.strip() or delta.tool_calls)
            if delta.finish_reason in CUT and not has_answer:
                raise _unanswered(delta.finish_reason)
            self._begun = self._begun or bool(delta.text or delta.reasoning or delta.tool_calls)
            yield delta
            if delta.finish_reason:
                return
        if not self._closed.is_set():
            raise LLMError("the model's answer ended without its last piece")


def _unanswered(reason: str) -> LLMError:
    """The failure of a model that ended before the first word of its answer."""
    if reason != "length":
        return LLMRefused(f"the model ended without an answer ({reason})")
    return AnswerCutShort(
        "the model ended without an answer (length); where it thinks before it answers, raise "
        "DOCRAG_ANSWER_TOKENS"
    )


def _pause(failure: LLMError) -> float | None:
    """Seconds to wait before the same model is asked again; ``None`` if that is of no use."""
    if not isinstance(failure, LLMUnavailable):
        return None
    wanted = PAUSE if failure.retry_after is None else failure.retry_after
    return wanted if wanted <= LONGEST_PAUSE else None


def _log(failure: LLMError, model_id: str) -> None:
    logger.warning(
        "%s did not answer: %s",
        model_id,
        failure,
        extra={"action": "llm_failed", "model_id": model_id, "error": type(failure).__name__},
    )


def close(stream: Iterator[Delta] | None) -> None:
    """Close the connection of a model's stream, from any thread; ``None`` does nothing."""
    end = getattr(stream, "close", None)
    if end is None:
        return
    try:
        end()
    except ValueError:
        # A generator that runs in another thread right now; it is left at its next piece.
        logger.debug("stream is busy, leaving it at its next piece")
