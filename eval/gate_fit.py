"""A small monotone logistic regression, and what it says of questions that it was not fitted on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: Signs that speak against an answer; all others speak for one.
AGAINST: Final = frozenset({"names_missing", "numbers_missing", "rarest_missing", "unit_missing"})
#: Ridge, in units of one question's weight: 3 to 30 do the same.
RIDGE: Final = 5.0
#: Parts that cross-validation makes, and the seeds of the partings whose mean is taken.
FOLDS, SEEDS = 8, (0, 1, 2)
_STEPS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """Signs of questions, and whether their passages answer them."""

    names: tuple[str, ...]
    #: Shape ``(questions, names)``.
    signs: Floats
    answered: Flags
    #: What is never in two parts of a cross-validation, such as the article of a question.
    groups: tuple[str, ...]
    #: True for questions that are fitted on; the others are only judged.
    is_clear: Flags
    #: True for questions as they were asked, by which the point is chosen.
    is_plain: Flags
    #: True for questions that are answered whatever the model says.
    is_whole: Flags

    def only(self, names: Sequence[str]) -> Cases:
        """The same with only these signs."""
        places = [self.names.index(name) for name in names]
        return Cases(
            names=tuple(names),
            signs=self.signs[:, places],
            answered=self.answered,
            groups=self.groups,
            is_clear=self.is_clear,
            is_plain=self.is_plain,
            is_whole=self.is_whole,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Weights of a logistic regression."""

    bias: float
    #: Weight and usual value (mean over both classes alike) of each sign.
    signs: Mapping[str, tuple[float, float]]

    def probability(self, cases: Cases) -> Floats:
        """One a question, 0 to 1."""
        total = np.full(len(cases.answered), self.bias)
        for name, (weight, usual) in self.signs.items():
            total += weight * (cases.signs[:, cases.names.index(name)] - usual)
        return np.asarray(1 / (1 + np.exp(-total)), dtype=np.float64)

    def moved(self, point: float) -> Model:
        """The same order of questions, with this probability now at one half."""
        return Model(bias=self.bias - math.log(point / (1 - point)), signs=self.signs)


def monotone(cases: Cases) -> tuple[str, ...]:
    """The signs whose weights all have the sign that they should have.

    Of those that do not, the worst is left out until all do.
    """
    names = list(cases.names)
    while names:
        model = fitted(cases.only(names))
        spread = cases.signs[cases.is_clear].std(axis=0)
        wrong = {
            name: weight * spread[cases.names.index(name)] * (-1 if name in AGAINST else 1)
            for name, (weight, _) in model.signs.items()
        }
        worst = min(wrong, key=lambda name: wrong[name])
        if wrong[worst] > 0:
            break
        names.remove(worst)
    return tuple(names)


def fitted(cases: Cases, among: Flags | None = None) -> Model:
    """The model of the clear questions; both classes weigh the same.

    :param among: only these questions.
    """
    used = cases.is_clear if among is None else cases.is_clear & among
    signs, answered = cases.signs[used], cases.answered[used]
    weights = np.where(answered, 0.5 / answered.sum(), 0.5 / (~answered).sum()) * len(answered)
    usual = np.average(signs, axis=0, weights=weights)
    spread = signs.std(axis=0) + 1e-9
    solved = _newton((signs - usual) / spread, answered, weights)
    slopes = solved[:-1] / spread
    return Model(
        bias=float(solved[-1]),
        signs={
            name: (float(weight), float(mean))
            for name, weight, mean in zip(cases.names, slopes, usual, strict=True)
        },
    )


def cross_validated(cases: Cases) -> Floats:
    """Probability of each question by models that know nothing of its group, 1 for whole ones."""
    groups = sorted(set(cases.groups))
    found = np.zeros(len(cases.answered))
    for seed in SEEDS:
        order = np.random.default_rng(seed).permutation(len(groups))
        fold = {group: order[place] % FOLDS for place, group in enumerate(groups)}
        parts = np.array([fold[group] for group in cases.groups])
        for part in range(FOLDS):
            model = fitted(cases, parts != part)
            found[parts == part] += model.probability(cases)[parts == part] / len(SEEDS)
    return np.where(cases.is_whole, 1.0, found)


def auroc(found: Floats, answered: Flags) -> float:
    """Chance that an answered question has more evidence than another one; ties count half."""
    _, places, counts = np.unique(found, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    ours, others = answered.sum(), (~answered).sum()
    return float((ranks[answered].sum() - ours * (ours + 1) / 2) / (ours * others))


def _newton(signs: Floats, answered: Flags, weights: Floats) -> Floats:
    """Weights and, last, bias that make the penalised likelihood greatest (Newton's method)."""
    rows = np.hstack([signs, np.ones((len(signs), 1))])
    ridge = np.diag([RIDGE] * signs.shape[1] + [1e-6])
    solved = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ solved))
        slope = rows.T @ (weights * (answered - chance)) - ridge @ solved
        curve = (rows * (weights * chance * (1 - chance))[:, np.newaxis]).T @ rows + ridge
        step = np.linalg.solve(curve, slope)
        solved = solved + step
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 - far below what is printed
            break
    return solved
