"""Somebody who searches all the time, and notices half a document."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from docrag.api import Access, StoreError, analysed
from docrag.embedders.hashing import HashingEmbedder
from docrag.store import Store

#: More than any document here has chunks.
ALL: Final = 30_000
_ADMIN: Final = Access.of(["admin"])


class Reader:
    """Asks for a word of the title, which stands above every chunk, and for its vector."""

    def __init__(self, store: Store, *, title: str, dim: int) -> None:
        """Nothing is asked yet.

        :param title: of the one document, which has the word as no other does.
        """
        self._store = store
        self._terms = analysed(title)
        self._vector = HashingEmbedder(dim=dim).embed_query(title)
        #: Chunks of the whole document; set it when it is known.
        self.whole = 0
        #: Chunks after the work, where they are others.
        self.other = 0
        self.searches = 0
        #: Numbers of chunks that were neither none nor all.
        self.half: list[int] = []
        self.failures: list[str] = []

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Search again and again inside the block."""
        over = threading.Event()

        def search() -> None:
            while not over.wait(0.01):
                self.look()

        thread = threading.Thread(target=search, name="reader")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def look(self) -> None:
        """One search by words, one by meaning, and a look at the pages."""
        chunks = self._store.chunks
        try:
            counts = {
                len(chunks.candidates(terms=self._terms, vector=None, access=_ADMIN, k=ALL)),
                len(chunks.candidates(terms=[], vector=self._vector, access=_ADMIN, k=ALL)),
            }
        except StoreError as exc:
            self.failures.append(str(exc))
            return
        self.searches += 2
        # While the whole is not known, it is what was found most.
        whole = (0, self.whole, self.other)
        self.half += [count for count in counts if self.whole and count not in whole]
