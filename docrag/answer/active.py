"""The retriever of the space that is searched, whichever that is at the moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from docrag.api import Access, Retriever, ScoredChunk
from docrag.store.publishing import SpaceChanged
from docrag.store.records import Space

#: Tries of one question: spaces are switched by hand, so that only a script does it this often
#: while one question is embedded and searched.
TRIES: Final = 10


class ActiveRetriever:
    """Follows the active space without a restart, and without asking for it each time. Thread-safe.

    Each space has a retriever of its own, with the embedder that made its vectors. Which space is
    active is asked once; from then on a search that meets another one, by its own snapshot, asks
    again, embeds the question for that one and searches anew.
    """

    def __init__(
        self, *, active: Callable[[], Space | None], build: Callable[[Space | None], Retriever]
    ) -> None:
        """Keep what tells and makes; nothing is asked yet.

        :param active: tells the active space.
        :param build: makes the retriever of a space; it raises ``SpaceChanged`` when another one is
            active. ``None`` stands for a store without a space.
        """
        self._active = active
        self._build = build
        self._lock = threading.Lock()
        self._retriever: Retriever | None = None

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first.

        :raises EmbedderError: none is configured for the active space, or it failed.
        :raises SpaceChanged: spaces are switched all the time.
        """
        for _ in range(TRIES - 1):
            retriever = self._current()
            try:
                return retriever.retrieve(query, access=access, k=k)
            except SpaceChanged:
                self._forget(retriever)
        return self._current().retrieve(query, access=access, k=k)

    def _current(self) -> Retriever:
        with self._lock:
            if self._retriever is None:
                self._retriever = self._build(self._active())
            return self._retriever

    def _forget(self, retriever: Retriever) -> None:
        """Ask anew, unless another thread has done so since."""
        with self._lock:
            if self._retriever is retriever:
                self._retriever = None
