"""Chunks of the articles that a question names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Integer, Text, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docrag.api import Access, Article, StoredChunk
from docrag.store.permission import BOUND, VISIBLE, parameters
from docrag.store.sessions import Sessions
from docrag.store.stored import columns, stored_chunk

#: Each article along the index over (kind, number).
_NAMED = text(
    f"""
    SELECT c.id, d.public_id::text AS document_id, d.title, d.filename, {columns("c")}
    FROM unnest(CAST(:kinds AS text[]), CAST(:numbers AS text[]), CAST(:firsts AS integer[]),
                CAST(:lasts AS integer[]))
            WITH ORDINALITY a (kind, number, first, last, place)
        JOIN chunks c ON c.article_kind = a.kind AND c.article_number = a.number
        JOIN documents d ON d.id = c.document_id
    WHERE {VISIBLE}
    ORDER BY a.place, c.document_id,
        coalesce(c.paragraph_first <= a.last AND c.paragraph_last >= a.first, false) DESC, c.ordinal
    LIMIT :k
    """  # noqa: S608 - only constants of the store
).bindparams(
    *BOUND,
    bindparam("kinds", type_=ARRAY(Text)),
    bindparam("numbers", type_=ARRAY(Text)),
    bindparam("firsts", type_=ARRAY(Integer)),
    bindparam("lasts", type_=ARRAY(Integer)),
)
#: Those of some documents that searches look at.
_STILL = text(
    f"""
    SELECT d.public_id::text FROM documents d
    WHERE d.public_id = ANY(CAST(:documents AS uuid[])) AND {VISIBLE}
    """  # noqa: S608 - only constants of the store
).bindparams(*BOUND, bindparam("documents", type_=ARRAY(Text)))


def named_beside(
    sessions: Sessions,
    articles: Sequence[Article],
    documents: Collection[str],
    *,
    access: Access,
    k: int,
) -> tuple[list[StoredChunk], frozenset[str]]:
    """Chunks of the articles, and which of some documents are visible at the same moment.

    An article that does not exist, one that the access may not read and one of a version that is
    not in force give nothing alike.

    :param articles: kind and number; with paragraphs, chunks that hold one of them come first in
        their document, the others follow in reading order.
    :param documents: public identifiers, of what was found before: a version that came in force
        since then would otherwise stand beside the one that it replaced.
    :param access: only chunks that it may read are returned, by a filter inside the SQL.
    :param k: at most this many chunks, 1 or more.
    :returns: chunks in order of ``articles``, then of their documents, by one statement; none for
        no articles or no roles, without asking the database.
    :raises ValueError: ``k`` is less than 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be 1 or more")
    permitted = parameters(access)
    if not permitted["roles"] or not articles:
        return [], frozenset(documents if permitted["roles"] else ())
    asked = permitted | {"documents": sorted(documents)}
    with sessions.begin(snapshot=bool(documents), access=access) as session:
        chunks = _read(session, articles, permitted, k)
        still = frozenset(session.scalars(_STILL, asked)) if documents else frozenset()
    return chunks, still


def _read(
    session: Session, articles: Sequence[Article], permitted: dict[str, object], k: int
) -> list[StoredChunk]:
    """Chunks of the articles, for parameters of an access."""
    values = permitted | {
        "kinds": [article.kind for article in articles],
        "numbers": [article.number for article in articles],
        "firsts": [article.paragraph_first for article in articles],
        "lasts": [article.paragraph_last for article in articles],
        "k": k,
    }
    return [stored_chunk(row) for row in session.execute(_NAMED, values)]
