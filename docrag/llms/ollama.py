"""Answers of an Ollama server, by its native chat API."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from docrag.api import Delta, LLMError, Message, Usage
from docrag.llms.connection import Call, Server
from docrag.llms.stream import Answering, parsed

logger = logging.getLogger(__name__)

#: Characters of a prompt below which its token count says nothing about a cut.
LONG_PROMPT = 2_000
#: Characters that one token holds at the very most, on average over a prompt: twice the mean of
#: English, three times that of Turkish. A server that counts fewer tokens than this allows has cut.
MAX_CHARACTERS_A_TOKEN = 8


class OllamaLLM:
    """A model that an Ollama server runs (``POST /api/chat``). Thread-safe.

    The native API and not the OpenAI-compatible one, because only here the context window can be
    set and a prompt that does not fit is refused instead of being cut without a sign. Every request
    carries the same window and the same ``shift``, because Ollama loads the model anew when they
    change.
    """

    def __init__(
        self,
        *,
        model: str = "qwen2.5:7b-instruct",
        url: str = "http://127.0.0.1:11434",
        context_window: int = 8192,
        keep_alive: str = "30m",
        timeout: float = 120.0,
        connect_timeout: float = 5.0,
        api_key: str = "",
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name of a chat model, pulled beforehand.
        :param context_window: tokens that prompt and answer share; memory of the server grows
            with it.
        :param keep_alive: how long Ollama keeps the model loaded after an answer.
        :param timeout: seconds between bytes; the first byte waits for loading and for the prompt.
        :param connect_timeout: seconds until a connection stands.
        :param api_key: bearer token for a proxy in front of Ollama; empty sends none.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: ``url`` is not an HTTP address, or ``ca_file`` is not there.
        """
        if context_window < 1:
            raise ValueError(f"context_window must be 1 or more, not {context_window}")
        self.model_id = model
        self.context_window = context_window
        self._keep_alive = keep_alive
        self._server = Server(
            name="Ollama",
            url=url,
            api_key=api_key,
            ca_file=ca_file,
            timeout=timeout,
            connect_timeout=connect_timeout,
            remedy=f"run `ollama pull {model}` there, or choose another model",
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float
    ) -> Iterator[Delta]:
        """The answer in pieces, the last one with ``finish_reason`` and token counts.

        What a model thinks before it answers is left out. The iterator has a ``close`` that ends
        the connection, callable from any thread.

        :raises LLMTimeout: silence for longer than ``timeout``.
        :raises LLMRefused: the prompt is too long, or the model is not there.
        :raises LLMError: anything else, also a stream that ends without its last piece.
        """
        body = {
            "model": self.model_id,
            "messages": [{"role": turn.role, "content": turn.content} for turn in messages],
            "stream": True,
            "keep_alive": self._keep_alive,
            "truncate": False,
            "shift": False,
            "options": {
                "num_ctx": self.context_window,
                "num_predict": max_tokens,
                "temperature": temperature,
            },
        }
        characters = sum(len(turn.content) for turn in messages)
        call = Call(self._server, "/api/chat", body)
        return Answering(call, lambda lines: self._deltas(lines, characters))

    def _deltas(self, lines: Iterator[bytes], characters: int) -> Iterator[Delta]:
        for line in lines:
            if not line.strip():
                continue
            piece = parsed(line, self._server.label)
            if "error" in piece:
                raise self._server.failed(piece["error"])
            message = piece.get("message")
            text = message.get("content") if isinstance(message, dict) else None
            if isinstance(text, str) and text:
                yield Delta(text=text)
            if piece.get("done") is True:
                yield self._last(piece, characters)
                return
        raise LLMError(f"{self._server.label} ended its stream before the answer was complete")

    def _last(self, piece: dict[str, Any], characters: int) -> Delta:
        usage = _usage(piece)
        if usage and characters >= LONG_PROMPT:
            self._check_prompt(usage.prompt_tokens, characters)
        reason = "length" if piece.get("done_reason") == "length" else "stop"
        return Delta(finish_reason=reason, usage=usage)

    def _check_prompt(self, tokens: int, characters: int) -> None:
        """Warn if the server read far less than it was sent (0: it tells nothing)."""
        if 0 < tokens < characters / MAX_CHARACTERS_A_TOKEN:
            logger.warning(
                "%s read %d tokens of a prompt of %d characters: it was cut, so that rules or "
                "sources are missing; raise context_window or update Ollama",
                self._server.label,
                tokens,
                characters,
                extra={"action": "prompt_truncated", "model_id": self.model_id},
            )


def _usage(piece: dict[str, Any]) -> Usage | None:
    """Token counts of the last line; ``None`` if it has none."""
    counts = [piece.get(key) for key in ("prompt_eval_count", "eval_count")]
    if not any(isinstance(count, int) for count in counts):
        return None
    read, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(prompt_tokens=read, completion_tokens=written)
