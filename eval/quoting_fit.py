"""Logistic regression of a few dozen features, fitted by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

#: Numbers of any shape.
Floats = npt.NDArray[np.float64]
#: Penalty on the square of each weight of features of mean 0 and deviation 1.
PENALTY: Final = 3.0
#: The same on weights of features of laws alone, which are learnt from a few dozen questions.
LAW_PENALTY: Final = 100.0
#: Newton steps; it converges in about ten.
_STEPS: Final = 60
_SMALLEST_STEP: Final = 1e-6
#: Digits of a weight that are kept.
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """What is learnt from: one row a sentence."""

    names: tuple[str, ...]
    #: Shape ``(n, len(names))``.
    features: Floats
    #: 1 for a sentence that holds the answer, else 0.
    labels: Floats
    #: How much each counts.
    weights: Floats
    #: Text or document that each is of: one is never both learnt from and judged.
    groups: npt.NDArray[np.int64]

    @classmethod
    def of(
        cls,
        rows: Sequence[dict[str, float]],
        labels: Sequence[float],
        weights: Sequence[float],
        groups: Sequence[int],
    ) -> Self:
        """Examples out of named features; one that is not told is 0."""
        names = tuple(sorted({name for row in rows for name in row}))
        features = np.array([[row.get(name, 0.0) for name in names] for row in rows])
        return cls(
            names=names,
            features=features,
            labels=np.array(labels, dtype=float),
            weights=np.array(weights, dtype=float),
            groups=np.array(groups),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Log odds are the bias and the sum of weighted features."""

    bias: float
    weights: dict[str, float]


def fitted(examples: Examples) -> Model:
    """The model of all examples, with weights for the features as they are."""
    bias, weights = _fit(examples, np.ones(len(examples.labels), dtype=bool))
    named = zip(examples.names, weights, strict=True)
    return Model(
        bias=round(float(bias), _DIGITS),
        weights={name: round(float(weight), _DIGITS) for name, weight in named},
    )


def crossed(examples: Examples, folds: int, seed: int) -> Floats:
    """Probability of each example by a model that has not seen its group."""
    unique = np.unique(examples.groups)
    fold = np.random.default_rng(seed).permutation(len(unique)) % folds
    own = fold[np.searchsorted(unique, examples.groups)]
    found = np.zeros(len(examples.labels))
    for number in range(folds):
        bias, weights = _fit(examples, own != number)
        scores = bias + examples.features[own == number] @ weights
        found[own == number] = 1 / (1 + np.exp(-scores))
    return found


def _fit(examples: Examples, chosen: npt.NDArray[np.bool_]) -> tuple[float, Floats]:
    """Iteratively reweighted least squares with a ridge, features scaled to deviation 1."""
    features, labels = examples.features[chosen], examples.labels[chosen]
    counts = examples.weights[chosen]
    mean, deviation = features.mean(0), features.std(0)
    deviation[deviation == 0] = 1.0
    scaled = np.c_[(features - mean) / deviation, np.ones(len(labels))]
    own = [LAW_PENALTY if "law" in name else PENALTY for name in examples.names]
    ridge = np.diag([*own, 0.0])
    theta = np.zeros(len(mean) + 1)
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-scaled @ theta))
        slope = scaled.T @ (counts * (odds - labels)) + ridge @ theta
        curve = (scaled * (counts * odds * (1 - odds))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curve, slope)
        theta -= step
        if np.abs(step).max() < _SMALLEST_STEP:
            break
    weights = theta[:-1] / deviation
    return float(theta[-1] - mean @ weights), weights
