"""What every model on a server shares: its window, and an answer that is streamed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docrag.api import Delta, GenerationOptions, Message
from docrag.llms.connection import Call, Server
from docrag.llms.stream import Answering
from docrag.llms.truncation import characters_of
from docrag.llms.window import Told, Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What one answer is asked for with, see :meth:`docrag.api.LLM.stream`."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    options: GenerationOptions


class ServedLLM(ABC):
    """A model that a server runs. Thread-safe.

    A kind of server derives from it: it writes the request, reads the stream, and asks about the
    model.
    """

    def __init__(
        self, server: Server, *, path: str, model: str, context_window: int | None
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param path: of the address that streams answers, with its leading slash.
        :param model: name that the server knows.
        :param context_window: tokens that prompt and answer share, as the operator wants it.
        :raises SettingsError: ``context_window`` is no whole number of at least 1.
        """
        self.model_id = model
        self._server, self._path = server, path
        self._window = Window(
            self._ask, wanted=context_window, label=f"{model} of {self._server.label}"
        )

    @property
    def context_window(self) -> int:
        """Tokens that prompt and answer share; the first use asks the server about its model."""
        return self._window.tokens()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        """The answer in pieces, the last one with ``finish_reason`` and, if told, token counts.

        The iterator has a ``close`` that ends the connection, callable from any thread.

        :raises LLMTimeout: silence for longer than ``timeout``.
        :raises LLMRefused: the prompt is too long, the model unknown, the model or a content filter
            declined, or a message has something that the server cannot take.
        :raises LLMUnavailable: the server cannot be reached, is busy or failed before its first
            piece.
        :raises LLMError: anything else, also a stream that ends before the answer is complete.
        """
        request = Request(
            messages=messages,
            max_tokens=max_tokens,
            temperature=temperature,
            options=options or GenerationOptions(),
        )
        characters = characters_of(messages)
        call = Call(self._server, self._path, lambda: self._body(request))
        return Answering(call, lambda lines: self._deltas(lines, characters))

    @abstractmethod
    def _body(self, request: Request) -> Mapping[str, Any]:
        """What is sent for an answer; it may ask the server about its model."""

    @abstractmethod
    def _deltas(self, lines: Iterator[bytes], characters: int) -> Iterator[Delta]:
        """What the lines of an answer's body add.

        :param characters: of the prompt, which tell whether the server read all of it.
        """

    @abstractmethod
    def _ask(self) -> Told:
        """What the server tells about its model."""
