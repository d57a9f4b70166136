"""The second stage: every candidate scored by all fields, and the scores added.

Fields are those of the lexical search (``lexical``), of its neighbourhood (``window``), and those
that are counted in the texts (:mod:`docrag.retrievers.textfields`), all BM25; a cosine is added
with a weight, that of the question moved towards the best dense results (``feedback``), or where
there is none that of the dense search (``dense``). A sum of calibrated scores and not of ranks:
reciprocal rank fusion lost 3 points of Recall@5 on TQuAD as soon as the lexical side was strong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from docrag.api import (
    K1,
    Candidate,
    ChunkStore,
    FieldStatistics,
    Leg,
    ScoredChunk,
    WordWeights,
    analysed,
    c4,
    f5,
    fold,
    idf,
    words,
)
from docrag.retrievers.everyday import Everyday
from docrag.retrievers.letters import Letters
from docrag.retrievers.question import without_asking
from docrag.retrievers.textfields import Weighed, text_fields

Scores = npt.NDArray[np.float64]

#: What a cosine of 1 is worth where nobody has calibrated the space, in the sum of words, window,
#: grams and pairs that the question could reach at most: where its words match little, meaning
#: counts for more. Best on TQuAD's training questions, with 1.2 to 2 nearly as good.
UNCALIBRATED = 1.5
#: Decimal places that scores are compared to: sums of equal fields differ in their last bits.
PLACES = 10
#: Fields that only the second stage knows, with the searches' own in the order of explanation.
FIELDS = (
    "dense", "lexical", "feedback", "window", "c4", "sentence", "bigram", "before", "everyday"
)  # fmt: skip
#: Those of them that searches made, with a rank in a list of their own.
SEARCHES = FIELDS[:2]
#: Language whose stems stand in postings beside F5 terms.
_STEMMED = "en"


def scored(
    question: str,
    candidates: Sequence[Candidate],
    store: ChunkStore,
    *,
    weight: float | None,
    k: int,
    model_id: str = "",
) -> list[ScoredChunk]:
    """The candidates with the sum of all fields, best first; equal ones by chunk id.

    :param question: the question as it was searched.
    :param candidates: results of both searches, or of the lexical one; none give none.
    :param weight: worth of a cosine of 1 in units of BM25; ``None`` takes
        :func:`uncalibrated`.
    :param k: at most so many are returned.
    :param model_id: model of the cosines.
    :returns: each with a leg for every field that has a score.
    """
    if not candidates:
        return []
    words = _Words(question, candidates[0].words, store)
    fields: dict[str, Scores] = {
        "lexical": np.array([item.lexical for item in candidates]),
        "window": np.array([item.window for item in candidates]),
        **text_fields(words.asked, [item.chunk for item in candidates]),
    }
    total = np.sum(list(fields.values()), axis=0)
    cosines = _cosines(candidates)
    if cosines:
        worth = words.worth() if weight is None else weight
        total = total + worth * list(cosines.values())[-1]
        fields |= cosines
    ranks = {name: _ranks(scores) for name, scores in fields.items()}
    weights = words.told(model_id if cosines else "")
    return [
        ScoredChunk(
            chunk=candidates[i].chunk,
            score=float(total[i]),
            legs=_legs(
                candidates[i],
                {name: float(fields[name][i]) for name in fields},
                {name: int(ranks[name][i]) for name in fields},
            ),
            weights=weights,
        )
        for i in _order(total, candidates)[:k]
    ]


def _order(total: Scores, candidates: Sequence[Candidate]) -> list[int]:
    """Places of the candidates, best first; equal ones by chunk id."""
    compared = np.round(total, PLACES)
    return sorted(
        range(len(candidates)), key=lambda i: (-compared[i], candidates[i].chunk.chunk_id)
    )


def uncalibrated(question: str, store: ChunkStore) -> float:
    """Worth of a cosine of 1 for a question where nobody has calibrated the space."""
    return _Words(question, None, store).worth()


class _Words:
    """A question's grams and pairs with their weights, and the statistics behind them."""

    def __init__(self, question: str, counted: FieldStatistics | None, store: ChunkStore) -> None:
        """Weigh the words.

        :param counted: what the search has counted already; another store may not tell.
        """
        prefixes, stems, grams = f5(question), analysed(question, _STEMMED), c4(question)
        self.prefixes = prefixes
        self.words = counted or store.statistics("f5", [*prefixes, *stems])
        self.grams = store.statistics("c4", grams)
        self.gram_weights = _gram_weights(grams, self.grams)
        self.word_weights = _word_weights(prefixes, stems, self.words)
        self.pair_weights = _pair_weights(self.word_weights)
        self.asked = self._asked(without_asking(question), Everyday(self._weights(question)))

    def _weights(self, question: str) -> dict[str, float]:
        """The idf of each folded word."""
        folded = [folded for word in words(question) if (folded := fold(word))]
        return dict(zip(folded, self.word_weights, strict=True))

    def _asked(self, question: str, everyday: Everyday) -> Weighed:
        """What is counted in the texts: grams and pairs of the words that do not only ask."""
        prefixes, stems = f5(question), analysed(question, _STEMMED)
        return Weighed(
            letters=Letters([question]),
            grams=_gram_weights(c4(question), self.grams),
            pairs=_pair_weights(_word_weights(prefixes, stems, self.words)),
            everyday=everyday,
            average_grams=self.grams.average_length,
            average_pairs=self.words.average_length - 1,
        )

    def worth(self) -> float:
        """:data:`UNCALIBRATED` times the sum of all fields where every word matches at its best."""
        return UNCALIBRATED * self._best() or 1.0

    def told(self, model_id: str) -> WordWeights:
        """The weights of the words, for whoever judges what was found."""
        idfs = dict(zip(self.prefixes, self.word_weights, strict=True))
        return WordWeights(
            idf=idfs,
            best=self._best(),
            n_units=self.words.n_units,
            model_id=model_id,
        )

    def _best(self) -> float:
        words = 2 * sum(self.word_weights) + sum(self.pair_weights)
        return (K1 + 1) * (sum(self.gram_weights) + words)


def _cosines(candidates: Sequence[Candidate]) -> dict[str, Scores]:
    """The cosines that a store gives, the one that counts last; a chunk without a vector has 0."""
    told = {
        "dense": [item.dense for item in candidates],
        "feedback": [item.feedback for item in candidates],
    }
    return {
        name: np.array([value or 0.0 for value in values])
        for name, values in told.items()
        if any(value is not None for value in values)
    }


def _gram_weights(grams: Sequence[str], statistics: FieldStatistics) -> list[float]:
    frequency = statistics.document_frequency
    return [idf(statistics.n_units, min(frequency[g], statistics.n_units)) for g in grams]


def _word_weights(
    prefixes: Sequence[str], stems: Sequence[str], statistics: FieldStatistics
) -> list[float]:
    """The idf of each word, as prefix or stem."""
    frequency, n = statistics.document_frequency, statistics.n_units
    return [
        idf(n, min(frequency.get(prefix, 0) + frequency.get(stem, 0), n))
        for prefix, stem in zip(prefixes, stems, strict=True)
    ]


def _pair_weights(weights: Sequence[float]) -> list[float]:
    """The mean of two neighbours: as good as the pair's own frequency, which nobody keeps."""
    return [(one + other) / 2 for one, other in zip(weights, weights[1:], strict=False)]


def _ranks(scores: Scores) -> npt.NDArray[np.int64]:
    """Place of each score among all, from 1, best first; equal ones in their order."""
    order = np.argsort(-np.round(scores, PLACES), kind="stable")
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.arange(1, len(scores) + 1)
    return ranks


def _legs(
    candidate: Candidate, scores: Mapping[str, float], places: Mapping[str, int]
) -> tuple[Leg, ...]:
    """A leg of every field: with the search's own rank, or with the place in the pool."""
    found = {leg.name: leg.rank for leg in candidate.legs}
    ranks = {**places, **{name: found.get(name, 0) for name in SEARCHES}}
    return tuple(
        Leg(name=name, score=scores[name], rank=ranks[name]) for name in FIELDS if name in scores
    )
