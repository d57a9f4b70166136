"""A question and the pieces of its sources, read once to be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.quoting.answer_kinds import Wanted, wanted
from docrag.answer.quoting.pieces import Piece
from docrag.answer.subject import content_words
from docrag.api import K1, B, Citation, c4, fold, header, idf, other_stems, words

#: Letters of a word below which it matches longer ones that it begins ("izin" and "izinler").
_SHORT: Final = 5
#: Characters of a piece that are looked at; a longer one is a text without sentences.
LOOKED_AT: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, read once."""

    #: Content words, folded, each once.
    words: tuple[str, ...]
    #: F5 terms of all words.
    said: frozenset[str]
    #: Letter grams of the content words.
    grams: tuple[str, ...]
    wanted: Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A piece, read once."""

    piece: Piece
    folded: tuple[str, ...]
    #: How often each content word of the question stands in it.
    counts: Mapping[str, int]
    #: Content words of the question for which another word stands in it.
    meant: frozenset[str]
    #: Letter grams of the question that stand in it.
    grams: frozenset[str]
    #: Content words of the question in the title and headings of its source.
    titled: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How well a piece matches by four measures."""

    #: Share of the question's words and grams, by weight.
    words: float
    grams: float
    #: The same with the length of the piece taken into account.
    short_words: float
    short_grams: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Weights of the question's words and grams among all pieces; each kind sums to 1."""

    words: Mapping[str, float]
    grams: Mapping[str, float]
    #: Mean length of a piece, words.
    length: float

    def of_words(self, chosen: Iterable[str]) -> float:
        """Weight of these words."""
        return sum(self.words[word] for word in chosen)

    def of_grams(self, chosen: Iterable[str]) -> float:
        """Weight of these grams."""
        return sum(self.grams[gram] for gram in chosen)


def asked_of(question: str) -> Asked:
    """The question, read."""
    wanted_words = content_words(question)
    grams = dict.fromkeys(gram for word in wanted_words for gram in c4(word))
    return Asked(
        words=wanted_words,
        said=frozenset(fold(word)[:5] for word in words(question)),
        grams=tuple(grams),
        wanted=wanted(question),
    )


def read(piece: Piece, citation: Citation, asked: Asked) -> Read:
    """A piece of a source, read for a question."""
    text = piece.text[:LOOKED_AT]
    folded = tuple(word for word in map(fold, words(text)) if word)
    title = {fold(word) for word in words(header(citation.title, piece.section))}
    # As one text with an edge around each word, in which a gram is found faster than in a set.
    plain = f" {' '.join(folded)} "
    return Read(
        piece=piece,
        folded=folded,
        counts=(counts := _counts(asked.words, folded)),
        meant=frozenset(
            word
            for word in asked.words
            if word not in counts and any(f" {stem}" in plain for stem in other_stems(word))
        ),
        grams=frozenset(gram for gram in asked.grams if gram in plain),
        titled=frozenset(_counts(asked.words, title)),
    )


def _counts(wanted_words: Iterable[str], folded: Collection[str]) -> dict[str, int]:
    """How often each of the words stands among others, those that do not left out."""
    terms = Counter(word[:_SHORT] for word in folded)
    found: dict[str, int] = {}
    for word in wanted_words:
        if len(word) >= _SHORT:
            count = terms[word[:_SHORT]]
        else:
            count = sum(n for term, n in terms.items() if term.startswith(word))
        if count:
            found[word] = count
    return found


def scale_of(asked: Asked, reads: Sequence[Read]) -> Scale:
    """Weights of the question's words and grams: a rare one among the pieces tells more.

    :param reads: all pieces, at least one.
    """
    by_word = Counter(word for read in reads for word in read.counts)
    by_gram = Counter(gram for read in reads for gram in read.grams)
    total = len(reads)
    return Scale(
        words=_shares({word: idf(total, by_word[word]) for word in asked.words}),
        grams=_shares({gram: idf(total, by_gram[gram]) for gram in asked.grams}),
        length=sum(len(read.folded) for read in reads) / total or 1.0,
    )


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values()) or 1.0
    return {name: weight / total for name, weight in weights.items()}


def match(read: Read, scale: Scale) -> Match:
    """How well a piece matches the question."""
    length = 1 - B + B * len(read.folded) / scale.length
    grams = scale.of_grams(read.grams)
    return Match(
        words=scale.of_words(read.counts),
        grams=grams,
        short_words=sum(
            scale.words[word] * count * (K1 + 1) / (count + K1 * length)
            for word, count in read.counts.items()
        ),
        short_grams=grams / (B + B * len(read.folded) / scale.length),
    )


def places(matches: Sequence[Match]) -> list[int]:
    """Place of each match by the two measures that regard its length, from 0."""
    best_first = sorted(
        range(len(matches)), key=lambda n: -(matches[n].short_words + matches[n].short_grams)
    )
    found = [0] * len(matches)
    for place, n in enumerate(best_first):
        found[n] = place
    return found


def best(matches: Sequence[Match]) -> Match:
    """The best value of each measure; 1 where nothing matches."""
    return Match(
        words=max(match.words for match in matches) or 1.0,
        grams=max(match.grams for match in matches) or 1.0,
        short_words=max(match.short_words for match in matches) or 1.0,
        short_grams=max(match.short_grams for match in matches) or 1.0,
    )
