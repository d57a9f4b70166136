"""Logistic regression of a few dozen features, fitted by Newton's method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

#: Numbers of any shape.
Floats = npt.NDArray[np.float64]
#: Penalty on the square of each weight, or of what parts it from that of the model it stays near,
#: for features of mean 0 and deviation 1.
PENALTY: Final = 3.0
#: The same for a model near another one, which has few questions: those of laws. Of 15, 30 and 50,
#: by three partings of the training questions on laws.
NEAR_PENALTY: Final = 15.0
#: The same on features that only laws have.
LAW_PENALTY: Final = 60.0
#: Newton steps; it converges in about ten.
_STEPS: Final = 60
_SMALLEST_STEP: Final = 1e-6
#: Times that a step which makes things worse is halved.
_HALVINGS: Final = 12
#: Log odds beyond which a probability is 0 or 1.
_SURE: Final = 30.0
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
    #: Text or document that each is of: one is never both learnt from and judged.
    groups: npt.NDArray[np.int64]
    #: False for those whose label is doubtful: they are judged and not learnt from.
    is_clear: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        rows: Sequence[dict[str, float]],
        labels: Sequence[float],
        groups: Sequence[int],
        is_clear: Sequence[bool] | None = None,
    ) -> Self:
        """Examples out of named features; one that is not told is 0."""
        names = tuple(sorted({name for row in rows for name in row}))
        features = np.array([[row.get(name, 0.0) for name in names] for row in rows])
        return cls(
            names=names,
            features=features,
            labels=np.array(labels, dtype=float),
            groups=np.array(groups),
            is_clear=np.array([True] * len(labels) if is_clear is None else is_clear, dtype=bool),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Log odds are the bias and the sum of weighted features."""

    bias: float
    weights: dict[str, float]

    def odds(self, features: Mapping[str, float]) -> float:
        """Log odds of one example; a feature without a weight tells nothing."""
        return self.bias + sum(
            self.weights.get(name, 0.0) * value for name, value in features.items()
        )


def fitted(examples: Examples, near: Model | None = None) -> Model:
    """The model of all examples, with weights for the features as they are.

    :param near: a model of other examples; what these do not tell stays as it is there.
    """
    bias, weights = _fit(examples, examples.is_clear, near)
    named = zip(examples.names, weights, strict=True)
    return Model(
        bias=round(float(bias), _DIGITS),
        weights={name: round(float(weight), _DIGITS) for name, weight in named},
    )


def crossed(examples: Examples, folds: int, seed: int, near: Model | None = None) -> Floats:
    """Log odds of each example by a model that has not seen its group."""
    unique = np.unique(examples.groups)
    fold = np.random.default_rng(seed).permutation(len(unique)) % folds
    own = fold[np.searchsorted(unique, examples.groups)]
    found = np.zeros(len(examples.labels))
    for number in range(folds):
        bias, weights = _fit(examples, (own != number) & examples.is_clear, near)
        found[own == number] = bias + examples.features[own == number] @ weights
    return found


def _fit(
    examples: Examples, chosen: npt.NDArray[np.bool_], near: Model | None
) -> tuple[float, Floats]:
    """Newton's method with a ridge around the weights of another model, or around 0."""
    features, labels = examples.features[chosen], examples.labels[chosen]
    mean, deviation = features.mean(0), features.std(0)
    deviation[deviation == 0] = 1.0
    scaled = np.c_[(features - mean) / deviation, np.ones(len(labels))]
    own = [_penalty(name, near) for name in examples.names]
    ridge = np.array([*own, 0.0])
    middle = np.array([*_weights(examples, near) * deviation, 0.0])

    def loss(theta: Floats) -> float:
        odds = scaled @ theta
        fits = np.logaddexp(0, odds) - labels * odds
        return float(fits.sum() + 0.5 * (ridge * (theta - middle) ** 2).sum())

    theta = middle.copy()
    theta[-1] = np.log((labels.sum() + 1) / (len(labels) + 1))
    before = loss(theta)
    for _ in range(_STEPS):
        chance = _probability(scaled @ theta)
        slope = scaled.T @ (chance - labels) + ridge * (theta - middle)
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        tries = (theta - step / 2**times for times in range(_HALVINGS))
        theta = next((tried for tried in tries if loss(tried) <= before), theta)
        if np.abs(step).max() < _SMALLEST_STEP or loss(theta) >= before:
            break
        before = loss(theta)
    weights = theta[:-1] / deviation
    return float(theta[-1] - mean @ weights), weights


def _penalty(name: str, near: Model | None) -> float:
    if near is None:
        return PENALTY
    return LAW_PENALTY if name.startswith("law_") else NEAR_PENALTY


def _weights(examples: Examples, near: Model | None) -> Floats:
    known = near.weights if near else {}
    return np.array([known.get(name, 0.0) for name in examples.names])


def _probability(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -_SURE, _SURE))), dtype=np.float64)
