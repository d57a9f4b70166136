"""The one statement that runs both searches under one snapshot and one role filter.

The dense search is adaptive: exact over a small permitted set, filtered HNSW with over-fetch over a
large one, because a plain filtered HNSW scan silently returns too little. The lexical search is
BM25 (:mod:`docrag.store.bm25`). A chunk that one of them found gets the score of the other as well,
so that the second stage can add them, and its cosine to the question moved towards the best dense
results (Rocchio, 1971, over embeddings as in Li et al., "Pseudo Relevance Feedback with Deep
Language Models and Dense Retrievers", 2021), which finds more where question and passage share few
words.
"""

from __future__ import annotations

from sqlalchemy import Text, TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from docrag.store.bm25 import FREQUENCIES, HIGH, LEXICAL_ALONE, LEXICAL_BESIDE, LOW, SCORES, SLOT
from docrag.store.permission import BOUND, ROLES, VISIBLE
from docrag.store.records import Space
from docrag.store.stored import columns

#: For the table that HNSW scans: "<> 0" counts as nearly always true with the planner, which has
#: the policy's own condition for an estimate already; twice the same would look like too few rows
#: for an index scan.
_ALLOWED = f"(e.allowed_roles && {ROLES})::int <> 0"

#: Settings of the HNSW scan for this transaction, the size of the permitted set, the space, and
#: which terms no permitted document has: others must not show in what stands in for them.
PRELUDE = text(
    f"""
    WITH permitted AS MATERIALIZED (SELECT d.id, d.n_chunks FROM documents d WHERE {VISIBLE})
    SELECT s.id, s.dim,
        ARRAY(SELECT u FROM unnest(CAST(:bases AS text[])) u
              WHERE NOT EXISTS (
                  SELECT FROM terms te CROSS JOIN LATERAL (
                      SELECT FROM postings p WHERE p.term_id = te.id
                          AND p.document_id IN (SELECT id FROM permitted)
                      LIMIT 1
                  ) held
                  WHERE te.term = u)) AS unknown,
        (SELECT coalesce(sum(n_chunks), 0) FROM permitted) AS permitted,
        set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', '200000', true),
        set_config('hnsw.scan_mem_multiplier', '8', true),
        set_config('hnsw.ef_search', :ef_search, true)
    FROM (VALUES (1)) one (x) LEFT JOIN embedding_spaces s ON s.state = 'active'
    """  # noqa: S608 - only constants of this module
).bindparams(*BOUND, bindparam("bases", type_=ARRAY(Text)))

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
    SELECT chunk_id, row_number() OVER (ORDER BY dist + 0, chunk_id) AS dense_rank, dist,
        NULL::bigint AS lexical_rank, NULL::float8 AS score
    FROM dense"""
_LEXICAL_RANKS = """
    SELECT chunk_id, NULL::bigint, NULL::float8,
        row_number() OVER (ORDER BY round(score * 1e10) DESC, chunk_id), score
    FROM lexical"""

#: One row a chunk. The filter stands here once more: what a search let through by mistake would
#: stop here.
_FOUND = f"""
    pool AS MATERIALIZED (
        SELECT chunk_id, max(dense_rank) AS dense_rank, max(dist) AS dist,
            max(lexical_rank) AS lexical_rank, max(score) AS score
        FROM ({{ranks}}) r GROUP BY chunk_id
    ),
    found AS MATERIALIZED (
        SELECT r.*, c.id, {columns("c")},
            d.id AS document, d.public_id::text AS document_id, d.title, d.filename,
            s.slot, {LOW} AS low, {HIGH} AS high
        FROM pool r JOIN chunks c ON c.id = r.chunk_id JOIN documents d ON d.id = c.document_id
            {SLOT}
        WHERE {VISIBLE}
    )"""  # noqa: S608 - only constants of this module

#: Best dense results that the question is moved towards, and how far: the weight of their mean
#: beside the question's 1. Best on TQuAD's training questions among 1 to 5 and .2 to .7.
FEEDBACK, FEEDBACK_WEIGHT = 3, 0.2
#: The moved question; its length means nothing to a cosine, so the weight divides the question.
#: In full precision: halves would round what is weighed against words.
_MOVED = f"""
    moved AS MATERIALIZED (
        SELECT CAST(:scaled AS vector({{dim}})) + avg(l2_normalize(e.e::vector({{dim}}))) AS e
        FROM found f JOIN embeddings e ON e.space_id = {{space}} AND e.chunk_id = f.id
        WHERE f.dense_rank <= {FEEDBACK}
    )"""  # noqa: S608 - only constants of this module
_FEEDBACK = "1 - (e.e::vector({dim}) <=> (SELECT m.e FROM moved m))"
#: The vector of each chunk: the lexical search may have found what the dense one did not.
_COSINE = """
    LEFT JOIN embeddings e ON e.space_id = {space} AND e.chunk_id = f.id"""
_WORDS = """
    LEFT JOIN worded o ON o.chunk_id = f.id
    LEFT JOIN windowed w ON w.document = f.document AND w.slot = f.slot"""

#: Scores by all terms of the question; the statistics of its words stand in the first row only.
_SCORED = f"""coalesce(o.score, f.score, 0) AS lexical, coalesce(w.score, 0) AS window,
    CASE WHEN row_number() OVER (ORDER BY f.dense_rank NULLS LAST, f.lexical_rank) = 1
        THEN {FREQUENCIES} END AS frequencies,
    (SELECT n FROM st) AS n, (SELECT avgdl FROM st) AS avgdl"""  # noqa: S608 - only constants


def exact_leg(space: Space) -> str:
    """The dense search over every permitted vector of a space."""
    return _EXACT.format(dim=int(space.dim), space=int(space.id), visible=VISIBLE)


def hnsw_leg(space: Space) -> str:
    """The dense search through the HNSW index of a space.

    Space and dimension stand in the text, so that the planner sees one partition and its index.
    """
    return _HNSW.format(dim=int(space.dim), space=int(space.id), visible=VISIBLE, allowed=_ALLOWED)


def statement(dense: str, *, lexical: bool, space: Space | None = None) -> TextClause:
    """One statement for the given searches.

    Its parameters: ``roles``, ``day``, ``k``, ``vector`` (halfvec text), ``fetch``, and of the
    words ``terms``, ``bases``, ``near_of`` and ``near``, as far as the searches need them; of both
    together ``scaled``, the vector (text) of length 1 / :data:`FEEDBACK_WEIGHT`. Its rows: a chunk
    each, with its rank and score by either search, dense results by rank first, then lexical ones
    by rank.

    :param dense: :func:`exact_leg` or :func:`hnsw_leg`, empty for none.
    :param lexical: with BM25; at least one of the two is needed.
    :param space: the space of the dense search.
    """
    legs = [dense] if dense else []
    ranks = [_DENSE_RANKS] if dense else []
    if lexical:
        legs.append(LEXICAL_BESIDE if dense else LEXICAL_ALONE)
        ranks.append(_LEXICAL_RANKS if dense else _named(_LEXICAL_RANKS))
    legs.append(_FOUND.format(ranks=" UNION ALL ".join(ranks)))
    cosine = "1 - f.dist" if dense else "NULL::float8"
    joins, feedback = "", "NULL::float8"
    if dense and lexical and space is not None:
        names = {"space": int(space.id), "dim": int(space.dim)}
        cosine = f"1 - coalesce(f.dist, e.e <=> CAST(:vector AS halfvec({space.dim:d})))"
        feedback = _FEEDBACK.format(**names)
        joins = _COSINE.format(**names)
        legs.append(_MOVED.format(**names))
    scores = "0::float8 AS lexical, 0::float8 AS window, NULL AS frequencies"
    if lexical:
        legs.append(SCORES)
        scores = _SCORED
        joins += _WORDS
    query = text(
        f"""
        WITH {",".join(legs)}
        SELECT f.dense_rank, f.lexical_rank, {cosine} AS dense, {feedback} AS feedback, {scores},
            f.id, f.document_id, f.title, f.filename, {columns("f")}
        FROM found f {joins}
        ORDER BY f.dense_rank NULLS LAST, f.lexical_rank
        """  # noqa: S608 - constants of these modules, and integers
    )
    query = query.bindparams(*BOUND)
    words = ("terms", "bases", "near_of", "near") if lexical else ()
    return query.bindparams(*(bindparam(name, type_=ARRAY(Text)) for name in words))


def _named(ranks: str) -> str:
    """The lexical ranks with the names of columns that otherwise the dense ones give."""
    columns = "chunk_id, dense_rank, dist, lexical_rank, score"
    return f"SELECT * FROM ({ranks}) r ({columns})"  # noqa: S608 - only constants of this module
