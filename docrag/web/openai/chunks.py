"""Builds the bodies of a chat completion: whole, and in server-sent chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from docrag.api import Answer, Citation, Usage
from docrag.web.openai.annotations import Links, search_results, url_citations, verdict

#: End of every stream.
DONE: Final = b"data: [DONE]\n\n"
#: A comment and one newline: a blank line after it would be an event to some clients.
KEEP_ALIVE: Final = b": keep-alive\n"
#: Most characters of one content chunk, so that its line stays far under 64 KiB.
PIECE: Final = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What all chunks of one answer share, and how each is built."""

    id: str
    #: Seconds since 1970.
    created: int
    model: str
    links: Links
    #: Every source that was offered.
    context: Sequence[Citation]

    def start(self) -> dict[str, Any]:
        """The role chunk, with the search results for clients that read them there."""
        chunk = self._chunk([_choice({"role": "assistant", "content": ""})])
        found = search_results(self.context, self.links)
        return {**chunk, "search_results": found} if found else chunk

    def text(self, text: str) -> Iterator[dict[str, Any]]:
        """Content chunks of at most :data:`PIECE` characters; none for no text."""
        for start in range(0, len(text), PIECE):
            yield self._chunk([_choice({"content": text[start : start + PIECE]})])

    def finish(self, reason: str, text: str, answer: Answer) -> dict[str, Any]:
        """The chunk with the finish reason, all annotations and our verdict.

        :param text: everything that was sent, which the annotations point into.
        """
        marks = url_citations(text, self.context, self.links)
        numbered = [{"index": place, **mark} for place, mark in enumerate(marks)]
        delta: dict[str, Any] = {"annotations": numbered} if numbered else {}
        return {**self._chunk([_choice(delta, reason)]), "docrag": verdict(answer)}

    def usage(self, usage: Usage) -> dict[str, Any]:
        """The chunk with the token counts, for those who asked for it."""
        return {**self._chunk([]), "usage": usage_object(usage)}

    def whole(self, reason: str, text: str, answer: Answer) -> dict[str, Any]:
        """The body of an answer that is not streamed."""
        message = {
            "role": "assistant",
            "content": text,
            "refusal": None,
            "annotations": url_citations(text, self.context, self.links),
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        return {
            "id": self.id,
            "object": "chat.completion",
            "created": self.created,
            "model": self.model,
            "choices": [choice],
            "usage": usage_object(answer.usage),
            "search_results": search_results(self.context, self.links),
            "docrag": verdict(answer),
        }

    def _chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }


def usage_object(usage: Usage) -> dict[str, int]:
    """Token counts, all three keys always present."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def event(body: dict[str, Any]) -> bytes:
    """A body as one server-sent event, UTF-8."""
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


def _choice(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
