"""Pictures of PDF pages for text recognition, each drawn in a child process of its own."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from docrag.loaders.sandbox import Sandbox

#: Most memory of the child, MiB: an A3 page scanned in colour at 600 dots an inch takes 340.
MOST_MEMORY = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One page as a picture."""

    #: Physical page, from 1.
    number: int
    #: Gray, at most 20 million pixels.
    png: bytes
    #: Dots an inch: the scan's own, never more.
    dpi: int


class Raster:
    """Draws pages with pdfium; safe to use from many threads, each page in its own process."""

    def __init__(self, *, timeout: float, memory_limit: int) -> None:
        """Build without drawing anything.

        :param timeout: seconds that one page may take.
        :param memory_limit: address space of the child process, MiB; at most `MOST_MEMORY` is used.
        """
        self._timeout = timeout
        self._memory_limit = min(memory_limit, MOST_MEMORY)

    def page(self, data: bytes, number: int, *, filename: str) -> Picture:
        """The picture of one page.

        :param data: the whole PDF; one with a password cannot be drawn.
        :param number: physical page, from 1.
        :raises LoaderError: it cannot be drawn or ran over a limit; others may do.
        """
        sandbox = Sandbox(
            reader="docrag.loaders.rendering:read",
            timeout=self._timeout,
            memory_limit=self._memory_limit,
            options={"number": number},
        )
        record = list(sandbox.run(data, filename=filename))[0]
        return Picture(number=number, png=base64.b64decode(record["png"]), dpi=int(record["dpi"]))
