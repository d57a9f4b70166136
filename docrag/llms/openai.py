"""Answers of any server that speaks OpenAI's chat completions API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docrag.api import Delta, LLMError, LLMRefused, Message, Usage
from docrag.llms.connection import Call, Server
from docrag.llms.sse import events
from docrag.llms.stream import Answering, parsed

#: Data of the event that ends a stream.
DONE = b"[DONE]"


@dataclass(slots=True)
class _End:
    """What the last delta will carry, as far as the stream has told."""

    reason: str = ""
    usage: Usage | None = None
    #: The server sent text after a reason, so that only its ``[DONE]`` shows the end.
    early: bool = False

    def note(self, *, text: str, reason: str) -> None:
        """Take up what one chunk tells."""
        self.early = self.early or bool(text and self.reason)
        self.reason = reason or self.reason

    @property
    def complete(self) -> bool:
        """True once nothing but a count of tokens can be missing."""
        return bool(self.reason) and not self.early


class OpenAILLM:
    """A model of an OpenAI-compatible server (``POST {url}/chat/completions``). Thread-safe.

    vLLM, llama.cpp, LocalAI, LiteLLM and others speak it. There is no default address, so that no
    question leaves for a cloud because an option was forgotten. Of what the server sends only the
    text is handed on.
    """

    def __init__(
        self,
        *,
        model: str,
        url: str,
        api_key: str = "",
        context_window: int = 8192,
        timeout: float = 120.0,
        connect_timeout: float = 5.0,
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name that the server knows.
        :param url: address of the API, usually ending in ``/v1``.
        :param api_key: bearer token; empty sends none.
        :param context_window: tokens that prompt and answer share, as the server was started.
        :param timeout: seconds between bytes; the first byte waits for the prompt to be read.
        :param connect_timeout: seconds until a connection stands.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: ``url`` is not an HTTP address, or ``ca_file`` is not there.
        """
        if context_window < 1:
            raise ValueError(f"context_window must be 1 or more, not {context_window}")
        self.model_id = model
        self.context_window = context_window
        self._server = Server(
            name="the model's server",
            url=url,
            api_key=api_key,
            ca_file=ca_file,
            timeout=timeout,
            connect_timeout=connect_timeout,
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float
    ) -> Iterator[Delta]:
        """The answer in pieces, the last one with ``finish_reason`` and, if told, token counts.

        The iterator has a ``close`` that ends the connection, callable from any thread.

        :raises LLMTimeout: silence for longer than ``timeout``.
        :raises LLMRefused: the prompt is too long, the model unknown, or a content filter struck.
        :raises LLMError: anything else, also a stream that ends without a ``finish_reason``.
        """
        body = {
            "model": self.model_id,
            "messages": [{"role": turn.role, "content": turn.content} for turn in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        return Answering(Call(self._server, "/chat/completions", body), self._deltas)

    def _deltas(self, lines: Iterator[bytes]) -> Iterator[Delta]:
        end = _End()
        try:
            yield from self._texts(lines, end)
        except LLMError:
            if not end.complete:
                raise
        if not end.complete:
            raise LLMError(f"{self._server.label} ended its stream before the answer was complete")
        yield Delta(finish_reason=end.reason, usage=end.usage)

    def _texts(self, lines: Iterator[bytes], end: _End) -> Iterator[Delta]:
        for data in events(lines):
            if data.strip() == DONE:
                end.early = False
                return
            chunk = parsed(data, self._server.label)
            if chunk.get("error"):
                end.reason = ""
                raise self._server.failed(chunk["error"])
            end.usage = _usage(chunk.get("usage")) or end.usage
            choice = _first(chunk.get("choices"))
            text = _first_text(choice)
            if text:
                yield Delta(text=text)
            end.note(text=text, reason=self._reason(choice.get("finish_reason")))

    def _reason(self, told: object) -> str:
        if told == "content_filter":
            raise LLMRefused(f"a content filter of {self._server.label} stopped the answer")
        if not told:
            return ""
        return "length" if told == "length" else "stop"


def _first(choices: object) -> dict[str, Any]:
    """The first choice; empty if there is none."""
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    return {}


def _first_text(choice: dict[str, Any]) -> str:
    """The text that a choice adds; empty for everything else, such as thoughts and tool calls."""
    delta = choice.get("delta")
    text = delta.get("content") if isinstance(delta, dict) else None
    return text if isinstance(text, str) else ""


def _usage(told: object) -> Usage | None:
    """Token counts, where a server tells them."""
    if not isinstance(told, dict):
        return None
    counts = [told.get(key) for key in ("prompt_tokens", "completion_tokens")]
    read, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(prompt_tokens=read, completion_tokens=written)
