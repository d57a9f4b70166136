"""A fake Ollama server with the faults that real ones show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from docrag.testing.chat import Reply, Script, answer, prompt, tokens
from docrag.testing.server import Exchange, FakeServer, Json
from docrag.testing.vectors import hashed

#: Ways to fail; the empty one works. ``slow`` waits ``delay`` seconds before each piece, ``cut``
#: breaks the connection after two, ``garbage`` and ``error_line`` send what their names say after
#: two, ``truncate`` cuts the prompt without a sign, ``odd`` sends empty lines, CRLF and keys that
#: nobody knows, ``flaky`` fails the first chat with 500, ``429`` refuses with ``Retry-After``, the
#: rest refuse the request.
FAULTS: Final = (
    "", "slow", "cut", "500", "garbage", "truncate", "busy", "no_model", "error_line", "odd",
    "flaky", "429",
)  # fmt: skip
#: Seconds that a refusal 429 asks to wait.
RETRY_AFTER: Final = 1
#: Context window of a request that sets none, tokens.
DEFAULT_WINDOW = 4096
#: Pieces that are sent before a stream fails.
BEFORE_FAULT = 2
#: Status of a refusal for too many requests.
TOO_MANY: Final = 429


class FakeOllama(FakeServer):
    """An Ollama server that answers from the prompt; use it in a ``with`` block.

    By default the chat quotes the first sentence of passage ``[1]``, the embeddings are hashed
    words, and a prompt beyond ``num_ctx`` is refused if the request says ``truncate: false``.
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
        context_length: int | None = 32_768,
        parameters: str = "",
        capabilities: Sequence[str] = ("completion", "tools", "thinking"),
    ) -> None:
        """Choose how it answers.

        :param answer: a fixed answer, or a function of the request's JSON; a :class:`Reply` may
            have thoughts and tool calls.
        :param fault: one of :data:`FAULTS`, for the chat; may be changed while it runs.
        :param delay: seconds before each piece of a stream; 1 for the fault ``slow`` if 0.
        :param dim: numbers in each vector.
        :param fail_on: a batch with a text that holds this word is answered 500 (NaN).
        :param max_characters: a batch with a longer text is answered 400.
        :param context_length: tokens of the model's window; ``None`` answers ``/api/show`` 500.
        :param parameters: parameters of the model's file, such as ``"num_ctx 4096"``.
        :param capabilities: what the model can do.
        :raises ValueError: an unknown fault.
        """
        super().__init__()
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.answer, self.fault, self.delay = answer, fault, delay
        self.dim = dim
        self.fail_on = fail_on
        self.max_characters = max_characters
        self.context_length = context_length
        self.parameters = parameters
        self.capabilities = tuple(capabilities)
        self.unrecorded = frozenset({"/api/show"})
        #: What the model saw of each chat's prompt, after cutting.
        self.prompts: list[str] = []
        self.chat_calls = self.embed_calls = self.show_calls = 0
        self.routes = {
            ("POST", "/api/chat"): self._chat,
            ("POST", "/api/embed"): self._embed,
            ("POST", "/api/show"): self._show,
            ("GET", "/api/tags"): self._tags,
            ("GET", "/api/version"): self._version,
        }

    def _chat(self, exchange: Exchange) -> None:
        self.chat_calls += 1
        body = exchange.body
        refusal = self._refusal(body)
        if refusal:
            status, message = refusal
            wait = {"Retry-After": str(RETRY_AFTER)} if status == TOO_MANY else None
            exchange.send_json({"error": message}, status=status, headers=wait)
            return
        seen, n_prompt = self._seen(body)
        limit = int((body.get("options") or {}).get("num_predict") or -1)
        reply = answer(self.answer, seen)
        pieces = tokens(reply.text)
        sent = pieces[:limit] if limit > 0 else pieces
        last = {
            "done": True,
            "done_reason": "length" if len(sent) < len(pieces) else "stop",
            "prompt_eval_count": n_prompt,
            "eval_count": max(1, len(sent)),
        }
        if body.get("stream") is False:
            exchange.send_json(_line(body, _whole(reply, "".join(sent))) | last)
        else:
            self._stream(exchange, _messages(reply, sent), last)

    def _stream(self, exchange: Exchange, messages: list[Json], last: Json) -> None:
        exchange.start_stream("application/x-ndjson")
        delay = self.delay or (1.0 if self.fault == "slow" else 0.0)
        for number, message in enumerate(messages):
            if number == BEFORE_FAULT and self._broke(exchange):
                return
            exchange.wait(delay)
            self._send(exchange, _line(exchange.body, message))
        if len(messages) <= BEFORE_FAULT and self._broke(exchange):
            return
        self._send(exchange, _line(exchange.body, {"content": ""}) | last)
        exchange.end_stream()

    def _send(self, exchange: Exchange, line: Json) -> None:
        if self.fault == "odd":
            head = {"model": line["model"], "done": False, "event": {"type": "source"}}
            exchange.send_piece(b"\r\n\n" + _ndjson(head) + _ndjson(head | {"message": None}))
            line = line | {"event": {"type": "status"}}
        data = _ndjson(line)
        exchange.send_piece(data.replace(b"\n", b"\r\n") if self.fault == "odd" else data)

    def _broke(self, exchange: Exchange) -> bool:
        """Break the stream off as the fault says; false if it says nothing."""
        if self.fault == "cut":
            exchange.cut()
        elif self.fault == "garbage":
            exchange.send_piece(b"<html>upstream</html>\n")
            exchange.end_stream()
        elif self.fault == "error_line":
            exchange.send_piece(_ndjson({"error": "model runner has unexpectedly stopped"}))
            exchange.end_stream()
        return self.fault in ("cut", "garbage", "error_line")

    def _refusal(self, body: Json) -> tuple[int, str] | None:
        """Status and message, if the request is not served."""
        known = {
            "500": (500, "llama runner process has terminated"),
            "busy": (503, "server busy, please try again. maximum pending requests exceeded"),
            "429": (TOO_MANY, "too many requests"),
            "no_model": (404, f"model '{body.get('model')}' not found"),
        }
        if self.fault == "flaky" and self.chat_calls == 1:
            return known["500"]
        if self.fault in known:
            return known[self.fault]
        too_long = len(tokens(prompt(body.get("messages") or ()))) > _window(body)
        if too_long and body.get("truncate") is False and self.fault != "truncate":
            return 400, "input length exceeds the context length"
        return None

    def _seen(self, body: Json) -> tuple[Json, int]:
        """The request as the model sees it, and the tokens of its prompt."""
        whole = tokens(prompt(body.get("messages") or ()))
        kept = whole[-_window(body) :]
        self.prompts.append("".join(kept))
        if len(kept) == len(whole):
            return body, len(whole)
        return {**body, "messages": [{"role": "user", "content": "".join(kept)}]}, len(kept)

    def _embed(self, exchange: Exchange) -> None:
        self.embed_calls += 1
        given = exchange.body.get("input")
        texts = [given] if isinstance(given, str) else list(given or ())
        if self.fail_on and any(self.fail_on in text for text in texts):
            message = "failed to encode response: json: unsupported value: NaN"
            exchange.send_json({"error": message}, status=500)
        elif self.max_characters and any(len(text) > self.max_characters for text in texts):
            exchange.send_json({"error": "input length exceeds the context length"}, status=400)
        else:
            rows = [hashed(text, self.dim) for text in texts]
            exchange.send_json({"model": exchange.body.get("model"), "embeddings": rows})

    def _show(self, exchange: Exchange) -> None:
        self.show_calls += 1
        if self.context_length is None:
            exchange.send_json({"error": "the model's file cannot be read"}, status=500)
            return
        info = {"general.architecture": "fake", "fake.context_length": self.context_length}
        exchange.send_json(
            {
                "parameters": self.parameters,
                "model_info": info,
                "capabilities": list(self.capabilities),
            }
        )

    def _tags(self, exchange: Exchange) -> None:
        names = ("qwen2.5:7b-instruct", "bge-m3:latest")
        exchange.send_json({"models": [{"name": name, "model": name} for name in names]})

    def _version(self, exchange: Exchange) -> None:
        exchange.send_json({"version": "0.0.0-fake"})


def _window(body: Json) -> int:
    return int((body.get("options") or {}).get("num_ctx") or DEFAULT_WINDOW)


def _messages(reply: Reply, pieces: list[str]) -> list[Json]:
    """What each line of a stream adds."""
    thoughts: list[Json] = [{"content": "", "thinking": piece} for piece in tokens(reply.reasoning)]
    calls: list[Json] = [{"content": "", "tool_calls": [call]} for call in _calls(reply)]
    return [*thoughts, *({"content": piece} for piece in pieces), *calls]


def _whole(reply: Reply, text: str) -> Json:
    message: Json = {"content": text}
    if reply.reasoning:
        message["thinking"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = _calls(reply)
    return message


def _calls(reply: Reply) -> list[Json]:
    return [
        {"function": {"name": name, "arguments": dict(given)}} for name, given in reply.tool_calls
    ]


def _line(body: Json, message: Json) -> dict[str, Any]:
    return {
        "model": body.get("model"),
        "message": {"role": "assistant", **message},
        "done": False,
    }


def _ndjson(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
