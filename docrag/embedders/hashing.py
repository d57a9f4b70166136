"""A deterministic embedder without a model, for tests and first steps."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from docrag.api import Vectors, check_counts, f5
from docrag.embedders.rows import no_rows


class HashingEmbedder:
    """Vectors of word counts, hashed: equal words are near, meaning is not known.

    Signed feature hashing (Weinberger et al., 2009, "Feature hashing for large scale multitask
    learning", ICML) over F5 terms, with CRC-32 for hash and sign. Stateless, so thread-safe.
    """

    def __init__(self, *, dim: int = 256) -> None:
        """Choose the size of the space.

        :param dim: length of every vector, 1 or more.
        :raises SettingsError: ``dim`` is no whole number of at least 1.
        """
        check_counts(dim=dim)
        self.dim = dim
        self.model_id = f"hashing-{dim}"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts, float32 ``(len(texts), dim)``, in input order."""
        if not texts:
            return no_rows(self.dim)
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """The vector of one text, float32 ``(dim,)``; the first unit vector for no words."""
        vector = np.zeros(self.dim, dtype=np.float64)
        for term in f5(text):
            code = zlib.crc32(term.encode("utf-8", "replace"))
            vector[(code >> 1) % self.dim] += 1.0 if code & 1 else -1.0
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)
