"""Readers that misbehave, run in the child process by the sandbox tests; not a test module."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator

from docrag.loaders.child import told


def echo(data: bytes) -> Iterator[dict[str, str]]:
    print("must not enter the stream")  # noqa: T201 - what a noisy library does
    yield {"text": data.decode(), "warning": ""}
    yield {"text": "yarım \ud800 çift", "warning": ""}


def ask(data: bytes) -> Iterator[dict[str, str]]:
    yield {"text": data.decode(), "warning": ""}
    yield {"text": str(told()), "warning": ""}


def sleep(data: bytes) -> Iterator[dict[str, str]]:
    time.sleep(60)
    yield {"text": "", "warning": ""}


def burn(data: bytes) -> Iterator[dict[str, str]]:
    yield {"text": "ilk", "warning": ""}
    while True:
        pass


def grow(data: bytes) -> Iterator[dict[str, str]]:
    yield {"text": str(len(bytearray(2_000_000_000))), "warning": ""}


def die(data: bytes) -> Iterator[dict[str, str]]:
    yield {"text": "ilk", "warning": ""}
    os._exit(3)


def fail(data: bytes) -> Iterator[dict[str, str]]:
    yield {"text": "ilk", "warning": ""}
    raise KeyError("GİZLİ METİN")


def flood(data: bytes) -> Iterator[dict[str, str]]:
    while True:
        yield {"text": "x" * 1_000_000, "warning": ""}


def inside(data: bytes) -> Iterator[dict[str, str]]:
    heavy = [name for name in ("numpy", "docrag.api", "requests") if name in sys.modules]
    yield {"text": ",".join(heavy), "warning": os.environ.get("DOCRAG_SECRET", "")}


def refuse(data: bytes, **options: object) -> Iterator[dict[str, str]]:
    yield {"refused": "damaged"}


def perish(data: bytes, **options: object) -> Iterator[dict[str, str]]:
    os._exit(3)
    yield {}


def hang(data: bytes, *, first: int, **options: object) -> Iterator[dict[str, str]]:
    for number in range(first, 5):
        if number == 2:
            time.sleep(60)
        yield {"number": str(number), "of": "4", "text": "pdfium", "warning": ""}


def garble(data: bytes) -> Iterator[object]:
    yield json.loads(data)


def linger(data: bytes) -> Iterator[dict[str, str]]:
    """Leave a process of a session of its own, and tell its number; none if it may not start."""
    try:
        left = os.fork()
    except BlockingIOError:
        left = -1
    if left == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    yield {"text": str(left) if left > 0 else "", "warning": ""}


def descriptors(data: bytes) -> Iterator[dict[str, str]]:
    names = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    ends = [os.readlink(name) for name in names if os.path.lexists(name)]
    yield {"text": str(sum(end.startswith("pipe:") for end in ends)), "warning": ""}
