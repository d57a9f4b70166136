"""A fake OpenAI-compatible server with the faults that real ones show."""

from __future__ import annotations

import json
import time
from typing import Any, Final

from docrag.testing.chat import Reply, Script, answer, prompt, tokens
from docrag.testing.server import Exchange, FakeServer, Json
from docrag.testing.vectors import hashed

#: Ways to fail; the empty one works. ``slow`` waits ``delay`` seconds before each piece; ``cut``,
#: ``garbage`` and ``error_line`` break the stream after two pieces; ``no_finish`` leaves the
#: ``finish_reason`` out, ``no_done`` the end mark; ``finish_everywhere`` sends a reason each time;
#: ``odd`` sends null and missing choices, comments, CRLF, no space after ``data:``, nulls in pieces
#: of tool calls and keys that nobody knows; ``truncate`` reads only the end of a long prompt, with
#: no sign of it; ``flaky`` fails the first chat with 500; ``429`` refuses with ``Retry-After``; the
#: rest refuse the request.
FAULTS: Final = (
    "", "slow", "cut", "500", "garbage", "busy", "no_model", "error_line", "no_finish", "no_done",
    "finish_everywhere", "odd", "filter", "bad_key", "truncate", "flaky", "429",
)  # fmt: skip
#: Pieces that are sent before a stream fails.
BEFORE_FAULT = 2
#: Seconds that a refusal 429 asks to wait, and its status.
RETRY_AFTER: Final = 1
TOO_MANY: Final = 429


class FakeOpenAI(FakeServer):
    """An OpenAI-compatible server that answers from the prompt; use it in a ``with`` block.

    Its API is under ``url + "/v1"``. By default the chat quotes the first sentence of passage
    ``[1]``, and a prompt that exceeds ``context_window`` is refused.
    """

    def __init__(
        self,
        *,
        answer: Script | None = None,
        fault: str = "",
        delay: float = 0.0,
        dim: int = 1024,
        fail_on: str = "",
        max_characters: int | None = None,
        context_window: int = 8192,
        model: str = "fake-model",
        window_key: str = "",
        reasoning_key: str = "reasoning_content",
    ) -> None:
        """Choose how it answers.

        :param answer: a fixed answer, or a function of the request's JSON; a :class:`Reply` may
            have thoughts and tool calls.
        :param fault: one of :data:`FAULTS`, for the chat; may be changed while it runs.
        :param delay: seconds before each piece of a stream; 1 for the fault ``slow`` if 0.
        :param dim: numbers in each vector.
        :param fail_on: a batch with a text that holds this word is answered 500.
        :param max_characters: a batch with a longer text is answered 400.
        :param context_window: tokens of the model's window.
        :param model: the one name in its list of models.
        :param window_key: under which key that list tells the window, such as ``max_model_len`` or
            ``meta.n_ctx``; it does not tell if empty.
        :param reasoning_key: under which key thoughts are sent.
        :raises ValueError: an unknown fault.
        """
        super().__init__()
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.answer = answer
        self.fault = fault
        self.delay = delay
        self.dim = dim
        self.fail_on = fail_on
        self.max_characters = max_characters
        self.context_window = context_window
        self.model = model
        self.window_key = window_key
        self.reasoning_key = reasoning_key
        self.chat_calls = 0
        self.embed_calls = 0
        self.routes = {
            ("POST", "/v1/chat/completions"): self._chat,
            ("POST", "/v1/embeddings"): self._embed,
            ("GET", "/v1/models"): self._models,
        }

    def _chat(self, exchange: Exchange) -> None:
        self.chat_calls += 1
        body = exchange.body
        if self._refused(exchange):
            return
        reply = answer(self.answer, body)
        pieces = tokens(reply.text)
        limit = int(body.get("max_tokens") or len(pieces))
        n_prompt = len(tokens(prompt(body.get("messages") or ())))
        n_prompt = min(n_prompt, self.context_window)
        sent = pieces[:limit]
        reason = "tool_calls" if reply.tool_calls else "stop"
        reason = "length" if len(sent) < len(pieces) else reason
        usage = {
            "prompt_tokens": n_prompt,
            "completion_tokens": max(1, len(sent)),
            "total_tokens": n_prompt + max(1, len(sent)),
        }
        if body.get("stream"):
            self._stream(exchange, self._deltas(reply, sent), reason, usage)
        else:
            message = self._message(reply, "".join(sent))
            choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
            exchange.send_json(
                _head(body, "chat.completion") | {"choices": [choice], "usage": usage}
            )

    def _message(self, reply: Reply, text: str) -> Json:
        message: Json = {"role": "assistant", "content": text, "refusal": None}
        if reply.reasoning:
            message[self.reasoning_key] = reply.reasoning
        calls = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in _calls(reply)
        ]
        return message | ({"content": text or None, "tool_calls": calls} if calls else {})

    def _deltas(self, reply: Reply, pieces: list[str]) -> list[Json]:
        """What each chunk adds after the role; every call's arguments come in two pieces."""
        found: list[Json] = [{self.reasoning_key: piece} for piece in tokens(reply.reasoning)]
        found += [{"content": piece} for piece in pieces]
        nulls = {"id": None, "type": None} if self.fault == "odd" else {}
        name_null = {"name": None} if self.fault == "odd" else {}
        for index, (call_id, name, arguments) in enumerate(_calls(reply)):
            head = {"index": index, "id": call_id, "type": "function"}
            found.append({"tool_calls": [head | {"function": {"name": name, "arguments": ""}}]})
            middle = len(arguments) // 2
            for piece in (arguments[:middle], arguments[middle:]):
                function = {**name_null, "arguments": piece}
                found.append({"tool_calls": [{"index": index, **nulls, "function": function}]})
        return found

    def _stream(
        self, exchange: Exchange, deltas: list[Json], reason: str, usage: dict[str, int]
    ) -> None:
        body = exchange.body
        exchange.start_stream("text/event-stream")
        delay = self.delay or (1.0 if self.fault == "slow" else 0.0)
        self._send(exchange, _chunk(body, {"role": "assistant", "content": ""}))
        for number, delta in enumerate(deltas):
            if number == BEFORE_FAULT and self._broke(exchange):
                return
            exchange.wait(delay)
            early = "stop" if self.fault == "finish_everywhere" else None
            self._send(exchange, _chunk(body, delta, early))
        if len(deltas) <= BEFORE_FAULT and self._broke(exchange):
            return
        if self.fault != "no_finish":
            self._send(
                exchange, _chunk(body, {}, "content_filter" if self.fault == "filter" else reason)
            )
        if (body.get("stream_options") or {}).get("include_usage"):
            self._send(exchange, _head(body) | {"choices": [], "usage": usage})
        if self.fault != "no_done":
            self._send_data(exchange, b"[DONE]")
        exchange.end_stream()

    def _send(self, exchange: Exchange, chunk: Json) -> None:
        if self.fault == "odd":
            exchange.send_piece(b": keep-alive\r\n")
            self._send_data(exchange, json.dumps(_head(exchange.body)).encode())
            self._send_data(exchange, json.dumps(_head(exchange.body) | {"choices": None}).encode())
            chunk = chunk | {"event": {"type": "status", "data": {"description": "x"}}}
        self._send_data(exchange, json.dumps(chunk, ensure_ascii=False).encode())

    def _send_data(self, exchange: Exchange, data: bytes) -> None:
        if self.fault == "odd":
            exchange.send_piece(b"data:" + data + b"\r\n\r\n")
        else:
            exchange.send_piece(b"data: " + data + b"\n\n")

    def _broke(self, exchange: Exchange) -> bool:
        """Break the stream off as the fault says; false if it says nothing."""
        if self.fault == "cut":
            exchange.cut()
        elif self.fault == "garbage":
            exchange.send_piece(b"data: <html>upstream</html>\n\n")
            exchange.end_stream()
        elif self.fault == "error_line":
            error = _error("the engine died", "server_error", "engine_dead")
            exchange.send_piece(b"data: " + json.dumps(error).encode() + b"\n\n")
            exchange.end_stream()
        return self.fault in ("cut", "garbage", "error_line")

    def _refused(self, exchange: Exchange) -> bool:
        """Refuse the request if the fault or its length says so."""
        known = {
            "500": (500, "internal error", "server_error"),
            "busy": (503, "overloaded", "overloaded"),
            "429": (TOO_MANY, "too many requests", "rate_limit_exceeded"),
            "no_model": (404, "the model does not exist", "model_not_found"),
            "bad_key": (
                401,
                f"Incorrect API key provided: {exchange.headers.get('Authorization')}",
                "invalid_api_key",
            ),
        }
        refusal = known.get(self.fault)
        if self.fault == "flaky" and self.chat_calls == 1:
            refusal = known["500"]
        n_prompt = len(tokens(prompt(exchange.body.get("messages") or ())))
        if n_prompt > self.context_window and self.fault != "truncate":
            text = f"maximum context length is {self.context_window} tokens"
            refusal = (400, text, "context_length_exceeded")
        if refusal:
            status, message, code = refusal
            wait = {"Retry-After": str(RETRY_AFTER)} if status == TOO_MANY else None
            exchange.send_json(
                _error(message, "invalid_request_error", code), status=status, headers=wait
            )
        return refusal is not None

    def _embed(self, exchange: Exchange) -> None:
        self.embed_calls += 1
        given = exchange.body.get("input")
        texts = [given] if isinstance(given, str) else list(given or ())
        if self.fail_on and any(self.fail_on in text for text in texts):
            exchange.send_json(_error("NaN", "server_error", "nan"), status=500)
        elif self.max_characters and any(len(text) > self.max_characters for text in texts):
            error = _error("input is too long", "invalid_request_error", "context_length_exceeded")
            exchange.send_json(error, status=400)
        else:
            rows = [
                {"object": "embedding", "index": index, "embedding": hashed(text, self.dim)}
                for index, text in enumerate(texts)
            ]
            # Turned round, because the order of rows is told by their index alone.
            exchange.send_json({"object": "list", "data": rows[::-1], "model": self.model})

    def _models(self, exchange: Exchange) -> None:
        model: Json = {"id": self.model, "object": "model", "created": 0, "owned_by": "fake"}
        outer, dot, inner = self.window_key.partition(".")
        if outer:
            model[outer] = {inner: self.context_window} if dot else self.context_window
        exchange.send_json({"object": "list", "data": [model]})


def _calls(reply: Reply) -> list[tuple[str, str, str]]:
    """Id, name and arguments of each call."""
    return [
        (f"call_fake{number}", name, json.dumps(dict(given), ensure_ascii=False))
        for number, (name, given) in enumerate(reply.tool_calls)
    ]


def _head(body: Json, kind: str = "chat.completion.chunk") -> dict[str, Any]:
    created = int(time.time())
    return {"id": "chatcmpl-fake", "object": kind, "created": created, "model": body.get("model")}


def _chunk(body: Json, delta: Json, reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    return _head(body) | {"choices": [choice]}


def _error(message: str, kind: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
