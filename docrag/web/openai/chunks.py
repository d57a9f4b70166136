"""Builds the bodies of a chat completion: whole, and in server-sent chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from docrag.api import Citation, Delta, Usage
from docrag.assistant import Turn
from docrag.web.openai.annotations import Links, search_results, url_citations, verdict
from docrag.web.openai.events import source_events, sources
from docrag.web.openai.toolcalls import pieces

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
    turn: Turn
    #: The answer comes from documents, or could have.
    cites: bool = True
    #: Numbers in brackets are markers, which annotations point at.
    marks: bool = True
    #: Sources are sent as Open WebUI's events.
    events: bool = False
    language: str = "tr"

    @property
    def context(self) -> tuple[Citation, ...]:
        """Every source that was offered, as things stand: a second model may have others."""
        return () if self.turn.abstention else self.turn.context

    def annotations(self, text: str) -> list[dict[str, Any]]:
        """What points at the markers of a text; nothing in one that has none, such as JSON."""
        return url_citations(text, self.context, self.links) if self.cites and self.marks else []

    def start(self) -> Iterator[dict[str, Any]]:
        """The role chunk, with the search results for those who read them there, and the events."""
        found = search_results(self.context, self.links) if self.cites else []
        role = self._chunk([_choice({"role": "assistant", "content": ""})])
        yield {**role, "search_results": found} if found else role
        if self.cites and self.events:
            for told in source_events(self.context, self.links, language=self.language):
                yield {**self._chunk([]), "event": told}

    def pieces(self, delta: Delta) -> Iterator[dict[str, Any]]:
        """The chunks of a piece: thoughts, text and calls each in chunks of their own."""
        for thought in cut(delta.reasoning):
            yield self._chunk([_choice({"reasoning_content": thought})])
        yield from self.text(delta.text)
        for calls in pieces(delta.tool_calls):
            yield self._chunk([_choice({"tool_calls": calls})])

    def text(self, text: str) -> Iterator[dict[str, Any]]:
        """Content chunks of at most :data:`PIECE` characters; none for no text."""
        for part in cut(text):
            yield self._chunk([_choice({"content": part})])

    def finish(self, reason: str, text: str) -> dict[str, Any]:
        """The chunk with the finish reason, all annotations and our verdict.

        :param text: everything that was sent, which the annotations point into.
        """
        if not self.cites:
            return self._chunk([_choice({}, reason)])
        # Open WebUI would list each source twice.
        marks = [] if self.events else self.annotations(text)
        numbered = [{"index": place, **mark} for place, mark in enumerate(marks)]
        delta: dict[str, Any] = {"annotations": numbered} if numbered else {}
        return {**self._chunk([_choice(delta, reason)]), "docrag": verdict(self.turn.answer)}

    def usage(self, usage: Usage) -> dict[str, Any]:
        """The chunk with the token counts, for those who asked for it."""
        return {**self._chunk([]), "usage": usage_object(usage)}

    def whole(self, reason: str, message: Mapping[str, Any], text: str) -> dict[str, Any]:
        """The body of an answer that is not streamed.

        :param message: role, content and what else the model wrote.
        :param text: the text that the annotations point into.
        """
        own = self._sources(text) if self.cites else {}
        marks = {"annotations": self.annotations(text)} if self.cites else {}
        choice = {
            "index": 0,
            "message": {**message, **marks},
            "logprobs": None,
            "finish_reason": reason,
        }
        return {
            "id": self.id,
            "object": "chat.completion",
            "created": self.created,
            "model": self.model,
            "choices": [choice],
            "usage": usage_object(self.turn.answer.usage),
            **own,
        }

    def _sources(self, text: str) -> dict[str, Any]:
        """What stands beside the choices of a whole answer."""
        found: dict[str, Any] = {"search_results": search_results(self.context, self.links)}
        if self.events:
            found["sources"] = sources(self.context, self.links)
        return {**found, "docrag": verdict(self.turn.answer)}

    def _chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }


def cut(text: str) -> Iterator[str]:
    """The text in pieces of at most :data:`PIECE` characters; none for no text."""
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def usage_object(usage: Usage) -> dict[str, int]:
    """Token counts, all three keys always present."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def event(body: dict[str, Any]) -> bytes:
    """A body as one server-sent event, UTF-8; what UTF-8 cannot hold becomes ``?``."""
    return b"data: " + json.dumps(body, ensure_ascii=False).encode("utf-8", "replace") + b"\n\n"


def _choice(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
