"""Records that flow between the parts of docrag: one frozen type for each arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from docrag.joining import joined

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
class Chunk:
    """A piece of a document that is embedded, found and cited as a whole."""

    #: Position in the document, from 0.
    ordinal: int
    text: str
    #: First and last physical page, from 1; both ``None`` for a format without pages.
    page_first: int | None
    page_last: int | None
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a caller may read: the documents that allow at least one of these roles."""

    #: Role names; empty finds nothing, :data:`ADMIN_ROLE` finds everything.
    roles: frozenset[str]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """How one search or field judged a chunk.

    Searches are ``dense`` (cosine, -1 to 1) and ``lexical`` (BM25 over F5 terms, 0 and up); fields
    that only rank what these found are ``feedback`` (cosine to the question moved towards the best
    dense results), ``window``, ``c4`` and ``bigram`` (BM25, 0 and up), and ``rerank`` is a
    reranker's own scale.
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
class ScoredChunk:
    """A permitted chunk with its final score; lists of these are sorted best first."""

    chunk: StoredChunk
    #: Higher is better; comparable only within one result list.
    score: float
    legs: tuple[Leg, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldStatistics:
    """Corpus statistics of one lexical field, over all documents whoever may read them."""

    #: Number of chunks.
    n_units: int
    #: Mean length of a chunk in terms of the field; 0 for an empty corpus.
    average_length: float
    #: How many chunks hold each asked term; terms that occur nowhere are 0.
    document_frequency: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    #: ``system``, ``user``, ``assistant`` or ``tool``.
    role: str
    content: str
    #: All content parts in OpenAI's form where some are no text (pictures), else empty; only a
    #: model that answers without documents is given them.
    parts: tuple[Mapping[str, Any], ...] = ()
    #: Calls of tools that an assistant's turn asked for, in OpenAI's form.
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    #: The call that a tool's turn answers.
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """What a caller asks of a model beside length and temperature; ``None`` asks for nothing."""

    #: 0 to 1, share of the probability that is sampled from.
    top_p: float | None = None
    #: Texts at which the answer ends.
    stop: tuple[str, ...] = ()
    seed: int | None = None
    #: Functions that the model may call, in OpenAI's form.
    tools: tuple[Mapping[str, Any], ...] = ()
    #: ``none``, ``auto``, ``required`` or the object that names one function.
    tool_choice: str | Mapping[str, Any] | None = None
    #: OpenAI's object of type ``text``, ``json_object`` or ``json_schema``.
    response_format: Mapping[str, Any] | None = None
    #: ``low``, ``medium`` or ``high``, and whatever word a server knows besides.
    reasoning_effort: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that a model read and wrote, by its own count or by estimate."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of a streamed answer; it has text or thoughts, never both."""

    text: str = ""
    #: What the model thinks before it answers.
    reasoning: str = ""
    #: Pieces of tool calls in OpenAI's form for streams, each with its ``index``, no nulls.
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    #: ``stop``, ``length``, ``tool_calls`` or ``content_filter`` on the last piece, else ``None``.
    finish_reason: str | None = None
    #: On the last piece only, where the model tells.
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A numbered source: one page (or section) of a document and its retrieved chunks."""

    #: From 1, fixed at retrieval; the same in prompt, answer, API, log and page.
    number: int
    document_id: str
    title: str
    filename: str
    page_first: int | None
    page_last: int | None
    section: str
    #: The permitted chunks that this number stands for, in reading order.
    chunks: tuple[StoredChunk, ...]
    #: Ids of those chunks that no search found, put in since they stand beside one that was found.
    neighbours: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """The text of this source in reading order, without what its chunks repeat of each other.

        A line with ``…`` stands where text between two chunks is left out.
        """
        return joined((chunk.ordinal, chunk.text) for chunk in self.chunks)

    @property
    def label(self) -> str:
        """What a person reads: file name with page or section."""
        if self.page_first is None:
            return f"{self.filename} ({self.section})" if self.section else self.filename
        if self.page_last in (None, self.page_first):
            return f"{self.filename} s. {self.page_first}"
        return f"{self.filename} s. {self.page_first}-{self.page_last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """Why nothing is answered from the documents."""

    #: Machine word: ``no_passages`` or ``weak_evidence``.
    reason: str
    #: Share of the question's content words that the permitted passages hold, 0 to 1.
    coverage: float = 0.0
    #: Content words of the question that no permitted passage holds.
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A finished answer with its sources."""

    #: Identifier of the audit row (UUID text).
    id: str
    #: The question as it was searched.
    question: str
    text: str
    #: Sources that the text cites, in order of first mention; empty for an abstention.
    citations: tuple[Citation, ...]
    #: Every source that was offered, by number.
    context: tuple[Citation, ...]
    #: ``None`` when the question was answered.
    abstention: Abstention | None
    #: Model that wrote the text; ``extractive`` when passages were quoted without a model.
    model_id: str
    #: Versioned prompt that was used; empty when no model was asked.
    prompt_id: str
    finish_reason: str
    usage: Usage
    #: Seconds from question to end of the answer.
    duration: float
    #: True if it was to be answered from the sources, and what was written cites none of them.
    is_uncited: bool = False
