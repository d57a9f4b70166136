"""What is known of each page of a file while it is read, kept so that a killed run goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrag.api import Checkpoint

#: Seconds of reading that are worth a database transaction, which takes a few milliseconds: pages
#: of text are read again sooner than they could be kept.
WORTH = 0.25


class PageRecords:
    """Records of a file's pages by number; a later one of a page takes the place of the earlier.

    A record has a page's ``number`` and ``text``, and what the readers tell besides. First come all
    pages in order, then better readings of some of them, so that those of a killed run are enough
    to go on. For one file and one thread.
    """

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        """Begin with what earlier runs have kept.

        :param checkpoint: ``None`` keeps nothing.
        """
        self._checkpoint = checkpoint
        self._waiting: list[dict[str, str]] = []
        self._since = time.monotonic()
        self._pages: dict[int, dict[str, str]] = {}
        for record in checkpoint.records() if checkpoint else ():
            self._pages[int(record["number"])] = record

    def __len__(self) -> int:
        """Number of pages that were read."""
        return len(self._pages)

    def pages(self) -> list[dict[str, str]]:
        """The last record of each page, in order."""
        return [self._pages[number] for number in sorted(self._pages)]

    def add(self, record: dict[str, str]) -> None:
        """Take a record; it is kept with the next step."""
        self._pages[int(record["number"])] = record
        self._waiting.append(record)
        self.keep_if_worth()

    def keep_if_worth(self) -> None:
        """Keep what is not kept yet, if it took its time."""
        if time.monotonic() - self._since >= WORTH:
            self.keep()

    def keep(self) -> None:
        """Keep now what is not kept yet."""
        if self._checkpoint and self._waiting:
            self._checkpoint.keep(self._waiting)
        self._waiting = []
        self._since = time.monotonic()
