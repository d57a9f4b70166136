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
#: TQuAD's training part, law on 234 and 154 over eleven laws and regulations
#: (``eval/law_train.jsonl``); both classes weigh the same, what had the wrong sign is left out.
#: With cosines of multilingual-e5-small, or without.
_MODELS: Final[Mapping[tuple[Kind, bool], _Model]] = {
    ("text", True): _Model(
        bias=-1.15,
        signs={
            "cover_lines": (0.76, 0.626),
            "names_missing": (-1.92, 0.229),
            "numbers_missing": (-1.48, 0.028),
            "unit_missing": (-2.42, 0.003),
            "lead": (9.96, 0.130),
            "neighbours": (19.21, 0.018),
            "one_document": (1.98, 0.454),
            "cosine": (33.42, 0.864),
            "best_sentence": (0.78, -1.622),
        },
    ),
    ("text", False): _Model(
        bias=-0.68,
        signs={
            "cover_lines": (1.19, 0.626),
            "names_missing": (-2.15, 0.229),
            "numbers_missing": (-1.35, 0.028),
            "unit_missing": (-2.39, 0.003),
            "match": (1.23, 0.310),
            "lead": (10.62, 0.130),
            "neighbours": (35.24, 0.018),
            "one_document": (2.49, 0.454),
            "best_sentence": (0.71, -1.622),
        },
    ),
    ("small", True): _Model(
        bias=-0.60,
        signs={
            "plain_first": (3.50, 0.700),
            "plain_lines": (3.14, 0.656),
            "names_missing": (-2.25, 0.229),
            "numbers_missing": (-1.20, 0.028),
            "unit_missing": (-3.26, 0.003),
            "cosine": (38.44, 0.864),
        },
    ),
    ("small", False): _Model(
        bias=-0.55,
        signs={
            "plain_first": (4.36, 0.700),
            "plain_lines": (3.85, 0.656),
            "names_missing": (-2.87, 0.229),
            "numbers_missing": (-1.23, 0.028),
            "unit_missing": (-3.47, 0.003),
        },
    ),
    ("law", True): _Model(
        bias=-0.56,
        signs={
            "cover_clauses": (5.13, 0.680),
            "unit_missing": (-2.49, 0.028),
            "cosine": (23.69, 0.866),
            "best_sentence": (0.52, -0.911),
        },
    ),
    ("law", False): _Model(
        bias=-0.34,
        signs={
            "cover_clauses": (6.23, 0.680),
            "unit_missing": (-2.29, 0.028),
            "best_sentence": (0.53, -0.911),
        },
    ),
}
