"""Questions with what the product finds for them, so that gate and answers are judged on one set.

Run by ``make eval-answer-sets``: writes run files ``answers-tune``, ``answers-dev`` and those of
laws; ``ARGS="tune law-train"`` writes only these, and ``tune-removed`` or ``tune-typos``, which
serve the gate only, are written when they are named. A question of the group ``answerable`` has
what the product finds; one of ``own_article_removed`` what it finds for a caller who may read
everything but the article that the question is of, so that its answer can only stand somewhere else
by chance. Laws have questions that no passage answers, in the group ``unanswerable``.
"""

from __future__ import annotations

import logging
import os
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import click

from docrag.answer.answerer import Answerer
from docrag.answer.context import number
from docrag.answer.models import Models
from docrag.answer.neighbours import by_rank
from docrag.api import (
    Access,
    Article,
    Citation,
    Leg,
    ScoredChunk,
    StoredChunk,
    WordWeights,
)
from docrag.rerankers.identity import IdentityReranker
from docrag.retrievers.hybrid import HybridRetriever
from docrag.settings import Settings
from docrag.store import Store
from eval import answer_laws, runs
from eval.answer_corpus import ROLE, everything_but, filled
from eval.database import database, server
from eval.searching import embedder, opened, placed
from eval.tquad import Corpus, Question, load, variants

#: Size of a chunk, characters.
SIZE: Final = 1_000
#: Answerable questions and others, of either part; disjoint, drawn with this seed.
COUNTS: Final = {"dev": (300, 150), "tune": (1_000, 500)}
SEED: Final = 0
#: The tuning questions whose answer is there, once more without it: for fitting only.
FURTHER: Final = "tune-removed"
#: Every so manieth tuning question in other ways of writing.
WRITTEN: Final = ("tune-ascii", "tune-upper", "tune-typos")
_FEWER: Final = 5
#: Places beside each found chunk that a line keeps; a deployment takes as many as it has set.
REACH: Final = 1
ANSWERABLE, REMOVED, UNANSWERABLE = "answerable", "own_article_removed", "unanswerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCase:
    """A question with what was found for it, and what a right answer is."""

    question: str
    text: str
    #: The answer as it stands in the text; of a law, phrases of which each must stand in an answer,
    #: one a line, with alternatives between ``|``.
    gold: str
    group: str
    #: Chunks that hold the whole answer, and those that were found, best first, by the same keys.
    gold_chunks: frozenset[str]
    keys: tuple[str, ...]
    found: tuple[ScoredChunk, ...]
    #: Permitted neighbours, at most :data:`REACH` places away, in the order of the product.
    around: tuple[StoredChunk, ...]
    #: Physical pages of the answer, of a law only.
    pages: frozenset[int] = frozenset()
    #: File of the law, or number of the article, that the question is of.
    document: str = ""

    @property
    def context(self) -> tuple[Citation, ...]:
        """What was found as numbered sources."""
        return number(self.found)

    @property
    def is_retrieved(self) -> bool:
        """True if a found chunk holds the whole answer."""
        return not self.gold_chunks.isdisjoint(self.keys)


def read(name: str) -> list[AnswerCase]:
    """The cases of a set, such as ``answers-tune``, in order.

    :raises FileNotFoundError: the set has not been written.
    """
    return [_case(line) for line in runs.read(name).values()]


def main(arguments: Sequence[str]) -> int:
    """Write the sets that are named, or all of them."""
    logging.disable(logging.WARNING)
    wanted = arguments or ("tune", "dev", "law-train", "law-held", "law-dev")
    with server() as at:
        parts = [part for part in ("tune", "dev", FURTHER, *WRITTEN) if part in wanted]
        if parts:
            with database(at) as address, opened(address) as (_, store):
                _write_articles(store, load(), parts)
        for name in ("train", "held", "dev"):
            if f"law-{name}" in wanted:
                with database(at) as address, opened(address) as (_, store):
                    _write_laws(store, name)
    return 0


def _write_articles(store: Store, corpus: Corpus, parts: Iterable[str]) -> None:
    vectors = embedder()
    filled(store, corpus.articles, vectors, size=SIZE)
    searching = _Searching(store, HybridRetriever(store=store.chunks, embedder=vectors))
    for part in parts:
        runs.write(f"answers-{part}", _lines(searching, corpus, _drawn(corpus, part)))
        click.echo(f"written answers-{part}", err=True)


def _drawn(corpus: Corpus, part: str) -> list[tuple[str, Question]]:
    """The questions of a part, each with its group."""
    if part == FURTHER:
        return [(REMOVED, q) for group, q in _drawn(corpus, "tune") if group == ANSWERABLE]
    name, _, written = part.partition("-")
    asked = corpus.tuning() if name == "tune" else list(corpus.dev)
    known, others = COUNTS[name]
    drawn = random.Random(SEED).sample(asked, known + others)  # noqa: S311 - a fixed draw
    if written:
        drawn = variants(drawn, written)
    both = [(ANSWERABLE if n < known else REMOVED, q) for n, q in enumerate(drawn)]
    return both[:: _FEWER if written else 1]


def _lines(
    searching: _Searching, corpus: Corpus, drawn: Iterable[tuple[str, Question]]
) -> Iterator[dict[str, Any]]:
    chunks = placed(corpus, SIZE)
    for group, question in drawn:
        whole = [
            chunk
            for chunk in chunks[question.article]
            if chunk.start <= question.start and question.end <= chunk.end
        ]
        access = Access.of([ROLE]) if group == ANSWERABLE else everything_but(question.article)
        yield {
            "question": question.id,
            "text": question.text,
            "gold": corpus.articles[question.article].text[question.start : question.end],
            "group": group,
            "document": str(question.article),
            "gold_chunks": [chunk.key for chunk in whole],
            **searching.line(question.text, access),
        }


def _write_laws(store: Store, name: str) -> None:
    """A set of questions over laws; for each, all of its part's laws are searched."""
    asked = answer_laws.questions(name)
    vectors = embedder()
    answer_laws.filled(store, answer_laws.files(asked), vectors, size=SIZE)
    searching = _Searching(store, HybridRetriever(store=store.chunks, embedder=vectors))
    runs.write(f"answers-law-{name}", (_law_line(searching, item) for item in asked))
    click.echo(f"written answers-law-{name}", err=True)


def _law_line(searching: _Searching, item: Mapping[str, Any]) -> dict[str, Any]:
    line = searching.line(item["question"], Access.of([ROLE]))
    holding = {(item["document"], page) for page in item["page"] or ()}
    return {
        "question": item["id"],
        "text": item["question"],
        "gold": "\n".join(item["must_contain"] or ()),
        "group": ANSWERABLE if item["answerable"] else UNANSWERABLE,
        "document": item["document"],
        "pages": item["page"] or [],
        "gold_chunks": [
            found["key"] for found in line["found"] if not holding.isdisjoint(_pages(found))
        ],
        **line,
    }


def _pages(chunk: Mapping[str, Any]) -> set[tuple[str, int]]:
    first, last = chunk["page_first"], chunk["page_last"]
    return {(chunk["filename"], page) for page in range(first, (last or first) + 1)}


class _Searching:
    """The product's own search, as lines of a run file."""

    def __init__(self, store: Store, retriever: HybridRetriever) -> None:
        settings = Settings()
        self._top_k, self._store = settings.top_k, store
        self._answerer = Answerer(
            settings=settings, retriever=retriever, reranker=IdentityReranker(), models=Models()
        )

    def line(self, question: str, access: Access) -> dict[str, Any]:
        """Found chunks and their neighbours, as JSON takes them."""
        found = self._answerer.search(question, access=access, k=self._top_k)
        ids = [scored.chunk.chunk_id for scored in found]
        near = self._store.neighbours.around(ids, reach=REACH, access=access) if ids else []
        weights = next((scored.weights for scored in found if scored.weights), None)
        return {
            "weights": asdict(weights) if weights else None,
            "found": [_scored(scored) for scored in found],
            "around": [_chunk(chunk) for chunk in by_rank(found, near, reach=REACH)],
        }


def _scored(scored: ScoredChunk) -> dict[str, Any]:
    legs = [[leg.name, round(leg.score, 6), leg.rank] for leg in scored.legs]
    return {**_chunk(scored.chunk), "score": round(scored.score, 6), "legs": legs}


def _chunk(chunk: StoredChunk) -> dict[str, Any]:
    return {"key": f"{chunk.filename.removesuffix('.txt')}:{chunk.ordinal}", **asdict(chunk)}


def _case(line: Mapping[str, Any]) -> AnswerCase:
    told = line["weights"]
    weights = WordWeights(**{k: told[k] for k in WordWeights.__slots__}) if told else None
    return AnswerCase(
        question=line["question"],
        text=line["text"],
        gold=line["gold"],
        group=line["group"],
        document=line["document"],
        pages=frozenset(line.get("pages", ())),
        gold_chunks=frozenset(line["gold_chunks"]),
        keys=tuple(found["key"] for found in line["found"]),
        found=tuple(
            ScoredChunk(
                chunk=_stored(found),
                score=found["score"],
                legs=tuple(Leg(name=n, score=s, rank=r) for n, s, r in found["legs"]),
                weights=weights,
            )
            for found in line["found"]
        ),
        around=tuple(_stored(chunk) for chunk in line["around"]),
    )


def _stored(fields: Mapping[str, Any]) -> StoredChunk:
    values = {name: fields[name] for name in StoredChunk.__slots__}
    values["page_breaks"] = tuple(values["page_breaks"])
    values["article"] = Article(**values["article"]) if values["article"] else None
    return StoredChunk(**values)


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
