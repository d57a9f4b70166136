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
        bias=-1.10,
        signs={
            "cover_lines": (0.69, 0.627),
            "rarest_missing": (-0.19, 0.621),
            "names_missing": (-1.84, 0.229),
            "numbers_missing": (-1.33, 0.028),
            "unit_missing": (-2.69, 0.003),
            "lead": (9.72, 0.132),
            "neighbours": (19.43, 0.018),
            "one_document": (1.94, 0.455),
            "cosine": (33.91, 0.864),
            "best_sentence": (0.80, -1.638),
        },
    ),
    ("text", False): _Model(
        bias=-0.70,
        signs={
            "cover_lines": (1.33, 0.627),
            "names_missing": (-2.11, 0.229),
            "numbers_missing": (-1.29, 0.028),
            "unit_missing": (-2.67, 0.003),
            "match": (1.10, 0.310),
            "lead": (10.19, 0.132),
            "neighbours": (35.95, 0.018),
            "one_document": (2.43, 0.455),
            "best_sentence": (0.74, -1.638),
        },
    ),
    ("small", True): _Model(
        bias=-0.53,
        signs={
            "plain_first": (1.66, 0.697),
            "plain_lines": (1.26, 0.655),
            "names_missing": (-2.49, 0.229),
            "numbers_missing": (-1.39, 0.028),
            "unit_missing": (-3.29, 0.003),
            "cosine": (41.80, 0.864),
            "best_sentence": (0.88, -1.638),
        },
    ),
    ("small", False): _Model(
        bias=-0.18,
        signs={
            "plain_first": (2.58, 0.697),
            "plain_lines": (2.08, 0.655),
            "names_missing": (-3.15, 0.229),
            "numbers_missing": (-1.37, 0.028),
            "unit_missing": (-3.56, 0.003),
            "best_sentence": (0.83, -1.638),
        },
    ),
    ("law", True): _Model(
        bias=-0.62,
        signs={
            "cover_best": (3.61, 0.664),
            "unit_missing": (-2.43, 0.034),
            "cosine": (23.54, 0.867),
            "best_sentence": (0.72, -1.003),
        },
    ),
    ("law", False): _Model(
        bias=-0.68,
        signs={
            "cover_best": (4.79, 0.664),
            "unit_missing": (-2.32, 0.034),
            "best_sentence": (0.71, -1.003),
        },
    ),
}
