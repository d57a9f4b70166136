"""What each kind of plugin must offer, as structural types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from docrag.messages import Delta, GenerationOptions, Message
from docrag.types import (
    Access,
    Article,
    Candidate,
    Chunk,
    FieldStatistics,
    OcrText,
    Page,
    ScoredChunk,
    StoredChunk,
    Vectors,
)


@runtime_checkable
class Loader(Protocol):
    """Reads one kind of file; registered under the suffix that it reads."""

    def load(self, data: bytes, *, filename: str) -> Iterable[Page]:
        """Pages in reading order.

        :param data: the whole file, bytes.
        :param filename: name as the user gave it, for messages only.
        :raises LoaderError: the file cannot be read; the message says why, for a clerk.
        """
        ...


class Checkpoint(Protocol):
    """Keeps what a loader has read of one file, so that a killed run goes on where it was.

    A loader whose ``load`` has a keyword ``checkpoint`` is handed one.
    """

    def records(self) -> list[dict[str, str]]:
        """What earlier runs have kept, in order; nothing for a file that is new."""
        ...

    def keep(self, records: Sequence[dict[str, str]]) -> None:
        """Keep further records behind the others, at once and lastingly."""
        ...


@runtime_checkable
class OcrEngine(Protocol):
    """Reads the picture of a page. Thread-safe."""

    #: What messages call it.
    name: str

    def read(self, picture: bytes, *, dpi: int) -> OcrText:
        """The text of one page.

        :param picture: PNG.
        :param dpi: its resolution, dots an inch.
        :raises LoaderError: this page cannot be read; the message says why, for a clerk.
        :raises OcrUnavailable: the engine cannot be used now, whatever the page.
        """
        ...


@runtime_checkable
class Chunker(Protocol):
    """Cuts pages into chunks."""

    #: Changes whenever the same pages would be cut otherwise; part of the embedding space.
    fingerprint: str

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors of one space."""

    model_id: str
    #: Length of every vector.
    dim: int

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts for storage.

        :returns: float32 of shape ``(len(texts), dim)``, rows of Euclidean length 1, in input
            order; ``(0, dim)`` for no texts.
        :raises EmbedderError: the model failed or answered with another dimension than ``dim``.
            When only some texts are at fault, its ``indices`` are their positions in ``texts``
            (``too_long`` those that cutting would help): embed the others in a second call.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Embed one question.

        :returns: float32 of shape ``(dim,)``, Euclidean length 1.
        :raises EmbedderError: as for documents.
        """
        ...


@runtime_checkable
class ChunkStore(Protocol):
    """What a retriever may ask of the database; the role filter lives behind it."""

    def candidates(
        self, *, terms: Sequence[str], vector: Vectors | None, access: Access, k: int
    ) -> list[Candidate]:
        """The union of the best ``k`` chunks of the lexical and of the dense search, one statement.

        With both, every candidate has both scores, whichever search found it.

        :param terms: analysed query terms, repeats counted; empty leaves the lexical search out.
        :param vector: float32 ``(dim,)`` of the active space; ``None`` leaves the dense search out.
        :param access: only chunks that it may read are returned, by a filter inside the SQL.
        :param k: at most this many chunks from each search, 1 or more.
        :returns: dense results by rank first, then lexical ones by rank; nothing for no roles.
        """
        ...

    def named_beside(
        self, articles: Sequence[Article], documents: Collection[str], *, access: Access, k: int
    ) -> tuple[list[StoredChunk], frozenset[str]]:
        """Chunks of articles that are named, and which documents are searched, at one moment.

        :param articles: kind and number; with paragraphs, chunks that hold one of them come first.
        :param documents: public identifiers of what was found before.
        :param access: only chunks that it may read are returned, by a filter inside the SQL.
        :param k: at most this many chunks.
        :returns: the chunks in order of ``articles``, then of their documents; and those of
            ``documents`` that the access finds in force.
        """
        ...

    def statistics(self, field: str, terms: Sequence[str]) -> FieldStatistics:
        """Corpus-wide statistics of a lexical field.

        :param field: ``"f5"`` (the terms of :func:`docrag.api.analysed`) or ``"c4"``.
        :raises ValueError: another field.
        """
        ...

    def cosine_weight(self) -> float | None:
        """What a cosine of 1 is worth in units of BM25, calibrated for the active space.

        ``None`` as long as nobody has calibrated it.
        """
        ...


@runtime_checkable
class Retriever(Protocol):
    """Finds chunks for a question; built with ``store=``, ``embedder=`` and its own options."""

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """At most ``k`` permitted chunks, best first; nothing for an empty question or no roles."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Reorders retrieved chunks."""

    def rerank(self, query: str, chunks: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """The same chunks, best first, perhaps with new scores; never a chunk not given."""
        ...


@runtime_checkable
class LLM(Protocol):
    """A language model behind some server."""

    model_id: str

    @property
    def context_window(self) -> int:
        """Tokens that prompt and answer share; a plain attribute will do."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        """The answer in pieces; exactly one delta, the last, has a ``finish_reason``.

        Closing the iterator closes the connection to the model.

        :param max_tokens: upper bound of the answer, tokens.
        :param temperature: 0 to 2.
        :param options: what else the caller asks for; a server that cannot do it may ignore it,
            but for tools and ``response_format``, which are passed on or refused.
        :raises LLMTimeout: no answer in time.
        :raises LLMRefused: the server refused the request (prompt too long, model unknown).
        :raises LLMUnavailable: no piece has come, and the same request may work later.
        :raises LLMError: anything else, also a stream that ends without its last piece.
        """
        ...


@runtime_checkable
class Judge(Protocol):
    """Says whether passages support sentences; asked where the words alone do not tell."""

    def judge(self, claims: Sequence[tuple[str, str]]) -> list[float | None]:
        """How sure it is, for each claim, that the passage supports the sentence.

        :param claims: sentence and text of a passage, at most a few dozen.
        :returns: 0 to 1 in the order of the claims; ``None`` where it could not tell; nothing for
            no claims.
        :raises JudgeError: it could not be asked.
        """
        ...
