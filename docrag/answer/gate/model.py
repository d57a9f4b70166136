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


#: Fitted by ``make eval-gate``: text and small on 966 answered and 932 unanswered questions of
#: TQuAD's training part, law on 220 and 154 over eleven laws and regulations
#: (``eval/law_train.jsonl``); both classes weigh the same, what had the wrong sign is left out.
#: With cosines of multilingual-e5-small, or without.
_MODELS: Final[Mapping[tuple[Kind, bool], _Model]] = {
    ("text", True): _Model(
        bias=-1.10,
        signs={
            "cover_lines": (0.55, 0.626),
            "rarest_missing": (-0.17, 0.622),
            "names_missing": (-1.85, 0.229),
            "numbers_missing": (-1.33, 0.028),
            "unit_missing": (-2.51, 0.003),
            "lead": (9.54, 0.132),
            "neighbours": (20.26, 0.018),
            "one_document": (1.88, 0.455),
            "cosine": (34.86, 0.864),
            "best_sentence": (0.81, -1.620),
        },
    ),
    ("text", False): _Model(
        bias=-0.70,
        signs={
            "cover_lines": (1.22, 0.626),
            "names_missing": (-2.11, 0.229),
            "numbers_missing": (-1.29, 0.028),
            "unit_missing": (-2.51, 0.003),
            "match": (1.21, 0.310),
            "lead": (10.10, 0.132),
            "neighbours": (36.73, 0.018),
            "one_document": (2.40, 0.455),
            "best_sentence": (0.74, -1.620),
        },
    ),
    ("small", True): _Model(
        bias=-0.62,
        signs={
            "plain_first": (3.51, 0.697),
            "plain_lines": (3.14, 0.654),
            "names_missing": (-2.26, 0.229),
            "numbers_missing": (-1.07, 0.028),
            "unit_missing": (-3.35, 0.003),
            "cosine": (38.59, 0.864),
        },
    ),
    ("small", False): _Model(
        bias=-0.56,
        signs={
            "plain_first": (4.39, 0.697),
            "plain_lines": (3.79, 0.654),
            "names_missing": (-2.87, 0.229),
            "numbers_missing": (-1.11, 0.028),
            "unit_missing": (-3.59, 0.003),
        },
    ),
    ("law", True): _Model(
        bias=-0.42,
        signs={
            "cover_best": (3.56, 0.632),
            "unit_missing": (-2.74, 0.028),
            "cosine": (30.91, 0.867),
            "best_sentence": (0.63, -0.938),
        },
    ),
    ("law", False): _Model(
        bias=-0.07,
        signs={
            "cover_best": (4.82, 0.632),
            "unit_missing": (-2.55, 0.028),
            "best_sentence": (0.65, -0.938),
        },
    ),
}
