"""An embedder that remembers its vectors on disk, so that a benchmark embeds a corpus once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from docrag.api import Embedder, Vectors

#: Texts given to the embedder at a time; after each batch the vectors are on disk.
BATCH = 8
#: Receives texts done and texts in all.
Progress = Callable[[int, int], None]


class CachedEmbedder:
    """Vectors of another embedder, kept in one SQLite file. For one thread and one process.

    A vector is found again by the model's name and the SHA-256 of its text, so that a file serves
    every benchmark, and a text that was changed is embedded anew.
    """

    def __init__(self, embedder: Embedder, path: Path, *, progress: Progress | None = None) -> None:
        """Open or make the file.

        :param progress: called as texts without a vector are embedded.
        """
        self._embedder = embedder
        self._path = path
        self._progress = progress
        self.model_id = embedder.model_id
        self.dim = embedder.dim
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection, connection:
            connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, e BLOB)")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32 ``(len(texts), dim)``, rows of length 1, in input order."""
        found = self._known("passage", texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            found |= self._keep("passage", batch, self._embedder.embed_documents(batch))
            if self._progress is not None:
                self._progress(start + len(batch), len(missing))
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.stack([found[text] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, float32 ``(dim,)``, length 1."""
        found = self._known("query", [text])
        if text not in found:
            found = self._keep("query", [text], self._embedder.embed_query(text)[np.newaxis])
        return found[text]

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)

    def _key(self, kind: str, text: str) -> bytes:
        return hashlib.sha256(f"{self.model_id}\n{kind}\n{text}".encode()).digest()

    def _known(self, kind: str, texts: Iterable[str]) -> dict[str, Vectors]:
        """Vectors that are on disk, by text."""
        found: dict[str, Vectors] = {}
        with closing(self._connect()) as connection:
            for text in texts:
                query = "SELECT e FROM vectors WHERE key = ?"
                row = connection.execute(query, (self._key(kind, text),)).fetchone()
                if row is not None:
                    found[text] = np.frombuffer(row[0], dtype=np.float32)
        return found

    def _keep(self, kind: str, texts: Sequence[str], vectors: Vectors) -> dict[str, Vectors]:
        """The vectors by text, after writing them to disk."""
        rows = [
            (self._key(kind, text), np.ascontiguousarray(row, dtype=np.float32).tobytes())
            for text, row in zip(texts, vectors, strict=True)
        ]
        with closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        return dict(zip(texts, vectors, strict=True))
