"""What passages have of a question in the words of documents, where people say it otherwise.

"Patron" stands in no law; "işveren" does. A word that a passage lacks counts by its other names
(:func:`docrag.api.other_names`), as surely as these say the same, and as much as itself: how rare
the other name is tells nothing of what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.api import other_names

Scores = npt.NDArray[np.float64]

#: Words of a question that are looked for by other names, those that tell most; a pasted text has
#: hundreds.
MOST: Final = 24
#: Letters of a word by which it is known in a passage; a shorter one is a whole word.
_PREFIX, _STEM = 5, 4
_BLANK: Final = " "


class Everyday:
    """The words of a question that have other names. Immutable, so thread-safe."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Look up the words.

        :param weights: folded words of the question with the idf of each.
        """
        known = {word: names for word in weights if (names := other_names(word))}
        heavy = sorted(known, key=lambda word: -weights[word])[:MOST]
        places: dict[str, int] = {}
        #: Of each word its own place among the beginnings, its weight, and its names' places.
        self._words = [
            (
                places.setdefault(_beginning(word), len(places)),
                weights[word],
                [(places.setdefault(name, len(places)), sure) for name, sure in known[word]],
            )
            for word in heavy
        ]
        #: Beginnings of folded words that :meth:`worth` wants to know of, each once; one that ends
        #: in a blank is a whole word.
        self.beginnings: Final = tuple(places)

    def worth(self, held: Scores) -> Scores:
        """Sum of what the words are worth that are not there themselves but by another name.

        :param held: how much of each of :attr:`beginnings` every unit has, 0 for none, shape
            ``(units, beginnings)``.
        :returns: shape ``(units,)``; 0 where every word is there itself or by no name.
        """
        total = np.zeros(len(held))
        for own, weight, names in self._words:
            best = np.max([held[:, place] * sure for place, sure in names], axis=0)
            total += np.where(held[:, own] > 0, 0.0, weight * best)
        return total


def _beginning(word: str) -> str:
    return word[:_PREFIX] if len(word) >= _STEM else word + _BLANK
