"""A fake server of Anthropic's messages API with the faults that real ones show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from docrag.testing.chat import Reply, Script, answer, prompt, tokens
from docrag.testing.server import Exchange, FakeServer, Json

#: Ways to fail; the empty one works. ``slow`` waits ``delay`` seconds before each piece; ``cut``,
#: ``garbage`` and ``error_line`` break the stream after two pieces; ``no_stop`` leaves the last
#: event out; ``odd`` sends pings, comments, unknown events and keys; ``declined`` ends with a
#: refusal; ``overloaded`` is an error as first event; ``flaky`` fails the first chat with 500;
#: ``429`` refuses with ``Retry-After``; the rest refuse the request.
FAULTS: Final = (
    "", "slow", "cut", "500", "garbage", "busy", "no_model", "error_line", "no_stop", "odd",
    "declined", "overloaded", "bad_key", "truncate", "flaky", "429",
)  # fmt: skip
#: Pieces that are sent before a stream fails.
BEFORE_FAULT: Final = 2
#: Seconds that a refusal 429 asks to wait, and its status.
RETRY_AFTER: Final = 1
TOO_MANY: Final = 429


class FakeAnthropic(FakeServer):
    """A server of the messages API that answers from the prompt; use it in a ``with`` block.

    Its API is under ``url + "/v1"``. By default the chat quotes the first sentence of passage
    ``[1]``, and a prompt that exceeds ``context_window`` is refused. It only streams.
    """

    def __init__(
        self,
        *,
        answer: Script | None = None,
        fault: str = "",
        delay: float = 0.0,
        context_window: int = 8192,
        model: str = "fake-model",
        window_key: str = "max_input_tokens",
    ) -> None:
        """Choose how it answers.

        :param answer: a fixed answer, or a function of the request's JSON; a :class:`Reply` may
            have thoughts and tool calls.
        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param delay: seconds before each piece of a stream; 1 for the fault ``slow`` if 0.
        :param context_window: tokens of the model's window.
        :param model: the one name in its list of models.
        :param window_key: under which key that list tells the window; it does not tell if empty.
        :raises ValueError: an unknown fault.
        """
        super().__init__()
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.answer = answer
        self.fault = fault
        self.delay = delay
        self.context_window = context_window
        self.model = model
        self.window_key = window_key
        self.chat_calls = 0
        #: Headers of each chat, names in lower case.
        self.headers: list[dict[str, str]] = []
        self.routes = {
            ("POST", "/v1/messages"): self._chat,
            ("GET", "/v1/models"): self._models,
        }

    def _chat(self, exchange: Exchange) -> None:
        self.chat_calls += 1
        self.headers.append({name.lower(): value for name, value in exchange.headers.items()})
        body = exchange.body
        read = len(tokens(_prompt(body)))
        if self._refused(exchange, read):
            return
        reply = answer(self.answer, body)
        pieces = tokens(reply.text)
        sent = pieces[: int(body.get("max_tokens") or len(pieces))]
        reason = "tool_use" if reply.tool_calls else "end_turn"
        reason = "max_tokens" if len(sent) < len(pieces) else reason
        reason = "refusal" if self.fault == "declined" else reason
        exchange.start_stream("text/event-stream")
        if self.fault == "overloaded":
            self._send(exchange, _error("overloaded_error", "Overloaded"))
            exchange.end_stream()
            return
        start = {"input_tokens": min(read, self.context_window), "output_tokens": 1}
        message = {"id": "msg_fake", "type": "message", "role": "assistant", "content": []}
        self._send(exchange, {"type": "message_start", "message": message | {"usage": start}})
        if self._broke(exchange, _events(reply, sent)):
            return
        self._end(exchange, reason, len(sent))

    def _broke(self, exchange: Exchange, events: list[Json]) -> bool:
        """Send the pieces; true if the stream broke off as the fault says."""
        delay = self.delay or (1.0 if self.fault == "slow" else 0.0)
        pieces = 0
        for event in events:
            if event["type"] == "content_block_delta":
                if pieces == BEFORE_FAULT and self._fails(exchange):
                    return True
                pieces += 1
                exchange.wait(delay)
            self._send(exchange, event)
        return pieces <= BEFORE_FAULT and self._fails(exchange)

    def _fails(self, exchange: Exchange) -> bool:
        if self.fault == "cut":
            exchange.cut()
        elif self.fault == "garbage":
            exchange.send_piece(b"data: <html>upstream</html>\n\n")
            exchange.end_stream()
        elif self.fault == "error_line":
            self._send(exchange, _error("api_error", "the engine died"))
            exchange.end_stream()
        return self.fault in ("cut", "garbage", "error_line")

    def _end(self, exchange: Exchange, reason: str, written: int) -> None:
        delta = {"stop_reason": reason, "stop_sequence": None}
        usage = {"output_tokens": max(1, written)}
        self._send(exchange, {"type": "message_delta", "delta": delta, "usage": usage})
        if self.fault != "no_stop":
            self._send(exchange, {"type": "message_stop"})
        exchange.end_stream()

    def _send(self, exchange: Exchange, event: Json) -> None:
        if self.fault == "odd":
            exchange.send_piece(b": keep-alive\n")
            exchange.send_piece(b'event: ping\ndata: {"type": "ping"}\n\n')
            exchange.send_piece(b'event: new\ndata: {"type": "new", "delta": {"text": "x"}}\n\n')
            event = event | {"event": {"type": "status"}}
        data = json.dumps(event, ensure_ascii=False).encode()
        exchange.send_piece(b"event: %b\ndata: %b\n\n" % (event["type"].encode(), data))

    def _refused(self, exchange: Exchange, read: int) -> bool:
        """Refuse the request if the fault or its length says so."""
        key = exchange.headers.get("x-api-key")
        known = {
            "500": (500, "api_error", "Internal server error"),
            "busy": (529, "overloaded_error", "Overloaded"),
            "429": (TOO_MANY, "rate_limit_error", "too many requests"),
            "no_model": (404, "not_found_error", "model: yok"),
            "bad_key": (401, "authentication_error", f"invalid x-api-key {key}"),
        }
        refusal = known.get(self.fault)
        if self.fault == "flaky" and self.chat_calls == 1:
            refusal = known["500"]
        if read > self.context_window and self.fault != "truncate":
            text = f"prompt is too long: {read} tokens > {self.context_window} maximum"
            refusal = (400, "invalid_request_error", text)
        if refusal:
            status, kind, message = refusal
            wait = {"Retry-After": str(RETRY_AFTER)} if status == TOO_MANY else None
            exchange.send_json(_error(kind, message), status=status, headers=wait)
        return refusal is not None

    def _models(self, exchange: Exchange) -> None:
        model: Json = {"type": "model", "id": self.model, "display_name": "Fake"}
        if self.window_key:
            model[self.window_key] = self.context_window
        exchange.send_json({"data": [model], "has_more": False})


def _prompt(body: Mapping[str, Any]) -> str:
    system = {"content": body.get("system")}
    return prompt([system, *(body.get("messages") or ())])


def _events(reply: Reply, pieces: list[str]) -> list[Json]:
    """All events between the start of a message and its end."""
    blocks: list[tuple[Json, list[Json]]] = []
    if reply.reasoning:
        thoughts = [
            {"type": "thinking_delta", "thinking": piece} for piece in tokens(reply.reasoning)
        ]
        signature = {"type": "signature_delta", "signature": "imza"}
        blocks.append(({"type": "thinking", "thinking": ""}, [*thoughts, signature]))
    if pieces:
        texts: list[Json] = [{"type": "text_delta", "text": piece} for piece in pieces]
        blocks.append(({"type": "text", "text": ""}, texts))
    for number, (name, given) in enumerate(reply.tool_calls):
        head = {"type": "tool_use", "id": f"toolu_fake{number}", "name": name, "input": {}}
        blocks.append((head, [_json_delta(piece) for piece in _halves(given)]))
    return [
        event
        for index, (block, deltas) in enumerate(blocks)
        for event in (
            {"type": "content_block_start", "index": index, "content_block": block},
            *({"type": "content_block_delta", "index": index, "delta": each} for each in deltas),
            {"type": "content_block_stop", "index": index},
        )
    ]


def _halves(given: Mapping[str, Any]) -> list[str]:
    """JSON of arguments in two pieces; without arguments an empty one, as the real server does."""
    if not given:
        return [""]
    text = json.dumps(dict(given), ensure_ascii=False)
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def _json_delta(piece: str) -> Json:
    return {"type": "input_json_delta", "partial_json": piece}


def _error(kind: str, message: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": message}}
