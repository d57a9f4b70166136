"""The contract of every language model backend."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import ClassVar, Protocol, cast

import pytest

from docrag.api import LLM, Delta, LLMError, LLMRefused, LLMTimeout, LLMUnavailable, Message
from docrag.testing.chat import Reply
from docrag.testing.conversations import ANSWER as ANSWER
from docrag.testing.conversations import (
    CALLS,
    OPTIONS,
    PICTURE_MESSAGE,
    TOOL_MESSAGES,
    joined,
)
from docrag.testing.conversations import MESSAGES as MESSAGES

#: Seconds that a closed stream may take to reach the server.
PATIENCE = 3.0


class Upstream(Protocol):
    """What the contract must see of the fake server behind a backend."""

    #: Set when the client left before its answer was complete.
    disconnected: threading.Event
    #: Number of chats that the server was asked for.
    chat_calls: int


class LLMContract:
    """Inherit in a test class and open the backend; every test of this class must pass."""

    #: Fault of the fake server, and the error that the backend must raise for it.
    faults: ClassVar[Mapping[str, type[LLMError]]] = {
        "cut": LLMError,
        "500": LLMUnavailable,
        "busy": LLMUnavailable,
        "429": LLMUnavailable,
        "garbage": LLMError,
        "error_line": LLMError,
        "no_model": LLMRefused,
    }

    def open(
        self,
        *,
        answer: str | Reply = ANSWER,
        fault: str = "",
        delay: float = 0.0,
        timeout: float = 20.0,
    ) -> AbstractContextManager[tuple[LLM, Upstream]]:
        """A backend with its fake server, which is stopped at the end of the ``with`` block.

        :param answer: what the server answers, its text in at least five pieces.
        :param fault: a key of :attr:`faults`; ``slow`` waits ``delay`` before each piece, ``odd``
            sends whatever a reader must skip, ``flaky`` fails the first chat with 500.
        :param delay: seconds between the pieces.
        :param timeout: seconds of silence after which the backend gives up.
        """
        raise NotImplementedError

    def test_llm_offers_protocol(self) -> None:
        """It has the protocol's attributes and method."""
        with self.open() as (llm, _):
            assert isinstance(llm, LLM)
            assert llm.model_id
            assert llm.context_window > 0

    def test_pieces_join_to_answer(self) -> None:
        """Every character arrives, in more than one piece."""
        with self.open() as (llm, _):
            pieces = [delta.text for delta in _stream(llm) if delta.text]
        assert "".join(pieces) == ANSWER
        assert len(pieces) > 1

    def test_only_last_delta_has_finish_reason(self) -> None:
        """Exactly one, and nothing follows it."""
        with self.open() as (llm, _):
            reasons = [delta.finish_reason for delta in _stream(llm)]
        assert reasons[-1] == "stop"
        assert set(reasons[:-1]) <= {None}

    def test_empty_answer_has_finish_reason(self) -> None:
        """A model that says nothing still ends."""
        with self.open(answer="") as (llm, _):
            deltas = list(_stream(llm))
        assert [delta.finish_reason for delta in deltas] == ["stop"]
        assert not deltas[0].text

    def test_limit_gives_length(self) -> None:
        """An answer that ``max_tokens`` cuts says so."""
        with self.open() as (llm, _):
            deltas = list(llm.stream(MESSAGES, max_tokens=3, temperature=0.0))
        assert deltas[-1].finish_reason == "length"
        assert len("".join(delta.text for delta in deltas)) < len(ANSWER)

    def test_last_delta_counts_tokens(self) -> None:
        """Where usage is told it is positive and on the last piece."""
        with self.open() as (llm, _):
            deltas = list(_stream(llm))
        assert all(delta.usage is None for delta in deltas[:-1])
        usage = deltas[-1].usage
        assert usage is None or min(usage.prompt_tokens, usage.completion_tokens) > 0

    def test_first_piece_comes_before_last(self) -> None:
        """Nothing is held back until the end."""
        with self.open(answer="bir iki üç dört beş", fault="slow", delay=0.15) as (llm, _):
            start = time.monotonic()
            seen = [time.monotonic() - start for delta in _stream(llm) if delta.text]
        assert seen[0] < seen[-1] / 2

    def test_closing_early_closes_upstream(self) -> None:
        """The server sees at once that nobody reads any more."""
        with self.open(fault="slow", delay=0.2) as (llm, upstream):
            stream = _stream(llm)
            next(stream)
            stream.close()
            assert upstream.disconnected.wait(PATIENCE)

    def test_dropping_stream_closes_upstream(self) -> None:
        """A stream that nobody holds does not go on."""
        with self.open(fault="slow", delay=0.2) as (llm, upstream):
            stream = _stream(llm)
            next(stream)
            del stream
            assert upstream.disconnected.wait(PATIENCE)

    def test_unread_stream_sends_nothing(self) -> None:
        """The request goes out with the first piece that is asked for."""
        with self.open() as (llm, upstream):
            _stream(llm).close()
            assert upstream.chat_calls == 0

    def test_closed_stream_is_over(self) -> None:
        """Closing twice is fine, and no piece follows."""
        with self.open() as (llm, _):
            stream = _stream(llm)
            next(stream)
            stream.close()
            stream.close()
            assert list(stream) == []

    def test_silence_is_timeout(self) -> None:
        """A server that stops writing."""
        with self.open(fault="slow", delay=5.0, timeout=0.2) as (llm, _):
            assert isinstance(self.error(llm), LLMTimeout)

    def test_cut_stream_is_error(self) -> None:
        """Half an answer is never taken for a whole one."""
        self.check("cut")

    def test_server_error_is_error(self) -> None:
        """The server fails before it answers."""
        self.check("500")

    def test_busy_server_is_error(self) -> None:
        """The server's queue is full; it is asked once."""
        self.check("busy")

    def test_garbage_is_error(self) -> None:
        """Something else than the protocol in the stream."""
        self.check("garbage")

    def test_error_in_stream_is_error(self) -> None:
        """The server fails while it answers."""
        self.check("error_line")

    def test_unknown_model_is_refusal(self) -> None:
        """The operator must act."""
        self.check("no_model")

    def test_too_long_prompt_is_refused(self) -> None:
        """A prompt beyond the window is refused, not cut."""
        with self.open() as (llm, _):
            prompt = "uzun bir metin " * llm.context_window
            error = self.error(llm, (Message(role="user", content=prompt),))
        assert isinstance(error, LLMRefused)
        assert "uzun bir" not in str(error)

    def test_refusal_to_wait_tells_how_long(self) -> None:
        """The server's ``Retry-After`` reaches whoever may try again."""
        with self.open(fault="429") as (llm, _):
            error = self.error(llm)
        assert isinstance(error, LLMUnavailable)
        assert error.retry_after == 1.0

    def test_flaky_server_works_later(self) -> None:
        """A failure is never remembered, and nothing is tried twice here."""
        with self.open(fault="flaky") as (llm, upstream):
            assert isinstance(self.error(llm), LLMUnavailable)
            assert upstream.chat_calls == 1
            assert self.error(llm) is None

    def test_odd_stream_gives_answer(self) -> None:
        """Comments, empty lines, nulls and keys that nobody knows are skipped."""
        with self.open(fault="odd") as (llm, _):
            deltas = list(_stream(llm))
        assert "".join(delta.text for delta in deltas) == ANSWER
        assert deltas[-1].finish_reason == "stop"

    def test_options_are_accepted(self) -> None:
        """Whatever a caller asks for, the answer arrives."""
        with self.open() as (llm, _):
            deltas = list(llm.stream(MESSAGES, max_tokens=200, temperature=0.0, options=OPTIONS))
        assert "".join(delta.text for delta in deltas) == ANSWER

    @pytest.mark.parametrize("messages", [TOOL_MESSAGES, (PICTURE_MESSAGE,)])
    def test_conversation_is_accepted(self, messages: tuple[Message, ...]) -> None:
        """Calls of tools, their results and pictures can be sent."""
        with self.open() as (llm, _):
            assert self.error(llm, messages) is None

    def test_reasoning_has_deltas_of_its_own(self) -> None:
        """Thoughts come first, never together with text."""
        with self.open(answer=Reply(text=ANSWER, reasoning="Önce ışığı düşünelim.")) as (llm, _):
            deltas = list(_stream(llm))
        assert "".join(delta.reasoning for delta in deltas) == "Önce ışığı düşünelim."
        assert "".join(delta.text for delta in deltas) == ANSWER
        assert not any(delta.text and delta.reasoning for delta in deltas)

    def test_think_tags_become_reasoning(self) -> None:
        """A model that writes its thoughts in the text."""
        with self.open(answer=f"<think>\nİnce iş\n</think>\n\n{ANSWER}") as (llm, _):
            deltas = list(_stream(llm))
        assert "".join(delta.reasoning for delta in deltas).strip() == "İnce iş"
        assert "".join(delta.text for delta in deltas) == ANSWER

    @pytest.mark.parametrize("fault", ["", "odd"])
    @pytest.mark.parametrize("text", ["", "Bakayım, bir saniye."])
    def test_tool_calls_arrive(self, text: str, fault: str) -> None:
        """Each call with its own index, id, name and arguments; no nulls, no unknown keys."""
        with self.open(answer=Reply(text=text, tool_calls=CALLS), fault=fault) as (llm, _):
            deltas = list(_stream(llm))
        pieces = [piece for delta in deltas for piece in delta.tool_calls]
        assert joined(pieces) == [(name, dict(given)) for name, given in CALLS]
        assert "".join(delta.text for delta in deltas) == text
        assert deltas[-1].finish_reason == "tool_calls"

    def test_closing_while_it_thinks_closes_upstream(self) -> None:
        """Also before the first word of the answer."""
        reply = Reply(text=ANSWER, reasoning="uzun uzun düşünülür")
        with self.open(answer=reply, fault="slow", delay=0.2) as (llm, upstream):
            stream = _stream(llm)
            assert next(stream).reasoning
            stream.close()
            assert upstream.disconnected.wait(PATIENCE)

    def check(self, fault: str) -> None:
        """Assert that a fault of the server raises its error, after one request."""
        expected = self.faults.get(fault)
        if expected is None:
            return
        with self.open(fault=fault) as (llm, upstream):
            error = self.error(llm)
            assert isinstance(error, expected), f"{fault}: {error!r}"
            assert upstream.chat_calls == 1

    def error(self, llm: LLM, messages: tuple[Message, ...] = MESSAGES) -> LLMError | None:
        """What the stream raises; ``None`` if it ends well."""
        try:
            deltas = list(llm.stream(messages, max_tokens=200, temperature=0.0))
        except LLMError as exc:
            return exc
        assert deltas
        return None


class Closable(Protocol):
    """A stream that can be closed, which the contract demands of every backend."""

    def __iter__(self) -> Iterator[Delta]:
        """Itself."""

    def __next__(self) -> Delta:
        """The next piece."""

    def close(self) -> None:
        """Close the connection to the model."""


def _stream(llm: LLM) -> Closable:
    stream = llm.stream(MESSAGES, max_tokens=200, temperature=0.0)
    assert hasattr(stream, "close"), "a stream needs a close() that ends its connection"
    return cast("Closable", stream)
