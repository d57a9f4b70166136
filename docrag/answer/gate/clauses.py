"""The clauses of a long question, of which often one asks and another tells what happened."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.answer.gate.weighing import AskedWords, Figures
from docrag.answer.subject import sought_words

#: What stands between clauses.
_BETWEEN: Final = re.compile(r"[;,:.?!]")
#: Fewest words of a clause that say what it is about: a shorter one is found anywhere.
_FEWEST: Final = 2


def cover_clauses(question: str, asked: AskedWords, sources: Figures) -> float:
    """Mean of the share of the words that the best source holds, of the question and of a clause.

    "Bir arkadaşımız forkliftin altında kaldı, bunu kaç gün içinde bildirmeliyiz?": what a law says
    of the second clause answers the question, and it has no word of the first.

    :param asked: the words of the question.
    :param sources: how surely each source holds each of them, shape ``(sources, words)``.
    :returns: 0 to 1; of a question of one clause, the share of the question.
    """
    whole = float(asked.share(sources).max())
    clauses = _clauses(question, asked)
    shares = [float((sources @ own).max() / own.sum()) for own in clauses]
    return (whole + max(shares)) / 2 if len(shares) > 1 else whole


def _clauses(question: str, asked: AskedWords) -> list[Figures]:
    """The weights of the words of each clause, 0 for other words."""
    parts = [frozenset(sought_words(part)) for part in _BETWEEN.split(question)]
    masks: list[npt.NDArray[np.bool_]] = [
        np.array([word in part for word in asked.words]) for part in parts if len(part) >= _FEWEST
    ]
    return [asked.weights * mask for mask in masks if mask.any()]
