"""Answers of an Ollama server, by its native chat API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docrag.api import Delta, ServerAddress, Usage
from docrag.llms.connection import Server
from docrag.llms.failures import broken_off, unfinished
from docrag.llms.ollama_body import asked, messages_of, sampling
from docrag.llms.parsing import parsed
from docrag.llms.served import Request, ServedLLM
from docrag.llms.thinking import Thinking
from docrag.llms.toolcalls import ToolCalls
from docrag.llms.truncation import check_prompt
from docrag.llms.window import ASK_SECONDS, Told, count

_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,9})\s*$", re.MULTILINE | re.ASCII)


class OllamaLLM(ServedLLM):
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
        context_window: int | None = None,
        keep_alive: str = "30m",
        timeout: float = 120.0,
        connect_timeout: float = 5.0,
        api_key: str = "",
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name of a chat model, pulled beforehand.
        :param context_window: tokens that prompt and answer share, at most what the model takes;
            memory of the server grows with it. ``None`` takes ``num_ctx`` of the model's file, or
            else 8192 or what the model takes if that is less.
        :param keep_alive: how long Ollama keeps the model loaded after an answer.
        :param timeout: seconds between bytes; the first byte waits for loading and for the prompt.
        :param connect_timeout: seconds until a connection stands.
        :param api_key: bearer token for a proxy in front of Ollama; empty sends none.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        server = Server(
            address=ServerAddress(name="Ollama", url=url, api_key=api_key, ca_file=ca_file),
            timeout=timeout,
            connect_timeout=connect_timeout,
            remedy=f"run `ollama pull {model}` there, or choose another model",
        )
        super().__init__(server, path="/api/chat", model=model, context_window=context_window)
        self._keep_alive = keep_alive
        self._capabilities: tuple[str, ...] | None = None

    def _body(self, request: Request) -> dict[str, Any]:
        length = {
            "num_ctx": self.context_window,
            "num_predict": request.max_tokens,
            "temperature": request.temperature,
        }
        return {
            "model": self.model_id,
            "messages": messages_of(request.messages),
            "stream": True,
            "keep_alive": self._keep_alive,
            "truncate": False,
            "shift": False,
            "options": length | sampling(request.options),
            **asked(request.options, self._capabilities),
        }

    def _deltas(self, lines: Iterator[bytes], characters: int) -> Iterator[Delta]:
        thinking, calls = Thinking(), ToolCalls()
        for line in lines:
            if not line.strip():
                continue
            piece = parsed(line, self._server.label)
            if "error" in piece:
                raise broken_off(self._server.label, piece["error"])
            message = piece.get("message")
            if isinstance(message, dict):
                yield from _pieces(message, thinking, calls)
            if piece.get("done") is True:
                yield from thinking.end()
                yield self._last(piece, characters, calls)
                return
        raise unfinished(self._server.label)

    def _last(self, piece: Mapping[str, Any], characters: int, calls: ToolCalls) -> Delta:
        usage = _usage(piece)
        check_prompt(usage, characters, label=self._server.label, model_id=self.model_id)
        reason = "length" if piece.get("done_reason") == "length" else "stop"
        return Delta(finish_reason=calls.reason(reason), usage=usage)

    def _ask(self) -> Told:
        shown = self._server.get("/api/show", {"model": self.model_id}, timeout=ASK_SECONDS)
        capabilities = shown.get("capabilities")
        if isinstance(capabilities, list):
            self._capabilities = tuple(str(capability) for capability in capabilities)
        info = shown.get("model_info")
        most = [
            count(value)
            for key, value in (info.items() if isinstance(info, dict) else ())
            if key.endswith(".context_length")
        ]
        chosen = _NUM_CTX.search(str(shown.get("parameters") or ""))
        return Told(most=next(iter(most), None), chosen=count(int(chosen[1])) if chosen else None)


def _pieces(message: Mapping[str, Any], thinking: Thinking, calls: ToolCalls) -> Iterator[Delta]:
    """What one line adds; thoughts come before text."""
    thought, text = message.get("thinking"), message.get("content")
    if isinstance(thought, str) and thought:
        yield Delta(reasoning=thought)
    if isinstance(text, str) and text:
        yield from thinking.split(text)
    yield from calls.whole(message.get("tool_calls"))


def _usage(piece: Mapping[str, Any]) -> Usage | None:
    """Token counts of the last line; ``None`` if it has none."""
    counts = [piece.get(key) for key in ("prompt_eval_count", "eval_count")]
    if not any(isinstance(count, int) for count in counts):
        return None
    read, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(prompt_tokens=read, completion_tokens=written)
