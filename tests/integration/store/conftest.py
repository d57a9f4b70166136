"""A small library of documents to search and to refuse."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
from sqlalchemy import Engine, text

from docrag.api import Access, Article, Chunk, Page, Vectors, f5
from docrag.store import Store
from docrag.store.records import Document, Job

#: Numbers of a vector in these tests.
DIM = 16
ADMIN = Access.of(["admin"])


def spread(words: str) -> Vectors:
    """A vector of length 1 that only this text has."""
    seed = int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    scaled: Vectors = vector / np.linalg.norm(vector)
    return scaled


def chunks_of(texts: Sequence[str]) -> list[Chunk]:
    """One chunk a text, each on a page and of an article of its own, both counted from 1."""
    return [
        Chunk(
            ordinal=n,
            text=words,
            page_first=n + 1,
            page_last=n + 1,
            article=Article(kind="madde", number=str(n + 1)),
        )
        for n, words in enumerate(texts)
    ]


class Library:
    """Puts documents into a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.engine: Engine = store._sessions.engine
        self._pool = ThreadPoolExecutor(1)

    def queue(
        self, *, roles: Collection[str] = ("ik",), data: bytes = b"dosya"
    ) -> tuple[Document, Job]:
        """Take a file in; its roles are made where they are missing."""
        known = {role.name for role in self.store.roles.list()}
        for role in sorted(set(roles) - known):
            self.store.roles.create(role)
        return self.store.documents.create(
            filename="izin.pdf",
            title="İzin",
            suffix="pdf",
            data=data,
            roles=roles,
            uploaded_by=None,
        )

    def fill(self, document_id: str, *texts: str) -> None:
        """Give a document these chunks, and make it ready."""
        space = self.store.spaces.ensure(model_id="spread", dim=DIM, chunking="one")
        self.store.documents.add(
            document_id,
            pages=[Page(number=n + 1, text=words) for n, words in enumerate(texts)],
            chunks=chunks_of(texts),
            vectors=np.stack([spread(words) for words in texts]),
            space_id=space.id,
            terms=[f5(words) for words in texts],
            warnings=[],
        )

    def shelve(self, *texts: str, roles: Collection[str] = ("ik",)) -> Document:
        """A ready document with one chunk for each text."""
        document, _ = self.queue(roles=roles, data="\n".join(texts).encode())
        self.fill(document.id, *texts)
        return self.store.documents.get(document.id, access=ADMIN)

    def in_thread(self, act: Callable[[], None]) -> Future[None]:
        """Do something at the same time."""
        return self._pool.submit(act)

    def wait_for_a_lock(self) -> None:
        """Return once somebody on this database waits for a lock."""
        waiting = text(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        for _ in range(500):
            with self.engine.connect() as connection:
                if connection.scalar(waiting):
                    return
            time.sleep(0.01)
        pytest.fail("nobody waits for a lock")

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown()


@pytest.fixture
def library(store: Store) -> Iterator[Library]:
    """Puts documents into the store of this test."""
    library = Library(store)
    yield library
    library.close()
