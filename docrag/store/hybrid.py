"""The one statement that runs both searches under one snapshot and one role filter.

The dense search is adaptive: exact over a small permitted set, filtered HNSW with over-fetch over a
large one, because a plain filtered HNSW scan silently returns too little. The lexical search is
BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework: BM25 and Beyond") with
``k1 + 1`` in the numerator, an always positive idf, and every occurrence of a query term counted.
"""

from __future__ import annotations

from sqlalchemy import Text, TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from docrag.store.records import Space

#: BM25 parameters, measured best on Turkish (TQuAD).
K1, B = 0.9, 0.5
#: States in which a document is searched.
READY = "('ready', 'ready_with_warnings')"

_ROLES = "CAST(:roles AS text[])"
#: For the table that HNSW scans: "<> 0" counts as nearly always true with the planner, which has
#: the policy's own condition for an estimate already; twice the same would look like too few rows
#: for an index scan.
_ALLOWED = f"(e.allowed_roles && {_ROLES})::int <> 0"
_VISIBLE = f"d.state IN {READY} AND d.allowed_roles && {_ROLES}"

#: Settings of the HNSW scan for this transaction, the size of the permitted set, and the space.
PRELUDE = text(
    f"""
    SELECT s.id, s.dim,
        (SELECT coalesce(sum(d.n_chunks), 0) FROM documents d WHERE {_VISIBLE}) AS permitted,
        set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', '200000', true),
        set_config('hnsw.scan_mem_multiplier', '8', true),
        set_config('hnsw.ef_search', :ef_search, true)
    FROM (VALUES (1)) one (x) LEFT JOIN embedding_spaces s ON s.state = 'active'
    """  # noqa: S608 - only constants of this module
).bindparams(bindparam("roles", type_=ARRAY(Text)))

#: BM25 over postings; all of its statistics are counted in one snapshot and over all documents:
#: ``docrag_corpus`` counts past row-level security, which ``postings`` are not under. Equal scores
#: are ordered by chunk, and scores are compared to ten places since sums differ in the last bits.
_LEXICAL = f"""
    st AS MATERIALIZED (SELECT n, avgdl FROM docrag_corpus()),
    q AS MATERIALIZED (
        SELECT t.term_id, t.qtf * ln(1 + (st.n - f.df + 0.5) / (f.df + 0.5)) AS idf
        FROM st,
            (SELECT te.id AS term_id, count(*)::float8 AS qtf
             FROM unnest(CAST(:terms AS text[])) u (term) JOIN terms te ON te.term = u.term
             GROUP BY te.id) t,
            LATERAL (SELECT count(*)::float8 AS df FROM postings WHERE term_id = t.term_id) f
    ),
    lexical AS MATERIALIZED (
        SELECT p.chunk_id,
            sum(q.idf * p.tf * ({K1} + 1) / (p.tf + {K1} * (1 - {B} + {B} * p.dl / st.avgdl)))
                AS score
        FROM st, q
            JOIN postings p ON p.term_id = q.term_id
            JOIN documents d ON d.id = p.document_id
        WHERE {_VISIBLE}
        GROUP BY p.chunk_id
        ORDER BY round(sum(q.idf * p.tf * ({K1} + 1)
            / (p.tf + {K1} * (1 - {B} + {B} * p.dl / st.avgdl))) * 1e10) DESC, p.chunk_id
        LIMIT :k
    )"""  # noqa: S608 - only constants of this module

#: ``+ 0`` keeps the planner from the HNSW index, which would cut the permitted set short.
_EXACT = """
    dense AS MATERIALIZED (
        SELECT e.chunk_id, (e.e <=> CAST(:vector AS halfvec({dim}))) + 0 AS dist
        FROM documents d JOIN embeddings e ON e.document_id = d.id
        WHERE e.space_id = {space} AND {visible}
        ORDER BY dist, e.chunk_id
        LIMIT :k
    )"""

#: Relaxed order gives hits out of order: fetch more and sort again. ``dist + 0`` since PostgreSQL
#: 17 and later take the CTE as sorted and stop reading it after ``k`` rows (pgvector issue 862).
_HNSW = """
    near AS MATERIALIZED (
        SELECT e.chunk_id, e.document_id,
            (e.e::halfvec({dim})) <=> CAST(:vector AS halfvec({dim})) AS dist
        FROM embeddings e
        WHERE e.space_id = {space} AND {allowed}
        ORDER BY (e.e::halfvec({dim})) <=> CAST(:vector AS halfvec({dim}))
        LIMIT :fetch
    ),
    dense AS MATERIALIZED (
        SELECT h.chunk_id, h.dist
        FROM near h JOIN documents d ON d.id = h.document_id
        WHERE {visible}
        ORDER BY h.dist + 0, h.chunk_id
        LIMIT :k
    )"""

_DENSE_RANKS = """
    SELECT 'dense' AS leg, chunk_id, 1 - dist AS score,
        row_number() OVER (ORDER BY dist + 0, chunk_id) AS rank
    FROM dense"""
_LEXICAL_RANKS = """
    SELECT 'lexical' AS leg, chunk_id, score,
        row_number() OVER (ORDER BY round(score * 1e10) DESC, chunk_id) AS rank
    FROM lexical"""


def exact_leg(space: Space) -> str:
    """The dense search over every permitted vector of a space."""
    return _EXACT.format(dim=int(space.dim), space=int(space.id), visible=_VISIBLE)


def hnsw_leg(space: Space) -> str:
    """The dense search through the HNSW index of a space.

    Space and dimension stand in the text, so that the planner sees one partition and its index.
    """
    return _HNSW.format(dim=int(space.dim), space=int(space.id), visible=_VISIBLE, allowed=_ALLOWED)


def statement(dense: str, *, lexical: bool) -> TextClause:
    """One statement for the given searches.

    Its parameters: ``roles``, ``k``, ``vector`` (halfvec text), ``fetch`` and ``terms``, as far as
    the searches need them. Its rows: leg, rank, score and the chunk, dense ones first, by rank.

    :param dense: :func:`exact_leg` or :func:`hnsw_leg`, empty for none.
    :param lexical: with BM25; at least one of the two is needed.
    """
    searches = [dense] if dense else []
    ranks = [_DENSE_RANKS] if dense else []
    if lexical:
        searches.append(_LEXICAL)
        ranks.append(_LEXICAL_RANKS)
    query = text(
        f"""
        WITH {",".join(searches)}
        SELECT r.leg, r.rank, r.score, c.id, d.public_id::text AS document_id, d.title, d.filename,
            c.ordinal, c.text, c.page_first, c.page_last, c.section
        FROM ({" UNION ALL ".join(ranks)}) r
            JOIN chunks c ON c.id = r.chunk_id
            JOIN documents d ON d.id = c.document_id
        ORDER BY r.leg, r.rank
        """  # noqa: S608 - constants of this module, and integers
    )
    query = query.bindparams(bindparam("roles", type_=ARRAY(Text)))
    return query.bindparams(bindparam("terms", type_=ARRAY(Text))) if lexical else query
