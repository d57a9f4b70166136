"""A chat client that does as little as possible and notes when the first word came."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

#: Content of a chunk that is not empty; the chunk with the role has an empty one.
CONTENT: Final = re.compile(rb'"content": ?"[^"]')
#: The moment at which the fake model was asked, which its first word tells.
ASKED: Final = re.compile(rb"saat([0-9.]+)")
#: Start of an answer that is none of an error.
OK: Final = b"HTTP/1.1 200"
#: End of a stream, in the stream and in HTTP's chunked coding.
DONE: Final = b"data: [DONE]"
END: Final = b"0\r\n\r\n"
#: Bytes read at once.
BLOCK: Final = 65_536
#: Seconds after which a stream counts as lost.
PATIENCE: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a chat completion is asked for, and how."""

    port: int
    model: str
    key: str = ""
    path: str = "/v1/chat/completions"

    def request(self, question: str, path: str = "", body: object = None) -> bytes:
        """A streamed question, or another body for another path."""
        asked = body or {
            "model": self.model,
            "stream": True,
            "messages": [{"role": "user", "content": question}],
        }
        data = json.dumps(asked, ensure_ascii=False).encode()
        lines = (
            f"POST {path or self.path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.key}",
            "Content-Type: application/json",
            f"Content-Length: {len(data)}",
        )
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


@dataclass(slots=True)
class Heard:
    """What came of one answer."""

    #: Moments of ``time.perf_counter``, seconds; 0 for what did not come.
    sent: float = 0.0
    first: float = 0.0
    ended: float = 0.0
    text: bytearray = field(default_factory=bytearray)

    def take(self, block: bytes) -> None:
        """Take up what was read, as soon as it was."""
        self.text += block
        if not self.first and CONTENT.search(self.text):
            self.first = time.perf_counter()

    @property
    def is_over(self) -> bool:
        """True once nothing more will come: the end of a stream, or a refusal."""
        refused = len(self.text) >= len(OK) and not self.text.startswith(OK)
        return refused or self.text.endswith(END)

    @property
    def complete(self) -> bool:
        """True for an answer with a word, a reason to end, no error, and an end."""
        whole = bytes(self.text)
        reason = b'"finish_reason": "stop"' in whole or b'"finish_reason":"stop"' in whole
        return bool(self.first) and reason and DONE in whole and b'"error"' not in whole

    @property
    def after(self) -> float:
        """Seconds from the moment at which the model was asked to the first word; 0 if unknown."""
        found = ASKED.search(self.text)
        return self.first - float(found[1]) if found else 0.0

    @property
    def tokens(self) -> int:
        """Chunks with content."""
        return len(CONTENT.findall(self.text))

    @property
    def wait(self) -> float:
        """Seconds from the request to the first word."""
        return self.first - self.sent


class Line:
    """A connection that is kept, as clients keep theirs; in a ``with`` block."""

    def __init__(self, address: Address) -> None:
        """Connect."""
        self.address = address
        self._socket = self._connected()

    def ask(self, question: str) -> Heard:
        """Ask and read the answer to its end.

        :raises RuntimeError: the answer is not whole.
        """
        heard, request = Heard(), self.address.request(question)
        heard.sent = time.perf_counter()
        self._socket.sendall(request)
        while not heard.is_over and (block := self._socket.recv(BLOCK)):
            heard.take(block)
        heard.ended = time.perf_counter()
        if not heard.complete:
            raise RuntimeError(f"no whole answer: {bytes(heard.text)[-600:]!r}")
        return heard

    def post(self, path: str, body: Mapping[str, Any]) -> None:
        """Send something else, and let its short answer go."""
        self._socket.sendall(self.address.request("", path, body))
        self._socket.recv(BLOCK)

    def __enter__(self) -> Self:
        """The connection."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._socket.close()

    def _connected(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.address.port), timeout=PATIENCE)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock


def flood(
    address: Address,
    questions: Sequence[str],
    *,
    count: int,
    rate: float,
    look: Callable[[int], None],
) -> list[Heard]:
    """What came of many streams at once, each on a connection of its own, in order of their start.

    :param questions: asked in turn.
    :param rate: streams that begin in a second.
    :param look: called twice a second with the number of streams that are being read.
    """
    return asyncio.run(_flood(address, questions, count, rate, look))


async def _flood(
    address: Address,
    questions: Sequence[str],
    count: int,
    rate: float,
    look: Callable[[int], None],
) -> list[Heard]:
    begun = time.perf_counter()
    streams: list[asyncio.Task[Heard]] = []
    watch = asyncio.create_task(_watch(streams, look))
    for number in range(count):
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        question = questions[number % len(questions)]
        streams.append(asyncio.create_task(_stream(address, question)))
    heard = await asyncio.gather(*streams)
    watch.cancel()
    return heard


async def _watch(streams: Sequence[asyncio.Task[Heard]], look: Callable[[int], None]) -> None:
    while True:
        await asyncio.sleep(0.5)
        look(sum(not stream.done() for stream in streams))


async def _stream(address: Address, question: str) -> Heard:
    heard, request = Heard(sent=time.perf_counter()), address.request(question)
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
            writer.write(request)
            while not heard.is_over and (block := await reader.read(BLOCK)):
                heard.take(block)
            writer.close()
    except (OSError, TimeoutError):
        # What came tells that this one is not whole.
        pass
    heard.ended = time.perf_counter()
    return heard
