"""A model's server that writes the same words at a set pace: ``python -m eval.wire_upstream PORT``.

One thread and no framework, in a process of its own, so that it disturbs what is measured least.
``POST /pace`` with ``{"delay": seconds, "tokens": n}`` sets the pace of later answers; any other
``POST`` is a chat completion, streamed or whole.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

_STREAM: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
#: Most bytes of a request's head.
_HEAD: Final = 65_536


@dataclass(slots=True)
class Pace:
    """How answers are written; changed while the server runs."""

    #: Seconds before each token.
    delay: float = 0.0
    tokens: int = 8


def words(count: int, asked: float = 0.0) -> list[str]:
    """Tokens of an answer: the first tells when the model was asked, the last has a citation.

    :param asked: ``time.perf_counter()``, which all processes of a Linux machine share, seconds.
    """
    middle = (f"kelime{number} " for number in range(2, count))
    return [f"saat{asked:.6f} ", *middle, "bitti [1]."]


async def answer(reader: StreamReader, writer: StreamWriter, pace: Pace) -> None:
    """Answer the requests of one connection, until it is closed."""
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        while body := await _request(reader):
            path, asked = body
            moment = time.perf_counter()
            if path == "/pace":
                pace.delay, pace.tokens = float(asked["delay"]), int(asked["tokens"])
                writer.write(_whole({"ok": True}))
            elif asked.get("stream"):
                await _stream(writer, asked, words(pace.tokens, moment), pace)
            else:
                writer.write(_whole(_completion(pace)))
            await writer.drain()
    writer.close()


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    pace = Pace()

    async def connected(reader: StreamReader, writer: StreamWriter) -> None:
        await answer(reader, writer, pace)

    server = await asyncio.start_server(connected, "127.0.0.1", port, limit=_HEAD, backlog=512)
    await server.serve_forever()


async def _request(reader: StreamReader) -> tuple[str, dict[str, Any]] | None:
    """Path and JSON of the next request; ``None`` when the client closed."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    line, *fields = head.decode("latin-1").split("\r\n")
    names = dict(field.lower().split(":", 1) for field in fields if ":" in field)
    body = await reader.readexactly(int(names.get("content-length", "0")))
    return line.split(" ")[1], json.loads(body or b"{}")


async def _stream(
    writer: StreamWriter, asked: dict[str, Any], tokens: list[str], pace: Pace
) -> None:
    writer.write(_STREAM + _event(_choice({"role": "assistant", "content": ""})))
    for word in tokens:
        if pace.delay:
            await asyncio.sleep(pace.delay)
        writer.write(_event(_choice({"content": word})))
        await writer.drain()
    writer.write(_event(_choice({}, "stop")))
    if (asked.get("stream_options") or {}).get("include_usage"):
        writer.write(_event({"choices": [], "usage": _usage(pace)}))
    writer.write(_piece(b"data: [DONE]\n\n") + b"0\r\n\r\n")


def _choice(delta: dict[str, str], reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def _completion(pace: Pace) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(words(pace.tokens))}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"object": "chat.completion", "choices": [choice], "usage": _usage(pace)}


def _usage(pace: Pace) -> dict[str, int]:
    return {"prompt_tokens": 9, "completion_tokens": pace.tokens, "total_tokens": 9 + pace.tokens}


def _event(body: dict[str, Any]) -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    return _piece(b"data: " + json.dumps({**head, **body}).encode() + b"\n\n")


def _piece(data: bytes) -> bytes:
    """A chunk of HTTP's chunked coding."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _whole(body: dict[str, Any]) -> bytes:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
    return head.encode() + b"\r\n\r\n" + data


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
