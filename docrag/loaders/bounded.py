"""Text files under limits: short ones are read at once, long ones in a process of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from docrag.api import Page
from docrag.loaders.records import page_of
from docrag.loaders.sandbox import Sandbox

#: Bytes up to which a file is read in this process: the worst of that size takes about a second,
#: and the start of a process half of one.
SHORT: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A way of reading text files with its limits; safe to use from many threads."""

    #: Gives the pages of a file, here and now.
    read: Callable[..., list[Page]]
    #: The same for the child process, ``package.module:function``.
    reader: str
    #: Seconds that one file may take.
    timeout: float
    #: Address space of the child process, MiB.
    memory_limit: int

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """The pages, none of which has a number.

        :raises LoaderError: the file was refused, or ran over a limit.
        """
        if len(data) <= SHORT:
            return self.read(data, filename=filename)
        box = Sandbox(reader=self.reader, timeout=self.timeout, memory_limit=self.memory_limit)
        return [page_of(record) for record in box.run(data, filename=filename)]
