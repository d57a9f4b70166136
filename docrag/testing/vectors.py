"""Deterministic vectors for fakes: equal words are near, nothing else is known."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np

from docrag.api import Vectors, f5


def hashed(text: str, dim: int) -> list[float]:
    """A vector of length 1 from the hashed terms of a text; the first unit vector for no words."""
    counts = [0.0] * dim
    for term in f5(text):
        code = zlib.crc32(term.encode("utf-8", "replace"))
        counts[(code >> 1) % dim] += 1.0 if code & 1 else -1.0
    length = math.sqrt(sum(count * count for count in counts))
    if length == 0.0:
        return [1.0] + [0.0] * (dim - 1)
    return [count / length for count in counts]


def vector(text: str, dim: int) -> Vectors:
    """The same as a float32 array of shape ``(dim,)``."""
    return np.array(hashed(text, dim), dtype=np.float32)


class CountingEmbedder:
    """An embedder of hashed words that counts its calls; enough for tests of retrievers."""

    model_id = "counting"

    def __init__(self, *, dim: int = 64) -> None:
        self.dim = dim
        #: How often anything was embedded.
        self.calls = 0

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts, float32 ``(len(texts), dim)``."""
        self.calls += 1
        rows = [hashed(text, self.dim) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dim)

    def embed_query(self, text: str) -> Vectors:
        """The vector of one text, float32 ``(dim,)``."""
        self.calls += 1
        return vector(text, self.dim)
