"""The fields that are counted in the candidates' texts: letter grams and word pairs.

``c4`` and ``bigram`` are BM25 of a chunk. ``sentence`` is BM25 of the grams of its best sentence
with the header, each counted once: words that stand together tell more than words far apart (as
the best passage of a document in Callan, 1994, "Passage-level evidence in document retrieval").
``before`` is what grams and pairs that a chunk lacks are worth in the chunk before it in the same
section, which may name what this one goes on about. ``everyday`` is BM25 of the question's words
that a chunk has by another name only (:mod:`docrag.retrievers.everyday`), and the same of its best
sentence with the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.api import StoredChunk, header, saturation
from docrag.retrievers.everyday import Everyday
from docrag.retrievers.letters import Codes, Letters, occurrences

Scores = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
_Place = tuple[str, str, tuple[str, ...], int]

#: Share of its worth that a gram or pair has in the chunk before; .2 to .6 find nearly the same.
BEFORE: Final = 0.5
#: Worth of a word that an article of a law has by another name, and that its best sentence has, in
#: that of a word it has itself, which counts in letters, pairs and sentence as well; and below a
#: heading of another text, where an everyday word is oftener meant as it is said. In prose without
#: headings nothing is found by it.
IN_ARTICLE, BELOW_HEADING = 2.5, 1.5
#: Ends a sentence; what stands behind initials ("M. K.") and ordinals ("4. madde") does not. It
#: begins with the blank, since looking back from every sign takes twice as long.
_BORDER: Final = re.compile(r"\s(?<=\w{3}[.!?;]\s)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What a question asks of the texts: its grams, pairs and words, with the idf of each."""

    letters: Letters
    grams: Sequence[float]
    pairs: Sequence[float]
    everyday: Everyday
    #: Mean grams of a chunk of the corpus, and mean pairs.
    average_grams: float
    average_pairs: float


def text_fields(asked: Weighed, chunks: Sequence[StoredChunk]) -> dict[str, Scores]:
    """Scores of each chunk by ``c4``, ``sentence``, ``bigram``, ``before`` and ``everyday``.

    :param chunks: at least one; the chunk before another counts only if it is among them.
    """
    texts = _Texts(chunks)
    grams = _Counted(asked.letters.grams()[0], asked.grams)
    in_parts, part_lengths = occurrences(*texts.letters.grams(), grams.distinct, texts.count)
    in_chunks, lengths = texts.sums(in_parts), texts.sums(part_lengths)
    found = saturation(in_chunks, lengths[:, np.newaxis], asked.average_grams)
    pairs = _Counted(asked.letters.pairs()[0], asked.pairs)
    both, many = occurrences(*texts.letters.pairs(texts.owner), pairs.distinct, len(chunks))
    paired = saturation(both, many[:, np.newaxis], asked.average_pairs)
    begun = texts.letters.begun(asked.everyday.beginnings)
    named = saturation(texts.sums(begun), many[:, np.newaxis], asked.average_pairs)
    told = texts.best_sentences(begun > 0, part_lengths, asked.everyday.worth)
    missed = _before(found, chunks) @ grams.worth + _before(paired, chunks) @ pairs.worth
    return {
        "c4": found @ grams.worth,
        "sentence": texts.best_sentences(in_parts > 0, part_lengths, grams.weigh),
        "bigram": paired @ pairs.worth,
        "before": BEFORE * missed,
        "everyday": _trust(chunks) * (asked.everyday.worth(named) + told),
    }


class _Texts:
    """The chunks in parts, each a header and the sentences behind it."""

    def __init__(self, chunks: Sequence[StoredChunk]) -> None:
        parts = [[header(c.title, c.section), *_BORDER.split(c.text)] for c in chunks]
        sizes = [len(own) for own in parts]
        self.letters = Letters([part for own in parts for part in own])
        self.count = sum(sizes)
        #: The chunk of each part, and the first part of each chunk, which is its header.
        self.owner: Places = np.repeat(np.arange(len(chunks)), sizes)
        self.first: Places = np.cumsum([0, *sizes[:-1]])

    def sums(self, parts: Scores) -> Scores:
        """Figures of the parts, added for each chunk."""
        summed: Scores = np.add.reduceat(parts, self.first, axis=0)
        return summed

    def best_sentences(
        self, present: npt.NDArray[np.bool_], lengths: Scores, worth: Callable[[Scores], Scores]
    ) -> Scores:
        """BM25 of each chunk's best sentence with the header, each term counted once.

        :param present: which terms each part has, ``(parts, terms)``.
        :param lengths: grams of each part; the mean length is that of these sentences.
        :param worth: idf of the terms that are there, in sum, of 0 and 1 in such an array.
        """
        bodies = np.delete(np.arange(self.count), self.first)
        heads = self.first[self.owner[bodies]]
        held = worth((present[bodies] | present[heads]).astype(np.float64))
        long = lengths[bodies] + lengths[heads]
        scores = held * saturation(np.ones_like(long), long, float(long.mean()))
        best: Scores = np.maximum.reduceat(scores, self.first - np.arange(len(self.first)))
        return best


class _Counted:
    """The different grams or pairs of a question, with the idf of each times its repeats."""

    def __init__(self, codes: Codes, weights: Sequence[float]) -> None:
        self.distinct, first, repeats = np.unique(codes, return_index=True, return_counts=True)
        self.worth: Scores = np.asarray(weights, dtype=np.float64)[first] * repeats

    def weigh(self, held: Scores) -> Scores:
        """Sum of what is held, ``(units, terms)``, by its worth."""
        return held @ self.worth


def _trust(chunks: Sequence[StoredChunk]) -> Scores:
    """What another name is worth in each chunk."""
    headed = np.where([bool(chunk.section) for chunk in chunks], BELOW_HEADING, 0.0)
    return np.where([chunk.article is not None for chunk in chunks], IN_ARTICLE, headed)


def _before(worth: Scores, chunks: Sequence[StoredChunk]) -> Scores:
    """The chunk before's worth of each gram or pair that a chunk has none of, else 0."""
    places: Mapping[_Place, int] = {
        _place(chunk, chunk.ordinal): place for place, chunk in enumerate(chunks)
    }
    before = [places.get(_place(chunk, chunk.ordinal - 1), -1) for chunk in chunks]
    known = np.array([place >= 0 for place in before])[:, np.newaxis]
    kept: Scores = np.where(known & (worth == 0), worth[before], 0.0)
    return kept


def _place(chunk: StoredChunk, ordinal: int) -> _Place:
    """Where a chunk of this ordinal stands if it is of the same section and article."""
    article = (chunk.article.kind, chunk.article.number) if chunk.article else ()
    return chunk.document_id, chunk.section, article, ordinal
