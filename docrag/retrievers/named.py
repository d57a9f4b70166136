"""Articles that a question names, put before what was found by its words and meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from docrag.api import (
    ARTICLE_LEG,
    Access,
    Candidate,
    ChunkStore,
    Leg,
    Naming,
    ScoredChunk,
    StoredChunk,
    f5,
    header,
    lower,
    named_articles,
)

#: Chunks of named articles that are read, of all documents that have one of this number.
MOST_READ = 400
#: Documents whose article is meant where the question does not say which.
MOST_DOCUMENTS = 3
#: Chunks of articles for a question that asks more than what they say: the rest of the places is
#: for what answers it elsewhere.
MOST_BESIDE = 3
#: Part of a title's terms that a question must have to name the document.
_NAMED_SHARE = 0.5
#: Terms of a title that tell more than a word that happens to stand in it.
_SURE = 2
#: A law's first chunks, by ordinal, which tell its name or number.
_FRONT = 2
#: Terms that stand in the title of any law or regulation.
_GENERIC = frozenset(f5("kanun kanunu yönetmelik yönerge tüzük tebliğ sayılı hakkında dair ve ile"))


def with_named(
    question: str,
    ranked: Sequence[ScoredChunk],
    *,
    store: ChunkStore,
    access: Access,
    k: int,
    pool: Sequence[Candidate] = (),
) -> list[ScoredChunk]:
    """The chunks of the articles that the question names, then the others, at most ``k``.

    Of several documents with such an article, those whose title or number the question names are
    meant; a question that names one that is not among them finds nothing by its article. Where it
    names none, the first documents of ``ranked`` are meant. A chunk of the named paragraph comes
    first, and where there is no article 26/b that of item b of article 26. The store is asked once
    if the question names an article, and not at all otherwise. What is not in force any more when
    it is asked is left out, so that no two versions of a document stand side by side.

    :param ranked: what was found, best first.
    :param pool: all that was found, where documents may tell their name at their beginning.
    :returns: the named ones with a leg ``article`` and the score of the best; ``ranked`` as it is
        where no permitted document has such an article.
    """
    naming = named_articles(question)
    if naming is None:
        return list(ranked[:k])
    found = {hit.chunk.document_id for hit in ranked}
    chunks, still = store.named_beside(naming.looked_up, found, access=access, k=MOST_READ)
    ranked = [hit for hit in ranked if hit.chunk.document_id in still]
    places = {hit.chunk.chunk_id: place for place, hit in enumerate(ranked)}
    fronts = [*(hit.chunk for hit in ranked), *(item.chunk for item in pool)]
    chosen = _chosen(naming, chunks, fronts, places)[:k]
    legs = {hit.chunk.chunk_id: hit.legs for hit in ranked}
    best = ranked[0].score if ranked else 1.0
    first = [
        ScoredChunk(
            chunk=chunk,
            score=best,
            legs=(Leg(name=ARTICLE_LEG, score=1.0, rank=rank), *legs.get(chunk.chunk_id, ())),
        )
        for rank, chunk in enumerate(chosen, start=1)
    ]
    ids = {chunk.chunk_id for chunk in chosen}
    return [*first, *(hit for hit in ranked if hit.chunk.chunk_id not in ids)][:k]


def _chosen(
    naming: Naming,
    chunks: Iterable[StoredChunk],
    found: Sequence[StoredChunk],
    places: Mapping[int, int],
) -> list[StoredChunk]:
    """The chunks that are meant, best first, each once."""
    documents: dict[str, dict[int, StoredChunk]] = {}
    for chunk in chunks:
        documents.setdefault(chunk.document_id, {}).setdefault(chunk.chunk_id, chunk)
    first: dict[str, int] = {}
    for place, chunk in enumerate(found):
        first.setdefault(chunk.document_id, place)
    firsts = {name: next(iter(own.values())) for name, own in documents.items()}
    meant = _meant(naming, firsts, found)
    documents = _exact(naming, {name: documents[name] for name in meant})
    meant = list(documents)
    meant = sorted(meant, key=lambda name: first.get(name, len(found)))[:MOST_DOCUMENTS]
    more = _asks_more(naming, documents[meant[0]]) if meant else False
    chosen = [
        chunk
        for name in meant
        for chunk in _of_document(naming, list(documents[name].values()), places, more=more)
    ]
    return chosen[:MOST_BESIDE] if more else chosen


def _asks_more(naming: Naming, chunks: Mapping[int, StoredChunk]) -> bool:
    """True if a question asks for something beside what an article of this document says."""
    title = set(f5(header(next(iter(chunks.values())).title, "")))
    return any(not title.issuperset(f5(word)) for word in naming.rest)


def _meant(
    naming: Naming, documents: Mapping[str, StoredChunk], ranked: Iterable[StoredChunk]
) -> list[str]:
    """The documents that the question names by number or title; all of them if it names none.

    :param documents: one chunk of each by its identifier.
    """
    names = list(documents)
    if naming.document:
        return _called(naming, documents, ranked)
    asked = [term for word in naming.others for term in f5(word)]
    matches = {name: _title_match(documents[name], asked) for name in names}
    best = max(matches.values(), default=(0, 0.0))
    return [name for name in names if not best[0] or matches[name] == best]


def _called(
    naming: Naming, documents: Mapping[str, StoredChunk], ranked: Iterable[StoredChunk]
) -> list[str]:
    """The documents that bear the name best, or say it at their beginning; maybe none."""
    called = naming.document
    matches = {
        name: called.match(chunk.title, chunk.filename, chunk.section)
        for name, chunk in documents.items()
    }
    best = max(matches.values(), default=(0, 0.0))
    if best[0]:
        return [name for name in documents if matches[name] == best]
    told = {
        chunk.document_id
        for chunk in ranked
        if chunk.ordinal <= _FRONT and chunk.article is None and called.opens(chunk.text)
    }
    return [name for name in documents if name in told]


def _exact(
    naming: Naming, documents: Mapping[str, Mapping[int, StoredChunk]]
) -> dict[str, dict[int, StoredChunk]]:
    """The documents with only the articles that are named, by number or as article and item."""
    wanted = {(article.kind, article.number) for article in naming.articles}
    exact = {
        name: {number: chunk for number, chunk in own.items() if _article(chunk) in wanted}
        for name, own in documents.items()
    }
    exact = {name: own for name, own in exact.items() if own}
    if exact:
        return exact
    items = {article.number.partition("/")[2] for article in naming.articles}
    found: dict[str, dict[int, StoredChunk]] = {}
    for name, own in documents.items():
        first = {n: c for n, c in own.items() if any(_has_item(c, item) for item in items)}
        if first:
            found[name] = {**first, **own}
    return found


def _has_item(chunk: StoredChunk, letter: str) -> bool:
    return re.search(rf"(?:^|\s){letter}\)\s", lower(chunk.text)) is not None


def _title_match(chunk: StoredChunk, asked: Sequence[str]) -> tuple[int, float]:
    """How many terms of a title a question has, and their part; nothing below the half.

    A title of one term must stand in the question as it is ("İş Kanunu").
    """
    title = f5(header(chunk.title, ""))
    terms = set(title) - _GENERIC
    common = len(terms.intersection(asked))
    share = common / len(terms) if terms else 0.0
    runs = (list(asked[n : n + len(title)]) for n in range(len(asked)))
    if share < _NAMED_SHARE or (common < _SURE and title not in runs):
        return 0, 0.0
    return common, share


def _of_document(
    naming: Naming, chunks: Sequence[StoredChunk], places: Mapping[int, int], *, more: bool
) -> list[StoredChunk]:
    """The chunks of one document: of several articles in turn, or those that search ranks best.

    :param more: True if the best are wanted, for something beside what the article says.
    """
    if more and not any(article.paragraph_first for article in naming.articles):
        return sorted(chunks, key=lambda chunk: places.get(chunk.chunk_id, len(places)))
    runs = [list(run) for _, run in groupby(chunks, key=_article)]
    turns = [
        (turn, number, chunk) for number, run in enumerate(runs) for turn, chunk in enumerate(run)
    ]
    return [chunk for _, _, chunk in sorted(turns, key=lambda item: item[:2])]


def _article(chunk: StoredChunk) -> tuple[str, str]:
    article = chunk.article
    return (article.kind, article.number) if article else ("", "")
