"""Measures of a ranking, and their intervals.

Recall@k and the reciprocal rank as in Voorhees, 1999, "The TREC-8 Question Answering Track Report";
a question counts as answered by its best-ranked relevant chunk, and one without a relevant chunk
counts 0. Intervals are percentiles of bootstrap resamples over questions (Efron and Tibshirani,
1993, "An Introduction to the Bootstrap", chapter 13).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

#: Bootstrap resamples, and the seed that they are drawn with.
RESAMPLES: Final = 2_000
SEED: Final = 0
#: The measures, as they are called everywhere.
NAMES: Final = ("recall@1", "recall@5", "recall@10", "mrr@10")


def rank(found: Sequence[str], relevant: Collection[str]) -> int:
    """Place of the first relevant chunk, from 1; 0 if none was found."""
    return next((n for n, chunk in enumerate(found, start=1) if chunk in relevant), 0)


def value(name: str, place: int) -> float:
    """What a measure gives a question whose first relevant chunk is at this place.

    :param name: one of :data:`NAMES`.
    :param place: from 1; 0 for not found.
    """
    kind, _, depth = name.partition("@")
    if not 1 <= place <= int(depth):
        return 0.0
    return 1.0 if kind == "recall" else 1.0 / place


def interval(values: Values) -> tuple[float, float, float]:
    """Mean, and the bounds of its 95 % interval; of at least one value."""
    draw = np.random.default_rng(SEED).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[draw].mean(axis=1), [2.5, 97.5])
    return float(values.mean()), float(low), float(high)
