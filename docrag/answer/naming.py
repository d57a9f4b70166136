"""What was found because the question names its article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docrag.api import ARTICLE_LEG, Article, Citation, Naming, ScoredChunk, StoredChunk


def is_named(scored: ScoredChunk) -> bool:
    """True if the chunk is of an article that the question names."""
    return any(leg.name == ARTICLE_LEG for leg in scored.legs)


def named_first(found: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    """The chunks of named articles in their own order, then the others in theirs.

    A reranker judges by what a passage says, and an article seldom says its own number twice.

    :returns: none scores less than one behind it, as before.
    """
    named = [scored for scored in found if is_named(scored)]
    if not named:
        return list(found)
    best = max(scored.score for scored in found)
    named.sort(key=lambda scored: min(g.rank for g in scored.legs if g.name == ARTICLE_LEG))
    first = [replace(scored, score=best) for scored in named]
    return [*first, *(scored for scored in found if not is_named(scored))]


def of_article(naming: Naming, context: Sequence[Citation]) -> tuple[Citation, ...]:
    """The sources that hold a named article, each with only its chunks of it, in their order.

    Chunks of a named paragraph alone where there are some.
    """
    for matches in (_holds, _is_of):
        parts = [
            replace(citation, chunks=own)
            for citation in context
            if (own := tuple(c for c in citation.chunks if matches(c, naming.articles)))
        ]
        if parts:
            return tuple(parts)
    return ()


def _is_of(chunk: StoredChunk, articles: Sequence[Article]) -> bool:
    own = chunk.article
    return own is not None and any(
        (own.kind, own.number) == (item.kind, item.number) for item in articles
    )


def _holds(chunk: StoredChunk, articles: Sequence[Article]) -> bool:
    own = chunk.article
    if own is None or own.paragraph_first is None or own.paragraph_last is None:
        return False
    return any(
        (own.kind, own.number) == (item.kind, item.number)
        and item.paragraph_first is not None
        and own.paragraph_first <= item.paragraph_first <= own.paragraph_last
        for item in articles
    )
