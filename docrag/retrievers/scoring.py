"""The second stage: every candidate scored by all fields, and the scores added.

Fields are those of the lexical search (``lexical``), of its neighbourhood (``window``), of letter
grams (``c4``) and of neighbouring words (``bigram``), all BM25; the cosine of the dense search
(``dense``) is added with a weight. A sum of calibrated scores and not of ranks: reciprocal rank
fusion lost 3 points of Recall@5 on TQuAD as soon as the lexical side was strong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from docrag.api import (
    Candidate,
    ChunkStore,
    FieldStatistics,
    Leg,
    ScoredChunk,
    analysed,
    c4,
    f5,
    idf,
    indexed,
    saturation,
)
from docrag.retrievers.letters import Codes, Letters, occurrences

Scores = npt.NDArray[np.float64]

#: What a cosine of 1 is worth, in the best lexical sum of the question's own candidates, where
#: nobody has calibrated the space; best on TQuAD's training questions, with 2 to 3 nearly as good.
UNCALIBRATED = 2.5
#: Decimal places that scores are compared to: sums of equal fields differ in their last bits.
PLACES = 10
#: Fields that only the second stage knows, with the searches' own in the order of explanation.
FIELDS = ("dense", "lexical", "window", "c4", "bigram")
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
) -> list[ScoredChunk]:
    """The candidates with the sum of all fields, best first; equal ones by chunk id.

    :param question: the question as it was searched.
    :param candidates: results of both searches, or of the lexical one; none give none.
    :param weight: worth of a cosine of 1 in units of BM25; ``None`` takes
        :data:`UNCALIBRATED` times the best lexical sum.
    :param k: at most so many are returned.
    :returns: each with a leg for every field that has a score.
    """
    if not candidates:
        return []
    fields: dict[str, Scores] = {
        "lexical": np.array([item.lexical for item in candidates]),
        "window": np.array([item.window for item in candidates]),
        **_text_fields(question, candidates, store),
    }
    total = np.sum(list(fields.values()), axis=0)
    if any(item.dense is not None for item in candidates):
        cosines = np.array([item.dense or 0.0 for item in candidates])
        best = float(total.max())
        # Words that match nothing leave the cosine alone to decide.
        worth = weight if weight is not None else UNCALIBRATED * best or 1.0
        total = total + worth * cosines
        fields["dense"] = cosines
    compared = np.round(total, PLACES)
    places = sorted(
        range(len(candidates)), key=lambda i: (-compared[i], candidates[i].chunk.chunk_id)
    )
    ranks = {name: _ranks(scores) for name, scores in fields.items()}
    return [
        ScoredChunk(
            chunk=candidates[i].chunk,
            score=float(total[i]),
            legs=_legs(
                candidates[i],
                {name: float(fields[name][i]) for name in fields},
                {name: int(ranks[name][i]) for name in fields},
            ),
        )
        for i in places[:k]
    ]


def _text_fields(
    question: str, candidates: Sequence[Candidate], store: ChunkStore
) -> dict[str, Scores]:
    """BM25 of grams and of word pairs, which are counted in the candidates' texts."""
    chunks = [item.chunk for item in candidates]
    letters = Letters([indexed(c.title, c.section, c.text) for c in chunks])
    prefixes = f5(question)
    stems = analysed(question, _STEMMED)
    # The search has counted them; another store may not tell.
    words = candidates[0].words or store.statistics("f5", [*prefixes, *stems])
    grams = store.statistics("c4", c4(question))
    asked = Letters([question])
    return {
        "c4": _bm25(
            *letters.grams(), asked.grams()[0], _gram_weights(c4(question), grams),
            texts=len(chunks), average=grams.average_length,
        ),
        "bigram": _bm25(
            *letters.pairs(), asked.pairs()[0], _pair_weights(prefixes, stems, words),
            texts=len(chunks), average=words.average_length - 1,
        ),
    }  # fmt: skip


def _bm25(
    codes: Codes,
    owner: npt.NDArray[np.int64],
    asked: Codes,
    weights: Sequence[float],
    *,
    texts: int,
    average: float,
) -> Scores:
    """BM25 of each text; ``weights`` are those of ``asked``, repeats and all."""
    distinct, first, repeats = np.unique(asked, return_index=True, return_counts=True)
    counts, lengths = occurrences(codes, owner, distinct, texts)
    worth = np.asarray(weights, dtype=np.float64)[first] * repeats if len(distinct) else 0.0
    summed: Scores = (saturation(counts, lengths[:, np.newaxis], average) * worth).sum(axis=1)
    return summed


def _gram_weights(grams: Sequence[str], statistics: FieldStatistics) -> list[float]:
    frequency = statistics.document_frequency
    return [idf(statistics.n_units, min(frequency[g], statistics.n_units)) for g in grams]


def _pair_weights(
    prefixes: Sequence[str], stems: Sequence[str], statistics: FieldStatistics
) -> list[float]:
    """Mean idf of the two words, as prefix or stem: as good as the pair's own, which none keeps."""
    frequency = statistics.document_frequency
    weights = [
        idf(
            statistics.n_units,
            min(frequency.get(prefix, 0) + frequency.get(stem, 0), statistics.n_units),
        )
        for prefix, stem in zip(prefixes, stems, strict=True)
    ]
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
