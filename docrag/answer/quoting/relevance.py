"""How likely each sentence of the sources holds the answer to a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.quoting.answer_kinds import wanted as asks_for
from docrag.answer.quoting.features import PLAIN_KINDS, features
from docrag.answer.quoting.fitting import fits
from docrag.answer.quoting.items import announces
from docrag.answer.quoting.matching import LOOKED_AT
from docrag.answer.quoting.persons import has_person
from docrag.answer.quoting.pieces import Piece, pieces
from docrag.answer.quoting.ranges import Amounts
from docrag.answer.quoting.relevance_weights import LAW, TEXT
from docrag.answer.quoting.rulings import Ruling
from docrag.answer.subject import content_words
from docrag.api import Citation

#: What a sentence loses that only a neighbour of the found passages holds.
_BESIDE: Final = -1.5
#: What one that introduces a list gains where several things are asked for ("neler"). Set by hand,
#: since encyclopedias have no lists.
_LISTING: Final = 2.0
#: Log odds beyond which a probability is 0 or 1.
_SURE: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSentence:
    """A sentence of a source, and how likely it holds the answer."""

    #: Number of its source.
    citation: int
    #: Place among the pieces of its source, from 0.
    position: int
    text: str
    #: 0 to 1.
    probability: float
    #: The piece itself, for whoever quotes it.
    piece: Piece
    #: True if the question means this row or clause, False if it means another one beside it.
    is_meant: bool | None = None
    #: Share of the question's other words, if it allows or denies what a yes/no question asks; less
    #: than 0 if it does so for somebody else than the question names.
    rules: float = 0.0
    #: Whether it holds something of the kind that is asked for, as a number for "kaç"; ``None``
    #: where the question does not tell.
    holds: bool | None = None


def score_sentences(question: str, context: Sequence[Citation]) -> list[ScoredSentence]:
    """Every sentence, item and row of the sources with the probability that it holds the answer.

    A logistic regression over the features of ``docrag.answer.quoting.features`` with the weights
    that ``eval/quoting.py`` has found, for articles of laws and for any other text apart. A row or
    clause for a range of amounts is likely if the question tells an amount within it, and hardly
    likely if it tells another.

    :param question: as it was searched.
    :param context: numbered sources, best first.
    :returns: in reading order, best source first; empty for no sources.
    """
    found = [pieces(citation) for citation in context]
    told = features(question, context, found)
    asked, wanted = Amounts.of(question), content_words(question)
    kinds, ruling = asks_for(question).kinds, Ruling.of(question)
    plain = kinds & PLAIN_KINDS
    meant = [fit for own in found for fit in fits(asked, wanted, own)]
    everything = [piece for own in found for piece in own]
    return [
        ScoredSentence(
            citation=piece.citation,
            position=piece.position,
            text=piece.text,
            probability=_probability(piece, row, fit.odds + _beside(piece, kinds)),
            piece=piece,
            is_meant=fit.is_meant,
            rules=ruling.share(piece.text[:LOOKED_AT], piece.section) if piece.is_body else 0.0,
            holds=_holds(piece, row, plain),
        )
        for piece, row, fit in zip(everything, told, meant, strict=True)
    ]


def _beside(piece: Piece, kinds: frozenset[str]) -> float:
    """Log odds for what no feature tells."""
    lists = "list" in kinds and piece.kind != "heading" and announces(piece.text)
    return _BESIDE * piece.is_neighbour + _LISTING * lists


def _holds(piece: Piece, row: Mapping[str, float], plain: frozenset[str]) -> bool | None:
    """Whether a piece holds something of any of these kinds; roles in small letters are persons."""
    if not plain:
        return None
    others = plain - {"person"}
    if any(f"{kind}_True" in row for kind in others):
        return True
    return others != plain and has_person(piece.text[:LOOKED_AT])


def log_odds(piece: Piece, row: Mapping[str, float]) -> float:
    """Log odds that a piece with these features holds the answer, by the weights of its kind."""
    bias, weights = LAW if piece.article else TEXT
    return bias + sum(weights.get(name, 0.0) * value for name, value in row.items())


def _probability(piece: Piece, row: Mapping[str, float], beside: float) -> float:
    odds = log_odds(piece, row) + beside
    return 1 / (1 + math.exp(-max(min(odds, _SURE), -_SURE)))
