"""The retrieval step: TQuAD through the product's pipeline and database into run files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import click
from sqlalchemy import Engine, text
from sqlalchemy.engine import URL
from tqdm import tqdm

from docrag.api import Access, Loader, Page, Retriever, ScoredChunk
from docrag.chunkers.auto import AutoChunker
from docrag.embedders.e5 import E5Embedder
from docrag.ingest.pipeline import Pipeline
from docrag.retrievers.dense import DenseRetriever
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.store import Store, make_engine
from docrag.store.migrate import upgrade
from eval import runs
from eval.database import database
from eval.floor import Floor
from eval.protocol import chunked
from eval.report import RESULTS
from eval.tquad import Article, Corpus, Question, offsets, variants
from eval.vectors import CachedEmbedder

#: Chunks that a run keeps of each question.
DEPTH: Final = 10
OVERLAP: Final = 150
RETRIEVERS: Final = ("lexical", "dense", "hybrid")
#: Plain BM25 over the floor's own chunks, and over the product's.
FLOOR: Final = "bm25_floor"
SAME_CHUNKS: Final = "bm25_same_chunks"
#: The one role that may read the articles: access control is on, as in production.
ROLE: Final = "okur"
#: A title that leaves nothing in the header of a chunk.
UNTITLED: Final = "_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A chunk's key, and where it stands in its article."""

    key: str
    start: int
    end: int
    text: str


class OneText:
    """A loader that gives an article back as it is, without the number in its first line."""

    def load(self, data: bytes, *, filename: str) -> Iterator[Page]:
        """One page without a number."""
        yield Page(number=None, text=data.decode("utf-8").partition("\n")[2])


def embedder() -> CachedEmbedder:
    """The bundled model; its vectors are kept, since embedding the corpus takes long."""
    return CachedEmbedder(
        E5Embedder(), RESULTS / "cache" / "vectors.sqlite3", progress=_tell_embedding
    )


def placed(corpus: Corpus, size: int) -> list[list[Placed]]:
    """Chunks of every article in order."""
    chunker = AutoChunker(size=size, overlap=OVERLAP)
    found = []
    for number, article in enumerate(corpus.articles):
        texts = [c.text for c in chunker.split([Page(number=None, text=article.text)])]
        found.append(
            [
                Placed(key=f"{number}:{n}", start=start, end=end, text=chunk)
                for n, (chunk, (start, end)) in enumerate(
                    zip(texts, offsets(article, texts), strict=True)
                )
            ]
        )
    return found


def placed_for_floor(corpus: Corpus, size: int) -> list[list[Placed]]:
    """Chunks as the floor cuts them: its published figures are those of the whole system."""
    return [
        [
            Placed(key=f"{number}:{n}", start=start, end=end, text=article.text[start:end])
            for n, (start, end) in enumerate(chunked(article.text, size))
        ]
        for number, article in enumerate(corpus.articles)
    ]


def write_qrels(name: str, questions: Sequence[Question], chunks: list[list[Placed]]) -> None:
    """Relevant are the chunks of the question's own article that hold the whole answer."""
    runs.write(
        name,
        (
            {
                "question": q.id,
                "relevant": [
                    chunk.key
                    for chunk in chunks[q.article]
                    if chunk.start <= q.start and q.end <= chunk.end
                ],
            }
            for q in questions
        ),
    )


def write_floor(name: str, questions: Sequence[Question], chunks: list[list[Placed]]) -> None:
    """The run of plain BM25 over these chunks."""
    flat = [chunk for article in chunks for chunk in article]
    floor = Floor([chunk.text for chunk in flat])
    runs.write(
        name,
        (
            _line(q.id, [(flat[n].key, score) for n, score in floor.search(q.text, DEPTH)])
            for q in questions
        ),
    )


def write_runs(
    server: URL, corpus: Corpus, questions: Mapping[str, Sequence[Question]], *, size: int,
    titled: bool, prefix: str,
) -> None:  # fmt: skip
    """The runs of all retrievers for every kind of questions, from one database.

    :param questions: by kind.
    :param titled: False withholds the titles from the index.
    """
    vectors = embedder()
    with database(server) as address, opened(address) as (engine, store):
        numbers = _fill(store, corpus.articles, vectors, size=size, titled=titled)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))
        built: dict[str, Retriever] = {
            "lexical": LexicalRetriever(store=store.chunks),
            "dense": DenseRetriever(store=store.chunks, embedder=vectors),
            "hybrid": HybridRetriever(store=store.chunks, embedder=vectors),
        }
        for kind, asked in questions.items():
            for name in RETRIEVERS:
                click.echo(f"{size} characters, {kind}: {name}", err=True)
                lines = (_line(q.id, _found(built[name], q, numbers)) for q in asked)
                runs.write(f"{prefix}-{size}-{kind}-{name}", lines)


def _found(
    retriever: Retriever, question: Question, numbers: Mapping[str, int]
) -> list[tuple[str, float]]:
    hits: list[ScoredChunk] = retriever.retrieve(question.text, access=Access.of([ROLE]), k=DEPTH)
    return [(f"{numbers[h.chunk.document_id]}:{h.chunk.ordinal}", h.score) for h in hits]


def _line(question: str, found: Sequence[tuple[str, float]]) -> dict[str, Any]:
    return {
        "question": question,
        "chunks": [key for key, _ in found],
        "scores": [round(score, 6) for _, score in found],
    }


@contextmanager
def opened(address: str) -> Iterator[tuple[Engine, Store]]:
    """A migrated database, as engine and store."""
    upgrade(address)
    engine = make_engine(address)
    try:
        yield engine, Store(engine)
    finally:
        engine.dispose()


def _fill(
    store: Store, articles: Sequence[Article], vectors: CachedEmbedder, *, size: int, titled: bool
) -> dict[str, int]:
    """Ingest the articles by the product's pipeline; the number of each document's article."""
    loader: Loader = OneText()
    pipeline = Pipeline(
        store=store,
        loader=lambda _: loader,
        suffixes=["txt"],
        chunker=AutoChunker(size=size, overlap=OVERLAP),
        embedder=vectors,
        batch=8,
        most_chunks=20_000,
    )
    store.roles.create(ROLE)
    numbers: dict[str, int] = {}
    for number, article in enumerate(tqdm(articles, desc=f"ingesting {size}")):
        if not article.text:
            continue
        document, _ = store.documents.create(
            filename=f"{number}.txt",
            title=article.title if titled and article.title else UNTITLED,
            suffix="txt",
            # Two articles have the same text.
            data=f"{number}\n{article.text}".encode(),
            roles=[ROLE],
            uploaded_by=None,
        )
        pipeline.run(document, lambda *_: None)
        numbers[document.id] = number
    return numbers


def kinds(questions: Sequence[Question], names: Sequence[str]) -> dict[str, list[Question]]:
    """The questions in each way of writing."""
    return {name: variants(questions, name) for name in names}


def _tell_embedding(done: int, total: int) -> None:
    if done % 80 == 0 or done == total:
        click.echo(f"embedded {done} of {total}", err=True)
