"""Articles that a question names, put before what was found by its words and meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from docrag.api import (
    ARTICLE_LEG,
    Access,
    ChunkStore,
    Leg,
    Naming,
    ScoredChunk,
    StoredChunk,
    f5,
    header,
    lower,
    named_articles,
    words,
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
#: A law's first chunks, by ordinal, and what they tell of its number.
_FRONT = 2
_OWN_NUMBER = re.compile(r"numaras[ıi]\s*:?\s*(\d{3,5})")
#: Terms that stand in the title of any law or regulation.
_GENERIC = frozenset(f5("kanun kanunu yönetmelik yönerge tüzük tebliğ sayılı hakkında dair ve ile"))


def with_named(
    question: str, ranked: Sequence[ScoredChunk], *, store: ChunkStore, access: Access, k: int
) -> list[ScoredChunk]:
    """The chunks of the articles that the question names, then the others, at most ``k``.

    Of several documents with such an article, those whose title or number the question names are
    meant, otherwise the first ones of ``ranked``. A chunk of the named paragraph comes first. The
    store is asked once if the question names an article, and not at all otherwise.

    :param ranked: what was found, best first.
    :returns: the named ones with a leg ``article`` and the score of the best; ``ranked`` as it is
        where no permitted document has such an article.
    """
    naming = named_articles(question)
    if naming is None:
        return list(ranked[:k])
    chunks = store.named(naming.articles, access=access, k=MOST_READ)
    places = {hit.chunk.chunk_id: place for place, hit in enumerate(ranked)}
    chosen = _chosen(naming, chunks, ranked, places)[:k]
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
    ranked: Sequence[ScoredChunk],
    places: Mapping[int, int],
) -> list[StoredChunk]:
    """The chunks that are meant, best first, each once."""
    documents: dict[str, dict[int, StoredChunk]] = {}
    for chunk in chunks:
        documents.setdefault(chunk.document_id, {}).setdefault(chunk.chunk_id, chunk)
    first: dict[str, int] = {}
    for place, hit in enumerate(ranked):
        first.setdefault(hit.chunk.document_id, place)
    meant = _meant(
        naming,
        {name: next(iter(own.values())) for name, own in documents.items()},
        [hit.chunk for hit in ranked],
    )
    meant = sorted(meant, key=lambda name: first.get(name, len(ranked)))[:MOST_DOCUMENTS]
    more = _asks_more(naming, documents[meant[0]]) if meant else False
    found = [
        chunk
        for name in meant
        for chunk in _of_document(naming, list(documents[name].values()), places, more=more)
    ]
    return found[:MOST_BESIDE] if more else found


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
    if naming.laws:
        known = {chunk.document_id for chunk in ranked if _tells_number(chunk, naming.laws)}
        numbered = [
            name for name in names if name in known or _has_number(documents[name], naming.laws)
        ]
        if numbered:
            return numbered
    asked = [term for word in naming.others for term in f5(word)]
    matches = {name: _title_match(documents[name], asked) for name in names}
    best = max(matches.values(), default=(0, 0.0))
    if not best[0] or (naming.laws and best[0] < _SURE):
        return [] if naming.laws else names
    return [name for name in names if matches[name] == best]


def _has_number(chunk: StoredChunk, laws: Sequence[str]) -> bool:
    """True if title, file name or section of a document holds the number of a law."""
    text = f"{header(chunk.title, chunk.section)} {chunk.filename.replace('_', ' ')}"
    return not set(words(text)).isdisjoint(laws)


def _tells_number(chunk: StoredChunk, laws: Sequence[str]) -> bool:
    """True if a chunk at the beginning of a law tells its number ("Kanun Numarası : 6331")."""
    if chunk.ordinal > _FRONT or chunk.article is not None:
        return False
    return any(found in laws for found in _OWN_NUMBER.findall(lower(chunk.text)))


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
