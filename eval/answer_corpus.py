"""The articles of TQuAD in a store, each readable for everybody but who is kept from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tqdm import tqdm

from docrag.api import Access, Loader
from docrag.chunkers.auto import AutoChunker
from docrag.ingest.pipeline import Pipeline
from docrag.store import Store
from eval.searching import OVERLAP, UNTITLED, OneText
from eval.searching import ROLE as ROLE
from eval.tquad import Article
from eval.vectors import CachedEmbedder

#: Binary digits of an article's number, each a role.
_DIGITS: Final = 10


def filled(
    store: Store, articles: Sequence[Article], vectors: CachedEmbedder, *, size: int
) -> None:
    """Ingest the articles by the product's pipeline; a document's file name is its number.

    :raises ValueError: there are more articles than numbers.
    """
    if len(articles) > 2**_DIGITS:
        raise ValueError(f"{len(articles)} articles do not have numbers of {_DIGITS} digits")
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
    for role in (ROLE, *(_role(place, digit) for place in range(_DIGITS) for digit in (0, 1))):
        store.roles.create(role)
    for number, article in enumerate(tqdm(articles, desc=f"ingesting {size}")):
        if not article.text:
            continue
        document, _ = store.documents.create(
            filename=f"{number}.txt",
            title=article.title or UNTITLED,
            suffix="txt",
            # Two articles have the same text.
            data=f"{number}\n{article.text}".encode(),
            roles=[ROLE, *(_role(place, _digit(number, place)) for place in range(_DIGITS))],
            uploaded_by=None,
        )
        pipeline.run(document, lambda *_: None)


def everything_but(number: int) -> Access:
    """Access to all articles that differ from this one in a digit of their number."""
    return Access.of([_role(place, 1 - _digit(number, place)) for place in range(_DIGITS)])


def _role(place: int, digit: int) -> str:
    return f"basamak-{place}-{digit}"


def _digit(number: int, place: int) -> int:
    return number >> place & 1
