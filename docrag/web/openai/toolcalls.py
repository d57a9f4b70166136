"""Calls of tools that a model streams: cut for the lines of a stream, and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

#: Most characters of arguments in one chunk, so that its line stays far under 64 KiB.
PIECE: Final = 8_000


def pieces(calls: Iterable[Mapping[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The pieces of calls as lists for one chunk each; long arguments are cut.

    :param calls: pieces in OpenAI's form, each with its ``index``.
    """
    for call in calls:
        function = call.get("function") or {}
        arguments = function.get("arguments")
        if not isinstance(arguments, str) or len(arguments) <= PIECE:
            yield [dict(call)]
            continue
        yield [{**call, "function": {**function, "arguments": arguments[:PIECE]}}]
        for start in range(PIECE, len(arguments), PIECE):
            rest = {"arguments": arguments[start : start + PIECE]}
            yield [{"index": call.get("index", 0), "function": rest}]


def joined(calls: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Whole calls in order of their index, without it.

    :param calls: all pieces of an answer, in order.
    """
    whole: dict[int, dict[str, Any]] = {}
    for piece in calls:
        index = piece.get("index", 0)
        call = whole.setdefault(index, {"id": "", "type": "function", "function": {}})
        function = piece.get("function") or {}
        call.update({k: v for k, v in piece.items() if k not in ("index", "function")})
        known = call["function"]
        known["name"] = known.get("name") or function.get("name") or ""
        known["arguments"] = known.get("arguments", "") + (function.get("arguments") or "")
    return [whole[index] for index in sorted(whole)]
