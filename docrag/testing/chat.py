"""What a fake model answers, and how it counts tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole answer of a fake model: thoughts, then text, then calls of tools."""

    text: str = ""
    reasoning: str = ""
    #: Name and arguments of each call.
    tool_calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()


#: A fixed answer, or a function of the request's JSON.
Script: TypeAlias = str | Reply | Callable[[Mapping[str, Any]], str | Reply]

#: What is said when the prompt has no first passage.
NO_PASSAGE = "Bu bilgi belgelerde bulunmuyor."

_TOKEN = re.compile(r"\s*\w{1,4}|\s*[^\w\s]|\s+")
_PASSAGE = re.compile(r"^[ \t]*\[1\](.*?)(?=^[ \t]*\[\d+\]|^[ \t]*</|\Z)", re.MULTILINE | re.DOTALL)
# At least twenty characters, so that "Madde 1." is not taken for a sentence.
_SENTENCE = re.compile(r"\S.{19,}?[.!?](?=\s|$)", re.DOTALL)


def tokens(text: str) -> list[str]:
    """Pieces of at most four letters, about as many as a real tokenizer makes of Turkish.

    :returns: pieces that give the text when joined.
    """
    return [piece.group() for piece in _TOKEN.finditer(text)]


def prompt(messages: Iterable[Mapping[str, Any]]) -> str:
    """All messages of a request as one text."""
    return "\n".join(_text(message.get("content")) for message in messages)


def quote(request: Mapping[str, Any]) -> str:
    """The default answer: the first sentence of passage ``[1]`` of the prompt, with its marker.

    The passage is what follows ``[1]`` at the start of a line, up to the next such number or to a
    line that starts with a closing tag; the last message that has one counts.
    """
    for message in reversed(request.get("messages") or ()):
        passage = _PASSAGE.search(_text(message.get("content")))
        if passage and passage[1].strip():
            sentence = _SENTENCE.search(passage[1])
            return f"{' '.join((sentence[0] if sentence else passage[1]).split())} [1]"
    return NO_PASSAGE


def answer(script: Script | None, request: Mapping[str, Any]) -> Reply:
    """What the model says to a request; :func:`quote` without a script."""
    if script is None:
        return Reply(text=quote(request))
    said = script if isinstance(script, str | Reply) else script(request)
    return said if isinstance(said, Reply) else Reply(text=said)


def _text(content: object) -> str:
    """The text of a content, whether it is one text or a list of parts."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "\n".join(part for part in parts if isinstance(part, str))
    return str(content or "")
