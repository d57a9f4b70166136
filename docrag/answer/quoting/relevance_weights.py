"""Weights of the features that tell whether a sentence answers a question.

Written by ``make eval-quoting ARGS=--write``: a logistic regression over the sentences that were
found for 1620 questions, those of the train part of TQuAD and those on laws, with a penalty on
the square of the weights. Questions whose answer was not among what was found take part as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Log odds of a sentence without any feature.
BIAS: Final = -3.46
#: Log odds that a feature of 1 adds.
WEIGHTS: Final[Mapping[str, float]] = {
    "asks": -3.62,
    "before": 2.302,
    "before_grams": -0.343,
    "behind": -0.003,
    "behind_grams": 1.554,
    "date_False": -0.099,
    "date_True": 0.068,
    "density": 1.408,
    "depth": 0.136,
    "figures": 1.438,
    "first_place": 0.367,
    "first_source": -0.166,
    "grams": 3.541,
    "grams_best": 1.881,
    "heads": -0.436,
    "is_law": 0.996,
    "is_short": 0.041,
    "is_stale": -1.173,
    "law_first_source": -0.18,
    "law_rank": -2.735,
    "law_second_source": -1.398,
    "law_source": 0.473,
    "length": -4.711,
    "list_False": -0.275,
    "list_True": 0.562,
    "manner_False": -0.287,
    "manner_True": -0.297,
    "matches_with_kind": -0.753,
    "matches_without_kind": -2.803,
    "name_False": 0.189,
    "name_True": -0.312,
    "names": 0.028,
    "new": 0.879,
    "no_unit": -0.688,
    "number_False": -0.309,
    "number_True": 0.07,
    "opens": 0.202,
    "person_False": 0.536,
    "person_True": 0.215,
    "place": -0.143,
    "place_False": -0.489,
    "place_True": 0.311,
    "points": 0.054,
    "points_before": 2.189,
    "rank": -6.032,
    "reason_False": 0.161,
    "reason_True": 1.244,
    "second_before": 1.738,
    "second_behind": 0.668,
    "second_source": -0.319,
    "short_grams": -0.883,
    "short_grams_best": 0.687,
    "short_words": -0.955,
    "short_words_best": 0.963,
    "source": -1.386,
    "subject": -0.436,
    "synonyms": 5.014,
    "thing_True": 0.046,
    "title": -2.49,
    "title_fills": 5.553,
    "unit": -0.053,
    "verb": -0.319,
    "words": 4.699,
    "words_best": -0.362,
}
