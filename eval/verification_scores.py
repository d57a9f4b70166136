"""Measures of a detector of wrong sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def precision(found: int, alarms: int) -> float:
    """Share of the wrong ones among those that were found; 1 where none was found.

    :param found: wrong sentences that were found.
    :param alarms: as many right ones' false alarms.
    """
    return found / (found + alarms) if found + alarms else 1.0


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often a right sentence scores above a wrong one, ties counted half.

    The area under the ROC curve as a rank statistic (Hanley and McNeil, 1982, "The meaning and use
    of the area under a receiver operating characteristic curve", Radiology 143). Of at least one
    score each.
    """
    ordered = np.sort(np.asarray(right, dtype=np.float64))
    below = np.searchsorted(ordered, wrong, side="left")
    upto = np.searchsorted(ordered, wrong, side="right")
    above = len(ordered) - upto + (upto - below) / 2
    return float(above.mean() / len(ordered))
