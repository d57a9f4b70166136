"""What a fake model answers, and how it counts tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

#: A fixed answer, or a function of the request's JSON.
Script: TypeAlias = str | Callable[[Mapping[str, Any]], str]

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
    return "\n".join(str(message.get("content") or "") for message in messages)


def quote(request: Mapping[str, Any]) -> str:
    """The default answer: the first sentence of passage ``[1]`` of the prompt, with its marker.

    The passage is what follows ``[1]`` at the start of a line, up to the next such number or to a
    line that starts with a closing tag; the last message that has one counts.
    """
    for message in reversed(request.get("messages") or ()):
        passage = _PASSAGE.search(str(message.get("content") or ""))
        if passage and passage[1].strip():
            sentence = _SENTENCE.search(passage[1])
            return f"{' '.join((sentence[0] if sentence else passage[1]).split())} [1]"
    return NO_PASSAGE


def answer(script: Script | None, request: Mapping[str, Any]) -> str:
    """What the model says to a request; :func:`quote` without a script."""
    if script is None:
        return quote(request)
    return script if isinstance(script, str) else script(request)
