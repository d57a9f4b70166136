"""What a cosine is worth beside the words of one's own documents, measured on one's own questions.

A cosine of one embedding model has its own spread, and BM25 sums grow with the corpus and the
length of questions; so the weight between them is chosen where it is used, by Recall and reciprocal
rank on questions with a known place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from docrag.api import ARTICLE_LEG, Access, DocumentError, Retriever, ScoredChunk, lower

#: Candidates of each search that are weighed anew; more never reach the first places.
POOL = 200
#: Weights that are tried, in units of the base: none of the cosine up to nearly it alone.
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
#: The base is so many times the mean best score by letter grams; best on TQuAD.
BASE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A question, and where its answer stands."""

    question: str
    #: Title, file name or identifier of the document, in any case and composition; empty for a
    #: question that nothing answers.
    document: str
    #: Physical page from 1; ``None`` if any page of the document will do.
    page: int | None = None

    @property
    def is_answerable(self) -> bool:
        """False if no document is to answer it."""
        return bool(self.document)

    def met_by(self, hit: ScoredChunk) -> bool:
        """True if the chunk is of the expected document, and holds the expected page."""
        chunk = hit.chunk
        if not self.names(chunk.document_id, chunk.title, chunk.filename):
            return False
        if self.page is None:
            return True
        first, last = chunk.page_first, chunk.page_last
        return first is not None and first <= self.page <= (last or first)

    def names(self, document_id: str, title: str, filename: str) -> bool:
        """True if this is the expected document."""
        return lower(self.document) in (lower(document_id), lower(title), lower(filename))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How well one weight does; means over all questions, those without a hit count 0."""

    #: Worth of a cosine of 1 in units of BM25; ``None`` is the rule of an uncalibrated space.
    weight: float | None
    recall_at_5: float
    mrr_at_10: float


def trials(
    questions: Sequence[Expectation],
    retriever: Retriever,
    *,
    access: Access,
    progress: Callable[[], object],
    rule: Callable[[str], float],
    current: float | None = None,
) -> list[Trial]:
    """The rule without calibration first, then every weight in rising order.

    :param retriever: ``hybrid``; asked once a question, its own weight does not matter.
    :param progress: called after each question.
    :param rule: the weight of a question in an uncalibrated space.
    :param current: the stored weight, tried as well.
    :raises DocumentError: no question's document is among what was found for any question.
    """
    found = _asked([item.question for item in questions], retriever, access, progress)
    pairs = list(zip(questions, found, strict=True))
    if not any(item.met_by(hit) for item, hits in pairs for hit in hits):
        raise DocumentError(
            "none of the expected documents was found for any question; name documents by title, "
            "file name or id, as `docrag documents` lists them"
        )
    base = _base(found)
    weights = {round(step * base, 1) for step in STEPS}
    if current is not None:
        weights.add(current)
    unweighted = [rule(item.question) for item in questions]
    fixed = [_trial(pairs, [weight] * len(pairs), weight) for weight in sorted(weights)]
    return [_trial(pairs, unweighted, None), *fixed]


def estimate(
    probes: Sequence[str],
    retriever: Retriever,
    *,
    access: Access,
    progress: Callable[[], object],
) -> float:
    """A weight for questions whose place is not known: :data:`BASE` times their mean best grams.

    :param probes: questions of usual length, at least one.
    :param retriever: one that scores letter grams.
    """
    return round(_base(_asked(probes, retriever, access, progress)), 1)


def best(tried: Iterable[Trial]) -> Trial:
    """The weight with the highest reciprocal rank, then Recall; the middle one of equals."""
    weighed = [trial for trial in tried if trial.weight is not None]
    top = max((trial.mrr_at_10, trial.recall_at_5) for trial in weighed)
    equal = [trial for trial in weighed if (trial.mrr_at_10, trial.recall_at_5) == top]
    return equal[len(equal) // 2]


def _asked(
    questions: Iterable[str],
    retriever: Retriever,
    access: Access,
    progress: Callable[[], object],
) -> list[list[ScoredChunk]]:
    """What is found for each question."""
    found: list[list[ScoredChunk]] = []
    for question in questions:
        found.append(retriever.retrieve(question, access=access, k=POOL))
        progress()
    return found


def _base(found: Sequence[Sequence[ScoredChunk]]) -> float:
    return BASE * sum(_best_grams(hits) for hits in found) / len(found)


def _trial(
    pairs: Sequence[tuple[Expectation, list[ScoredChunk]]],
    weights: Sequence[float],
    weight: float | None,
) -> Trial:
    """What these weights, one a question, come to."""
    places = [_place(item, hits, own) for (item, hits), own in zip(pairs, weights, strict=True)]
    return Trial(
        weight=weight,
        recall_at_5=sum(1 <= place <= 5 for place in places) / len(places),  # noqa: PLR2004
        mrr_at_10=sum(1 / place for place in places if 1 <= place <= 10) / len(places),  # noqa: PLR2004
    )


def _place(item: Expectation, hits: Sequence[ScoredChunk], weight: float) -> int:
    """Place of the first hit that meets the expectation, from 1; 0 for none."""
    ordered = sorted(hits, key=lambda hit: (-_sum(hit, weight), hit.chunk.chunk_id))
    return next((n for n, hit in enumerate(ordered, start=1) if item.met_by(hit)), 0)


def _sum(hit: ScoredChunk, weight: float) -> float:
    """The score that a chunk would have with this weight."""
    scores = {leg.name: leg.score for leg in hit.legs if leg.name != ARTICLE_LEG}
    cosines = [scores.pop(name) for name in ("dense", "feedback") if name in scores]
    return sum(scores.values()) + weight * (cosines[-1] if cosines else 0.0)


def _best_grams(hits: Sequence[ScoredChunk]) -> float:
    return max((leg.score for hit in hits for leg in hit.legs if leg.name == "c4"), default=0.0)
