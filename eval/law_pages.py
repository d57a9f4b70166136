"""Questions over laws as employees ask them: how often the right page is among the first five.

Run by ``make eval-law-pages``. The training questions, and those that nothing is learnt from; with
each law searched by itself, and with all of the set in one store. Nothing of dev is read.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click
from sqlalchemy.engine import URL

from docrag.api import Access, ScoredChunk
from docrag.retrievers.hybrid import HybridRetriever
from eval.answer_laws import files, filled, questions
from eval.database import database, server
from eval.searching import DEPTH, ROLE, embedder, opened

#: The sets, and characters of a chunk.
SETS: Final = ("train", "held")
SIZE: Final = 1_000
#: First chunks that an answer is given from.
FIRST: Final = 5

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the first chunk of a right page stood, from 1, for each question; 0 for nowhere."""

    places: tuple[int, ...]

    def __str__(self) -> str:
        """Questions with a right page among the first five and as the first, and MRR@10."""
        count = max(len(self.places), 1)
        among = sum(0 < place <= FIRST for place in self.places)
        first = self.places.count(1)
        mrr = sum(1 / place for place in self.places if place) / count
        return f"{among}/{len(self.places)} in five, {first} first, MRR {mrr:.4f}"


def place(found: Sequence[ScoredChunk], item: Item) -> int:
    """Place of the first chunk that has a part on a right page of the right law, 0 for none.

    :param item: a question with ``document`` and ``page``.
    """
    return next((n for n, hit in enumerate(found, 1) if _is_right(hit, item)), 0)


def _is_right(hit: ScoredChunk, item: Item) -> bool:
    chunk = hit.chunk
    if chunk.filename != item["document"] or chunk.page_first is None or chunk.page_last is None:
        return False
    return any(chunk.page_first <= page <= chunk.page_last for page in item["page"])


def _searched(at: URL, laws: Sequence[str], asked: Sequence[Item]) -> Iterator[int]:
    """The place for each question, in a store of these laws."""
    vectors = embedder()
    with database(at) as address, opened(address) as (_, store):
        filled(store, laws, vectors, size=SIZE)
        retriever = HybridRetriever(store=store.chunks, embedder=vectors)
        for item in asked:
            found = retriever.retrieve(item["question"], access=Access.of([ROLE]), k=DEPTH)
            yield place(found, item)


def main() -> None:
    """Print a line for each set and store."""
    # The chunkers and loaders tell of every law.
    logging.disable(logging.WARNING)
    with server() as at:
        for name in SETS:
            asked = [item for item in questions(name) if item["answerable"]]
            together = Places(places=tuple(_searched(at, files(asked), asked)))
            click.echo(f"{name}, all laws in one store: {together}")
            by_law = defaultdict(list)
            for item in asked:
                by_law[item["document"]].append(item)
            alone = [n for law, of in by_law.items() for n in _searched(at, [law], of)]
            click.echo(f"{name}, each law by itself: {Places(places=tuple(alone))}")


if __name__ == "__main__":
    main()
