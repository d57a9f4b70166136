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
        bias=-1.06,
        signs={
            "cover_lines": (0.68, 0.627),
            "rarest_missing": (-0.19, 0.621),
            "names_missing": (-1.84, 0.229),
            "numbers_missing": (-1.33, 0.028),
            "unit_missing": (-2.58, 0.003),
            "lead": (9.45, 0.132),
            "neighbours": (20.15, 0.018),
            "one_document": (1.89, 0.455),
            "cosine": (34.19, 0.864),
            "best_sentence": (0.80, -1.624),
        },
    ),
    ("text", False): _Model(
        bias=-0.68,
        signs={
            "cover_lines": (1.35, 0.627),
            "names_missing": (-2.11, 0.229),
            "numbers_missing": (-1.28, 0.028),
            "unit_missing": (-2.58, 0.003),
            "match": (1.05, 0.310),
            "lead": (10.04, 0.132),
            "neighbours": (36.80, 0.018),
            "one_document": (2.40, 0.455),
            "best_sentence": (0.74, -1.624),
        },
    ),
    ("small", True): _Model(
        bias=-0.54,
        signs={
            "plain_first": (1.52, 0.697),
            "plain_lines": (1.23, 0.655),
            "names_missing": (-2.50, 0.229),
            "numbers_missing": (-1.40, 0.028),
            "unit_missing": (-3.14, 0.003),
            "cosine": (42.24, 0.864),
            "best_sentence": (0.91, -1.624),
        },
    ),
    ("small", False): _Model(
        bias=-0.16,
        signs={
            "plain_first": (2.48, 0.697),
            "plain_lines": (2.09, 0.655),
            "names_missing": (-3.16, 0.229),
            "numbers_missing": (-1.37, 0.028),
            "unit_missing": (-3.42, 0.003),
            "best_sentence": (0.85, -1.624),
        },
    ),
    ("law", True): _Model(
        bias=-0.33,
        signs={
            "cover_best": (4.05, 0.664),
            "unit_missing": (-2.49, 0.034),
            "cosine": (21.08, 0.867),
            "best_sentence": (0.66, -1.011),
        },
    ),
    ("law", False): _Model(
        bias=-0.00,
        signs={
            "cover_best": (5.05, 0.664),
            "unit_missing": (-2.37, 0.034),
            "best_sentence": (0.67, -1.011),
        },
    ),
}
