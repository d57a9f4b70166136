"""A fake Ollama server with the faults that real ones show."""

from __future__ import annotations

import json
from typing import Any, Final

from docrag.testing.chat import Script, answer, prompt, tokens
from docrag.testing.server import Exchange, FakeServer, Json
from docrag.testing.vectors import hashed

#: Ways to fail; the empty one works. ``slow`` waits ``delay`` seconds before each piece, ``cut``
#: breaks the connection after two, ``garbage`` and ``error_line`` send what their names say after
#: two, ``truncate`` cuts the prompt without a sign, the rest refuse the request.
FAULTS: Final = (
    "", "slow", "cut", "500", "garbage", "truncate", "busy", "no_model", "error_line",
)  # fmt: skip
#: Context window of a request that sets none, tokens.
DEFAULT_WINDOW = 4096
#: Pieces that are sent before a stream fails.
BEFORE_FAULT = 2


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
    ) -> None:
        """Choose how it answers.

        :param answer: a fixed answer, or a function of the request's JSON.
        :param fault: one of :data:`FAULTS`, for the chat; may be changed while it runs.
        :param delay: seconds before each piece of a stream; 1 for the fault ``slow`` if 0.
        :param dim: numbers in each vector.
        :param fail_on: a batch with a text that holds this word is answered 500 (NaN).
        :param max_characters: a batch with a longer text is answered 400.
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
        #: What the model saw of each chat's prompt, after cutting.
        self.prompts: list[str] = []
        self.chat_calls = 0
        self.embed_calls = 0
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
            exchange.send_json({"error": message}, status=status)
            return
        seen, n_prompt = self._seen(body)
        limit = int((body.get("options") or {}).get("num_predict") or -1)
        pieces = tokens(answer(self.answer, seen))
        sent = pieces[:limit] if limit > 0 else pieces
        last = {
            "done": True,
            "done_reason": "length" if len(sent) < len(pieces) else "stop",
            "prompt_eval_count": n_prompt,
            "eval_count": len(sent),
        }
        if body.get("stream") is False:
            exchange.send_json(_line(body, "".join(sent)) | last)
        else:
            self._stream(exchange, sent, last)

    def _stream(self, exchange: Exchange, pieces: list[str], last: Json) -> None:
        exchange.start_stream("application/x-ndjson")
        delay = self.delay or (1.0 if self.fault == "slow" else 0.0)
        for number, piece in enumerate(pieces):
            if number == BEFORE_FAULT and self._broke(exchange):
                return
            exchange.wait(delay)
            exchange.send_piece(_ndjson(_line(exchange.body, piece)))
        if len(pieces) <= BEFORE_FAULT and self._broke(exchange):
            return
        exchange.send_piece(_ndjson(_line(exchange.body, "") | last))
        exchange.end_stream()

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
            "no_model": (404, f"model '{body.get('model')}' not found"),
        }
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
        info = {"general.architecture": "fake", "fake.context_length": 32_768}
        exchange.send_json({"model_info": info, "capabilities": ["completion"]})

    def _tags(self, exchange: Exchange) -> None:
        names = ("qwen2.5:7b-instruct", "bge-m3:latest")
        exchange.send_json({"models": [{"name": name, "model": name} for name in names]})

    def _version(self, exchange: Exchange) -> None:
        exchange.send_json({"version": "0.0.0-fake"})


def _window(body: Json) -> int:
    return int((body.get("options") or {}).get("num_ctx") or DEFAULT_WINDOW)


def _line(body: Json, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"model": body.get("model"), "message": message, "done": False}


def _ndjson(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
