"""Evidence from signs: a logistic regression, whose weights say what each sign is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

#: Evidence that is enough where nothing else is set: the models are made so that it is their point.
ENOUGH: Final = 0.5
#: Model whose cosines the weights are for, whatever its precision; every model has its own scale.
MODEL_ID: Final = "multilingual-e5-small"
#: Passages of text; those of laws and regulations, which are asked in other words than they have;
#: those of a corpus so small that no word in it is rare and no chunk stands out.
Kind: TypeAlias = Literal["text", "law", "small"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """Weights of one kind of passages."""

    bias: float
    #: Weight and usual value of each sign; a sign that is not known has its usual value.
    signs: Mapping[str, tuple[float, float]]

    def probability(self, values: Mapping[str, float]) -> float:
        """0 to 1."""
        known = (
            weight * (values[name] - usual)
            for name, (weight, usual) in self.signs.items()
            if name in values
        )
        return 1 / (1 + math.exp(-(self.bias + sum(known))))


def probability(kind: Kind, values: Mapping[str, float]) -> float:
    """How sure it is that passages with these signs answer the question, 0 to 1.

    :param kind: of the passages.
    :param values: by name; without ``cosine``, the weights are those of a search by words.
    """
    return _MODELS[kind, "cosine" in values].probability(values)


#: Fitted by ``make eval-gate``: text and small on 958 answered and 936 unanswered questions of
#: TQuAD's training part, law on 49 and 40 over nine laws (``eval/law_train.jsonl``); both classes
#: weigh the same, what had the wrong sign is left out. With cosines of multilingual-e5-small, or
#: without.
_MODELS: Final[Mapping[tuple[Kind, bool], _Model]] = {
    ("text", True): _Model(
        bias=-0.61,
        signs={
            "cover_lines": (2.79, 0.617),
            "names_missing": (-1.71, 0.229),
            "numbers_missing": (-1.47, 0.027),
            "unit_missing": (-2.51, 0.003),
            "lead": (13.46, 0.131),
            "neighbours": (22.37, 0.018),
            "one_document": (2.91, 0.449),
            "cosine": (30.67, 0.864),
        },
    ),
    ("text", False): _Model(
        bias=-0.27,
        signs={
            "cover_lines": (3.22, 0.617),
            "names_missing": (-1.96, 0.229),
            "numbers_missing": (-1.37, 0.027),
            "unit_missing": (-2.57, 0.003),
            "lead": (14.23, 0.131),
            "neighbours": (40.89, 0.018),
            "one_document": (3.35, 0.449),
        },
    ),
    ("small", True): _Model(
        bias=-0.54,
        signs={
            "plain_first": (3.43, 0.691),
            "plain_lines": (3.20, 0.644),
            "names_missing": (-2.40, 0.229),
            "numbers_missing": (-1.68, 0.027),
            "unit_missing": (-3.40, 0.003),
            "cosine": (40.18, 0.864),
        },
    ),
    ("small", False): _Model(
        bias=-0.50,
        signs={
            "plain_first": (4.20, 0.691),
            "plain_lines": (4.02, 0.644),
            "names_missing": (-3.07, 0.229),
            "numbers_missing": (-1.59, 0.027),
            "unit_missing": (-3.66, 0.003),
        },
    ),
    ("law", True): _Model(
        bias=-0.30,
        signs={
            "cover_best": (2.90, 0.484),
            "unit_missing": (-2.79, 0.062),
            "cosine": (39.16, 0.854),
        },
    ),
    ("law", False): _Model(
        bias=-0.28,
        signs={
            "cover_best": (4.24, 0.484),
            "unit_missing": (-2.20, 0.062),
        },
    ),
}
