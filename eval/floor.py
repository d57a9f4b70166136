"""BM25 over plain words, in memory: the floor that retrievers are compared with."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

#: The usual parameters, and not those that are best here.
K1, B = 1.5, 0.75
_WORD: Final = re.compile(r"\w+")
_LOWER: Final = str.maketrans({"İ": "i", "I": "ı"})


class Floor:
    """BM25 (Robertson and Zaragoza, 2009, section 3) over lower-cased words, without titles."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        bags = [Counter(_words(text)) for text in texts]
        lengths = np.array([bag.total() for bag in bags], dtype=np.float64)
        self._norms = K1 * (1 - B + B * lengths / lengths.mean())
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, bag in enumerate(bags):
            for word, count in bag.items():
                postings[word].append((number, count))
        self._scores = {word: self._worth(found) for word, found in postings.items()}

    def search(self, question: str, k: int) -> list[tuple[int, float]]:
        """Number and score of the best ``k`` texts, best first, equal ones by number."""
        total = np.zeros(len(self._norms))
        for word, repeats in Counter(_words(question)).items():
            if word in self._scores:
                numbers, scores = self._scores[word]
                total[numbers] += repeats * scores
        best = np.argsort(-total, kind="stable")[:k]
        return [(int(n), float(total[n])) for n in best if total[n] > 0]

    def _worth(
        self, found: Sequence[tuple[int, int]]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        numbers = np.array([number for number, _ in found], dtype=np.int64)
        tf = np.array([count for _, count in found], dtype=np.float64)
        df, n = len(found), len(self._norms)
        idf = math.log1p((n - df + 0.5) / (df + 0.5))
        return numbers, idf * tf * (K1 + 1) / (tf + self._norms[numbers])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.translate(_LOWER).lower())
