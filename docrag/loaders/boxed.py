"""Office files and web pages under limits: each is read in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass

from docrag.api import LoaderError, Page
from docrag.loaders.records import REFUSED, page_of
from docrag.loaders.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxed:
    """A reader in the child process with its limits; safe to use from many threads."""

    #: The function that gives the pages' records, ``package.module:function``.
    reader: str
    #: Seconds that one file may take.
    timeout: float
    #: Address space of the child process, MiB.
    memory_limit: int

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """The pages in reading order.

        :raises LoaderError: the file was refused, or ran over a limit.
        """
        if not data:
            raise LoaderError(f"{filename!r}{REFUSED}the file is empty")
        box = Sandbox(reader=self.reader, timeout=self.timeout, memory_limit=self.memory_limit)
        return [page_of(record) for record in box.run(data, filename=filename)]
