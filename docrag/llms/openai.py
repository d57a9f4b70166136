"""Answers of any server that speaks OpenAI's chat completions API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docrag.api import (
    Delta,
    GenerationOptions,
    LLMError,
    LLMRefused,
    Message,
    ServerAddress,
    Usage,
)
from docrag.llms.connection import Server
from docrag.llms.failures import broken_off, unfinished
from docrag.llms.listing import told_of
from docrag.llms.parsing import parsed
from docrag.llms.served import Request, ServedLLM
from docrag.llms.sse import events
from docrag.llms.thinking import Thinking
from docrag.llms.toolcalls import ToolCalls
from docrag.llms.truncation import check_prompt
from docrag.llms.window import ASK_SECONDS, Told

#: Data of the event that ends a stream.
DONE = b"[DONE]"


@dataclass(slots=True)
class _Answer:
    """One answer as far as the stream has told; the last delta carries what it collects."""

    reason: str = ""
    usage: Usage | None = None
    thinking: Thinking = field(default_factory=Thinking)
    calls: ToolCalls = field(default_factory=ToolCalls)
    #: The server sent something after a reason, so that only its ``[DONE]`` shows the end.
    early: bool = False

    def pieces(self, choice: Mapping[str, Any]) -> Iterator[Delta]:
        """What one chunk adds, thoughts before text, nothing else of the server's."""
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return
        thoughts = (delta.get("reasoning_content"), delta.get("reasoning"))
        thought = next((told for told in thoughts if told and isinstance(told, str)), "")
        if thought:
            yield Delta(reasoning=thought)
        for kind, text in _contents(delta.get("content")):
            yield from self.thinking.split(text) if kind == "text" else [Delta(reasoning=text)]
        yield from self.calls.relayed(delta.get("tool_calls"))

    def note(self, *, added: bool, reason: str) -> None:
        """Take up what one chunk tells of the end."""
        self.early = self.early or bool(added and self.reason)
        self.reason = reason or self.reason

    @property
    def complete(self) -> bool:
        """True once nothing but a count of tokens can be missing."""
        return bool(self.reason) and not self.early

    def last(self) -> Iterator[Delta]:
        """The deltas after the last chunk."""
        yield from self.thinking.end()
        yield Delta(finish_reason=self.calls.reason(self.reason), usage=self.usage)


class OpenAILLM(ServedLLM):
    """A model of an OpenAI-compatible server (``POST {url}/chat/completions``). Thread-safe.

    vLLM, llama.cpp, LocalAI, LiteLLM and others speak it. There is no default address, so that no
    question leaves for a cloud because an option was forgotten. Of what the server sends only
    text, thoughts, tool calls and token counts are handed on.
    """

    def __init__(
        self,
        *,
        model: str,
        url: str,
        api_key: str = "",
        context_window: int | None = None,
        timeout: float = 120.0,
        connect_timeout: float = 5.0,
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name that the server knows.
        :param url: address of the API, usually ending in ``/v1``.
        :param api_key: bearer token; empty sends none.
        :param context_window: tokens that prompt and answer share, at most what the server tells;
            ``None`` takes what it tells in its list of models, or else 8192.
        :param timeout: seconds between bytes; the first byte waits for the prompt to be read.
        :param connect_timeout: seconds until a connection stands.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        server = Server(
            address=ServerAddress(
                name="the model's server", url=url, api_key=api_key, ca_file=ca_file
            ),
            timeout=timeout,
            connect_timeout=connect_timeout,
        )
        super().__init__(
            server, path="/chat/completions", model=model, context_window=context_window
        )

    def _body(self, request: Request) -> dict[str, Any]:
        return {
            "model": self.model_id,
            "messages": [_message(turn) for turn in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            **_asked(request.options),
        }

    def _deltas(self, lines: Iterator[bytes], characters: int) -> Iterator[Delta]:
        answer = _Answer()
        try:
            yield from self._pieces(lines, answer)
        except LLMError:
            if not answer.complete:
                raise
        if not answer.complete:
            raise unfinished(self._server.label)
        check_prompt(answer.usage, characters, label=self._server.label, model_id=self.model_id)
        yield from answer.last()

    def _pieces(self, lines: Iterator[bytes], answer: _Answer) -> Iterator[Delta]:
        for data in events(lines):
            if data.strip() == DONE:
                answer.early = False
                return
            chunk = parsed(data, self._server.label)
            if chunk.get("error"):
                answer.reason = ""
                raise broken_off(self._server.label, chunk["error"])
            answer.usage = _usage(chunk.get("usage")) or answer.usage
            choice = _first(chunk.get("choices"))
            added = False
            for delta in answer.pieces(choice):
                added = True
                yield delta
            answer.note(added=added, reason=self._reason(choice.get("finish_reason")))

    def _reason(self, told: object) -> str:
        if told == "content_filter":
            raise LLMRefused(f"a content filter of {self._server.label} stopped the answer")
        if not told:
            return ""
        return "length" if told == "length" else "stop"

    def _ask(self) -> Told:
        return told_of(self._server.get("/models", timeout=ASK_SECONDS), self.model_id)


def _first(choices: object) -> dict[str, Any]:
    """The first choice; empty if there is none."""
    return next(iter(_objects(choices)), {})


def _contents(content: object) -> Iterator[tuple[str, str]]:
    """``text`` or ``thinking`` and the words of each; Mistral's models send a list of parts."""
    if isinstance(content, str):
        yield from _words("text", content)
    for part in _objects(content):
        yield from _words("text", part.get("text"))
        yield from _words("thinking", part.get("thinking"))
        for thought in _objects(part.get("thinking")):
            yield from _words("thinking", thought.get("text"))


def _words(kind: str, text: object) -> Iterator[tuple[str, str]]:
    if isinstance(text, str) and text:
        yield kind, text


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _message(turn: Message) -> dict[str, Any]:
    """A turn in OpenAI's form, without keys that say nothing."""
    content: object = [dict(part) for part in turn.parts] if turn.parts else turn.content
    message: dict[str, Any] = {"role": turn.role, "content": content}
    if turn.tool_calls:
        message["tool_calls"] = [dict(call) for call in turn.tool_calls]
    if turn.tool_call_id:
        message["tool_call_id"] = turn.tool_call_id
    return message


def _asked(options: GenerationOptions) -> dict[str, Any]:
    """The keys for what is asked for; a choice without tools is left out, since it is refused."""
    keys = {
        "top_p": options.top_p,
        "stop": list(options.stop) or None,
        "seed": options.seed,
        "tools": [dict(tool) for tool in options.tools] or None,
        "tool_choice": options.tool_choice if options.tools else None,
        "response_format": options.response_format,
        "reasoning_effort": options.reasoning_effort,
    }
    return {key: value for key, value in keys.items() if value is not None}


def _usage(told: object) -> Usage | None:
    """Token counts, where a server tells them."""
    if not isinstance(told, dict):
        return None
    counts = [told.get(key) for key in ("prompt_tokens", "completion_tokens")]
    read, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(prompt_tokens=read, completion_tokens=written)
