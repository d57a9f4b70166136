"""BM25, the formula that every lexical field is scored with.

Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3:
with ``k1 + 1`` in the numerator and, other than there, ``ln(1 + …)`` for an idf that is never
negative. Every occurrence of a term in the question counts. The database computes the same formula
in SQL (``docrag/store/hybrid.py``).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

#: Saturation of repeated terms and weight of length, measured best on Turkish (TQuAD).
K1, B = 0.9, 0.5

#: Counts or weights of any shape.
Floats = npt.NDArray[np.float64]


def idf(n_units: float, frequency: float) -> float:
    """Weight of a term that stands in ``frequency`` of ``n_units`` units; above 0."""
    return math.log1p((n_units - frequency + 0.5) / (frequency + 0.5))


def saturation(tf: Floats, lengths: Floats, average_length: float) -> Floats:
    """What repeats of a term are worth: 0 for none, towards ``k1 + 1`` for many.

    :param tf: occurrences, shape ``(units, …)``.
    :param lengths: lengths of the units in terms, broadcast to ``tf``.
    :param average_length: mean length of all units; 0 takes every unit as average.
    :returns: the same shape as ``tf``.
    """
    relative = lengths / average_length if average_length > 0 else np.ones_like(lengths)
    return tf * (K1 + 1) / (tf + K1 * (1 - B + B * relative))
