"""Answers of a server that speaks Anthropic's messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from docrag.api import Delta, LLMRefused, ServerAddress, Usage
from docrag.llms.anthropic_body import asked, messages_of, sampling, system_of
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

#: Version of the API that requests and answers follow.
VERSION: Final = "2023-06-01"
#: Reasons for an answer that is not whole; every other one counts as ``stop``.
_CUT: Final = ("max_tokens", "model_context_window_exceeded")
#: Tokens of the prompt, all of which the model reads, though some come from a cache.
_READ: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


@dataclass(slots=True)
class _Answer:
    """One answer as far as the stream has told; the last delta carries what it collects."""

    reason: str = ""
    read: int = 0
    written: int = 0
    thinking: Thinking = field(default_factory=Thinking)
    calls: ToolCalls = field(default_factory=ToolCalls)
    #: The block that is being written is a tool call.
    calling: bool = False
    #: The arguments that the call began with, as long as no piece of them came.
    untold: Mapping[str, Any] | None = None

    def count(self, told: object) -> None:
        """Take up token counts, the newest of which is for the whole answer so far."""
        usage = told if isinstance(told, dict) else {}
        read = sum(_number(usage.get(key)) for key in _READ)
        self.read = read or self.read
        self.written = _number(usage.get("output_tokens")) or self.written

    def usage(self) -> Usage | None:
        """Token counts; ``None`` if the server told none."""
        if not (self.read or self.written):
            return None
        return Usage(prompt_tokens=self.read, completion_tokens=self.written)

    def begun(self, block: Mapping[str, Any]) -> Iterator[Delta]:
        """What the start of a block adds."""
        if block.get("type") == "tool_use":
            given = block.get("input")
            self.calling, self.untold = True, given if isinstance(given, dict) else {}
            yield self.calls.begun(name=_text(block, "name"), call_id=_text(block, "id"))
        else:
            yield from self.added(block)

    def added(self, piece: Mapping[str, Any]) -> Iterator[Delta]:
        """What a piece of a block adds, and nothing of kinds that nobody knows."""
        thought, arguments = _text(piece, "thinking"), _text(piece, "partial_json")
        if thought:
            yield Delta(reasoning=thought)
        yield from self.thinking.split(_text(piece, "text"))
        if arguments and self.calling:
            self.untold = None
            yield self.calls.continued(arguments)

    def ended(self) -> Iterator[Delta]:
        """What the end of a block adds: the arguments, if they came with its start."""
        if self.untold is not None:
            yield self.calls.continued(json.dumps(self.untold, ensure_ascii=False))
        self.calling, self.untold = False, None


class AnthropicLLM(ServedLLM):
    """A model behind Anthropic's messages API (``POST {url}/messages``). Thread-safe.

    Gateways and local servers speak it as well. There is no default address, so that no question
    and no document leaves for a cloud because an option was forgotten: whoever wants that says so.
    Of what the server sends only text, thoughts, tool calls and token counts are handed on.
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
        sampled: bool = True,
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param model: name that the server knows.
        :param url: address of the API, usually ending in ``/v1``.
        :param api_key: sent as ``x-api-key``; empty sends none.
        :param context_window: tokens that prompt and answer share, at most what the server tells;
            ``None`` takes what it tells in its list of models, or else 8192.
        :param timeout: seconds between bytes; the first byte waits for the prompt to be read.
        :param connect_timeout: seconds until a connection stands.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :param sampled: false leaves temperature and ``top_p`` out, for models that refuse them.
        :raises SettingsError: an option is wrong.
        """
        server = Server(
            address=ServerAddress(
                name="the model's server",
                url=url,
                api_key=api_key,
                ca_file=ca_file,
                key_header="x-api-key",
            ),
            timeout=timeout,
            connect_timeout=connect_timeout,
            headers={"anthropic-version": VERSION},
        )
        super().__init__(server, path="/messages", model=model, context_window=context_window)
        self._sampled = sampled

    def _body(self, request: Request) -> dict[str, Any]:
        system = system_of(request.messages)
        return {
            "model": self.model_id,
            "max_tokens": request.max_tokens,
            "stream": True,
            **({"system": system} if system else {}),
            "messages": messages_of(request.messages),
            **(sampling(request.options, request.temperature) if self._sampled else {}),
            **asked(request.options),
        }

    def _deltas(self, lines: Iterator[bytes], characters: int) -> Iterator[Delta]:
        answer = _Answer()
        for data in events(lines):
            event = parsed(data, self._server.label)
            if event.get("type") == "error":
                raise broken_off(self._server.label, event.get("error"))
            yield from self._pieces(event, answer)
            if event.get("type") == "message_stop" and answer.reason:
                usage = answer.usage()
                check_prompt(usage, characters, label=self._server.label, model_id=self.model_id)
                yield from answer.thinking.end()
                yield Delta(finish_reason=answer.calls.reason(answer.reason), usage=usage)
                return
        raise unfinished(self._server.label)

    def _pieces(self, event: Mapping[str, Any], answer: _Answer) -> Iterator[Delta]:
        kind = event.get("type")
        if kind == "message_start":
            answer.count(_mapping(event, "message").get("usage"))
        elif kind == "content_block_start":
            yield from answer.begun(_mapping(event, "content_block"))
        elif kind == "content_block_delta":
            yield from answer.added(_mapping(event, "delta"))
        elif kind == "content_block_stop":
            yield from answer.ended()
        elif kind == "message_delta":
            answer.count(event.get("usage"))
            answer.reason = self._reason(_text(_mapping(event, "delta"), "stop_reason"))

    def _reason(self, told: str) -> str:
        if told == "refusal":
            raise LLMRefused(f"a content filter of {self._server.label} stopped the answer")
        if not told:
            return ""
        return "length" if told in _CUT else "stop"

    def _ask(self) -> Told:
        return told_of(self._server.get("/models", timeout=ASK_SECONDS), self.model_id)


def _mapping(event: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = event.get(key)
    return value if isinstance(value, dict) else {}


def _text(piece: Mapping[str, Any], key: str) -> str:
    value = piece.get(key)
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
