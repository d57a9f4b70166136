"""A fake server with a vision model, by Ollama's API and by OpenAI's, with real ones' faults."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, Final

from docrag.testing.server import Exchange, FakeServer, Json

#: Statuses of refusals, with what the server says; ``blind`` is a model that takes no pictures
#: and ``long`` one whose window is too small for this one.
REFUSALS: Final = {
    "400": "the picture is too large",
    "401": "invalid api key",
    "404": "model not found",
    "429": "too many requests",
    "500": "model runner has unexpectedly stopped",
    "503": "server busy, please try again",
    "long": "input length exceeds the context length",
    "blind": "this model does not support images",
}
#: Ways to fail; the empty one works. ``slow`` waits ``delay`` seconds, ``hung`` does so with every
#: request, ``drip`` sends a space each ``delay`` seconds, ``flaky`` fails the first time with 500,
#: ``cut`` says that the answer is not whole, ``shape`` leaves the message out; the rest send what
#: their names say.
FAULTS: Final = (
    "", *REFUSALS, "slow", "hung", "drip", "flaky", "cut", "shape", "html", "list", "empty",
    "refusal", "filter", "redirect", "broken",
)  # fmt: skip
#: Spaces that ``drip`` sends at most.
MOST_DROPS = 1000


class FakeVision(FakeServer):
    """A server that says what a picture shows; use it in a ``with`` block.

    Ollama's API is under ``url``, OpenAI's under ``url + "/v1"``.
    """

    def __init__(
        self,
        *,
        answer: str | Callable[[bytes], str] = "",
        fault: str = "",
        delay: float = 1.0,
    ) -> None:
        """Choose how it answers.

        :param answer: what it writes, or a function of the picture's bytes.
        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param delay: seconds of the faults that wait.
        :raises ValueError: an unknown fault.
        """
        super().__init__()
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.answer, self.fault, self.delay = answer, fault, delay
        #: Pictures that were shown, in order.
        self.pictures: list[bytes] = []
        #: ``Authorization`` header of each request for a text, in order.
        self.keys: list[str | None] = []
        self.routes = {
            ("POST", "/api/chat"): self._ollama,
            ("POST", "/v1/chat/completions"): self._openai,
            ("GET", "/api/version"): self._alive,
            ("GET", "/v1/models"): self._alive,
        }

    def _ollama(self, exchange: Exchange) -> None:
        shown = [
            picture
            for message in exchange.body.get("messages") or ()
            for picture in message.get("images") or ()
        ]
        self._answer(exchange, shown, self._ollama_whole)

    def _openai(self, exchange: Exchange) -> None:
        shown = [
            part["image_url"]["url"].partition(";base64,")[2]
            for message in exchange.body.get("messages") or ()
            for part in message.get("content") or ()
            if isinstance(part, dict) and part.get("type") == "image_url"
        ]
        self._answer(exchange, shown, self._openai_whole)

    def _answer(
        self, exchange: Exchange, shown: list[str], whole: Callable[[str], dict[str, Any]]
    ) -> None:
        self.pictures += [base64.b64decode(picture) for picture in shown]
        self.keys.append(exchange.headers.get("Authorization"))
        if self._failed(exchange):
            return
        picture = self.pictures[-1] if shown else b""
        said = self.answer if isinstance(self.answer, str) else self.answer(picture)
        exchange.send_json({} if self.fault == "shape" else whole(said))

    def _failed(self, exchange: Exchange) -> bool:
        """Answer as the fault says, if it stands in the way of a text."""
        fault = "500" if self.fault == "flaky" and len(self.keys) == 1 else self.fault
        if fault in ("slow", "hung"):
            exchange.wait(self.delay)
        elif fault in REFUSALS:
            status = int(fault) if fault.isdigit() else 400
            exchange.send_json({"error": {"message": REFUSALS[fault]}}, status=status)
        elif fault == "redirect":
            exchange.send_json({}, status=307, headers={"Location": f"{self.url}/api/chat"})
        elif fault in ("html", "list", "empty"):
            body = {"html": b"<html>upstream</html>", "list": b"[]", "empty": b""}[fault]
            exchange.send_bytes(body)
        elif fault == "broken":
            exchange.cut()
        elif fault == "drip":
            exchange.start_stream("application/json")
            for _ in range(MOST_DROPS):
                exchange.wait(self.delay)
                exchange.send_piece(b" ")
        return fault not in ("", "slow", "hung", "flaky", "cut", "shape", "refusal", "filter")

    def _ollama_whole(self, said: str) -> Json:
        reason = "length" if self.fault == "cut" else "stop"
        message = {"role": "assistant", "content": self._said(said)}
        return {"model": "fake", "message": message, "done": True, "done_reason": reason}

    def _openai_whole(self, said: str) -> Json:
        reason = {"cut": "length", "filter": "content_filter"}.get(self.fault, "stop")
        refusal = "I can't help with that." if self.fault == "refusal" else None
        message = {"role": "assistant", "content": self._said(said), "refusal": refusal}
        return {"choices": [{"index": 0, "message": message, "finish_reason": reason}]}

    def _said(self, said: str) -> str:
        return "I'm sorry, I can't transcribe this image." if self.fault == "refusal" else said

    def _alive(self, exchange: Exchange) -> None:
        if self.fault == "hung":
            exchange.wait(self.delay)
        exchange.send_json({"version": "0.0.0-fake", "data": []})
