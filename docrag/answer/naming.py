"""What was found because the question names its article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docrag.api import (
    ARTICLE_LEG,
    Article,
    Citation,
    Naming,
    ScoredChunk,
    StoredChunk,
    fold,
    words,
)

#: A document's first chunks, by ordinal, which tell its name or number.
_FRONT = 2
#: Words behind the name of a document that may hold the number of its article.
_BEHIND = 5


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

    Chunks of a named paragraph alone where there are some; of a named document alone.
    """
    context = of_document(naming, context)
    for matches, articles in (
        (_holds, naming.articles), (_is_of, naming.articles), (_is_of, naming.looked_up),
    ):  # fmt: skip
        parts = [
            replace(citation, chunks=own)
            for citation in context
            if (own := tuple(c for c in citation.chunks if matches(c, articles)))
        ]
        if parts:
            return tuple(parts)
    return ()


def of_document(naming: Naming, context: Sequence[Citation]) -> tuple[Citation, ...]:
    """The sources of the document that is named; all of them if none or an unknown one is.

    A document whose title does not tell its name may have been found by its beginning, which is
    not among the sources then. None where a source only speaks of the document.
    """
    if not naming.document:
        return tuple(context)
    called = {item.document_id for item in context if bears_name(naming, item)}
    if called:
        return tuple(item for item in context if item.document_id in called)
    return () if any(speaks_of(naming, item.text) for item in context) else tuple(context)


def bears_name(naming: Naming, citation: Citation) -> bool:
    """True if a source is of the document that the question names."""
    called = naming.document
    sections = {citation.section, *(chunk.section for chunk in citation.chunks)}
    return any(called.match(citation.title, citation.filename, own)[0] for own in sections) or any(
        chunk.ordinal <= _FRONT and chunk.article is None and called.opens(chunk.text)
        for chunk in citation.chunks
    )


def speaks_of(naming: Naming, text: str) -> bool:
    """True if a text speaks of a named article of the named document ("4857 ... 4. maddesi")."""
    numbers = {article.number.partition("/")[0] for article in naming.articles}
    own = [folded for word in words(text) if (folded := fold(word))]
    return any(
        not numbers.isdisjoint(own[place : place + _BEHIND])
        for place in naming.document.spoken(text)
    )


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
