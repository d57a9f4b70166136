"""Records that flow between the parts of docrag: one frozen type for each arrow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

#: Embedding vectors: float32, ``(n, dim)`` for texts or ``(dim,)`` for a query, rows of length 1.
Vectors: TypeAlias = npt.NDArray[np.float32]

#: The role that reads and manages everything; every document carries it.
ADMIN_ROLE = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, or one section of a format without pages, as a loader read it."""

    #: Physical page from 1; ``None`` for a format without pages.
    number: int | None
    text: str
    #: Heading path such as ``"4. Uygulama"``; empty where the format shows none.
    section: str = ""
    #: Why the text may be incomplete, for people; empty when it is fine.
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrText:
    """What a picture of a page says."""

    text: str
    #: 0 to 1, how sure the engine is, by its own measure; ``None`` where it does not tell.
    confidence: float | None = None
    #: What a person should check on the page, in words; empty for nothing.
    doubt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The article of a law or regulation that a chunk is the whole or a part of."""

    #: ``madde``, ``ek``, ``gecici`` or ``mukerrer``: each kind counts for itself.
    kind: str
    #: As it is counted, lower case: ``10``, ``25/a``.
    number: str
    #: First and last numbered paragraph (fıkra) in the chunk, from 1; ``None`` where none is.
    paragraph_first: int | None = None
    paragraph_last: int | None = None
    #: ``mulga`` (repealed) or ``iptal`` (annulled); empty for one in force.
    status: str = ""

    @property
    def name(self) -> str:
        """What a person calls it, such as ``Madde 25/A`` or ``Geçici Madde 4``."""
        kinds = {"ek": "Ek Madde", "gecici": "Geçici Madde", "mukerrer": "Mükerrer Madde"}
        return f"{kinds.get(self.kind, 'Madde')} {self.number.replace('i', 'İ').upper()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a document that is embedded, found and cited as a whole."""

    #: Position in the document, from 0.
    ordinal: int
    #: As it stands in the document: nothing is added, and nothing inside it is left out.
    text: str
    #: First and last physical page, from 1; both ``None`` for a format without pages.
    page_first: int | None
    page_last: int | None
    #: Heading path such as ``"İKİNCİ BÖLÜM > İşverenin yükümlülükleri"``.
    section: str = ""
    #: What a person calls the piece: ``"Madde 10, fıkra 1, bent a"``; empty where it has no name.
    label: str = ""
    #: Places in ``text`` where the pages after ``page_first`` begin, in characters, in order.
    page_breaks: tuple[int, ...] = ()
    article: Article | None = None

    def page_at(self, place: int) -> int | None:
        """Physical page of a character of the text; ``None`` for a format without pages."""
        return page_at(self.page_first, self.page_breaks, place)


def page_at(first: int | None, breaks: tuple[int, ...], place: int) -> int | None:
    """Physical page of a place in a text that begins on page ``first``.

    :param breaks: places where the following pages begin, in characters, in order.
    """
    return None if first is None else first + bisect_right(breaks, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a caller may read: the documents that allow at least one of these roles."""

    #: Role names; empty finds nothing, :data:`ADMIN_ROLE` finds everything.
    roles: frozenset[str]
    #: Day whose versions of documents are searched; ``None`` for those in force today.
    on: date | None = None

    @classmethod
    def of(cls, roles: Iterable[str]) -> Access:
        """Access with these role names.

        :param roles: role names; a single string is refused since it would be read as letters.
        :raises TypeError: ``roles`` is a string.
        """
        if isinstance(roles, str):
            raise TypeError(f"roles must be a collection of role names, not the string {roles!r}")
        return cls(roles=frozenset(roles))

    @property
    def is_admin(self) -> bool:
        """True if the caller reads and manages everything."""
        return ADMIN_ROLE in self.roles


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk as the store returns it, with what a citation needs."""

    chunk_id: int
    #: Public identifier of the document (UUID text).
    document_id: str
    title: str
    filename: str
    ordinal: int
    text: str
    page_first: int | None
    page_last: int | None
    section: str = ""
    #: As of :class:`Chunk`.
    label: str = ""
    page_breaks: tuple[int, ...] = ()
    article: Article | None = None

    def page_at(self, place: int) -> int | None:
        """Physical page of a character of the text; ``None`` for a format without pages."""
        return page_at(self.page_first, self.page_breaks, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """How one search or field judged a chunk.

    Searches are ``dense`` (cosine, -1 to 1) and ``lexical`` (BM25 over F5 terms, 0 and up); fields
    that only rank what these found are ``feedback`` (cosine to the question moved towards the best
    dense results), ``window``, ``c4``, ``sentence``, ``bigram``, ``before`` and ``everyday`` (BM25,
    0 and up), and ``rerank`` is a reranker's own scale. ``article`` (1) has a chunk of an article
    that the question names.
    """

    name: str
    score: float
    #: Place in its own list, from 1; 0 when the chunk was found by another search only.
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A permitted chunk with the places that the first-stage searches gave it."""

    chunk: StoredChunk
    #: One entry for each search that found it, never empty.
    legs: tuple[Leg, ...]
    #: Cosine to the question, also of a chunk that only the lexical search found; ``None`` without
    #: a dense search or for a chunk without a vector.
    dense: float | None = None
    #: Cosine to the question moved towards the best dense results; ``None`` unless both searched.
    feedback: float | None = None
    #: BM25 over F5 terms, also of a chunk that only the dense search found; 0 without terms.
    lexical: float = 0.0
    #: BM25 of the run of at most 12 neighbouring chunks that the chunk is one of; 0 without terms.
    window: float = 0.0
    #: Statistics of the asked terms in the snapshot of the search, one record for all candidates;
    #: ``None`` without terms. Terms that stand nowhere may be missing.
    words: FieldStatistics | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordWeights:
    """How much the words of a question tell in the corpus that was searched, and by what model."""

    #: Inverse document frequency (BM25) by F5 term of each of the question's words, above 0.
    idf: Mapping[str, float]
    #: Sum of all lexical fields for a chunk that every word matches at its best.
    best: float
    #: Chunks of the corpus; 0 if nobody told. In a small one, rare words are no rarer than others.
    n_units: int = 0
    #: Model of the cosines among the legs, since each has its own scale; empty without cosines.
    model_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredChunk:
    """A permitted chunk with its final score; lists of these are sorted best first."""

    chunk: StoredChunk
    #: Higher is better; comparable only within one result list.
    score: float
    legs: tuple[Leg, ...] = ()
    #: What the question's words tell, one record for a whole list; ``None`` if nobody counted.
    weights: WordWeights | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldStatistics:
    """Corpus statistics of one lexical field, over all documents whoever may read them."""

    #: Number of chunks.
    n_units: int
    #: Mean length of a chunk in terms of the field; 0 for an empty corpus.
    average_length: float
    #: How many chunks hold each asked term; terms that occur nowhere are 0.
    document_frequency: dict[str, int]
