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
        bias=-0.37,
        signs={
            "cover_lines": (2.49, 0.613),
            "names_missing": (-1.78, 0.232),
            "numbers_missing": (-1.60, 0.030),
            "lead": (13.61, 0.131),
            "neighbours": (23.97, 0.018),
            "one_document": (2.85, 0.449),
            "cosine": (31.05, 0.864),
        },
    ),
    ("text", False): _Model(
        bias=-0.14,
        signs={
            "cover_lines": (2.91, 0.613),
            "names_missing": (-2.02, 0.232),
            "numbers_missing": (-1.47, 0.030),
            "match": (0.15, 0.313),
            "lead": (14.33, 0.131),
            "neighbours": (42.30, 0.018),
            "one_document": (3.30, 0.449),
        },
    ),
    ("small", True): _Model(
        bias=-0.48,
        signs={
            "plain_first": (3.41, 0.692),
            "plain_lines": (2.94, 0.640),
            "names_missing": (-2.46, 0.232),
            "numbers_missing": (-1.80, 0.030),
            "cosine": (41.17, 0.864),
        },
    ),
    ("small", False): _Model(
        bias=-0.37,
        signs={
            "plain_first": (4.20, 0.692),
            "plain_lines": (3.70, 0.640),
            "names_missing": (-3.16, 0.232),
            "numbers_missing": (-1.72, 0.030),
        },
    ),
    ("law", True): _Model(
        bias=-0.12,
        signs={
            "cover_best": (3.20, 0.471),
            "rarest_missing": (-1.00, 0.902),
            "cosine": (34.71, 0.854),
        },
    ),
    ("law", False): _Model(
        bias=-0.19,
        signs={
            "cover_best": (4.68, 0.471),
            "rarest_missing": (-0.78, 0.902),
        },
    ),
}
