"""BM25 over postings as common table expressions: the lexical search, and two scores of a pool.

The formula is that of :mod:`docrag.bm25`. All statistics are those of the statement's own
snapshot and over all documents: ``docrag_corpus`` counts past row-level security, which ``terms``
(with how many chunks hold each, kept by a trigger) and ``postings`` are not under. The other tables
are read with the caller's role filter, and postings of permitted documents only.
"""

from __future__ import annotations

from docrag.api import K1, WINDOW, B
from docrag.store.permission import VISIBLE

#: Chunks of a corpus from which common terms are left out of the search, and the rarest terms of a
#: question that are never left out. At 200,000 chunks the search takes a third of the time.
LARGE, RAREST = 20_000, 3
#: Share of chunks from which a term is common, for the lexical search alone and beside the dense
#: one, which finds what it then misses; neither loses Recall@5 on TQuAD's training questions.
COMMON_ALONE, COMMON_BESIDE = 0.25, 0.1

#: Terms of the question with their weight; ``bases`` are the terms in postings that they name.
#: ``kaza*`` is a class: ``kaza`` and every term of five letters that begins with it; a word that
#: no document has stands for the terms near to it, which ``near`` gives beside ``near_of``. All
#: members of a class have the idf of their frequencies in sum. ``~>~`` compares bytes, so that the
#: index serves it whatever the collation, and ``OFFSET 0`` keeps the planner from reading all.
_QUESTION = f"""
    permitted AS MATERIALIZED (SELECT d.id FROM documents d WHERE {VISIBLE}),
    st AS MATERIALIZED (SELECT n, avgdl, avgwindow FROM docrag_corpus()),
    asked AS MATERIALIZED (
        SELECT u.asked, u.term, count(*)::float8 AS qtf
        FROM unnest(CAST(:terms AS text[]), CAST(:bases AS text[])) u (asked, term)
        GROUP BY u.asked, u.term
    ),
    member AS MATERIALIZED (
        SELECT a.asked, a.qtf, te.id AS term_id, te.df::float8 AS df, a.term AS named
        FROM asked a JOIN terms te ON te.term = a.term
        UNION ALL
        SELECT a.asked, a.qtf, b.id, b.df, NULL FROM asked a CROSS JOIN LATERAL (
            SELECT te.id, te.term, te.df FROM terms te
            WHERE te.term ~>~ a.term AND te.term ~<~ (a.term || chr(1114111)) OFFSET 0
        ) b
        WHERE a.asked LIKE '%*' AND char_length(b.term) = 5
        UNION ALL
        SELECT a.asked, a.qtf, te.id, te.df, NULL
        FROM unnest(CAST(:near_of AS text[]), CAST(:near AS text[])) v (asked, term)
            JOIN asked a ON a.asked = v.asked JOIN terms te ON te.term = v.term
    ),
    counted AS MATERIALIZED (
        SELECT m.asked, m.qtf, m.term_id, m.named, m.df AS own,
            sum(m.df) OVER (PARTITION BY m.asked) AS df
        FROM member m
    ),
    q AS MATERIALIZED (
        SELECT c.term_id, sum(c.qtf * ln(1 + (st.n - least(c.df, st.n) + 0.5)
            / (least(c.df, st.n) + 0.5))) AS weight, max(c.own) AS own
        FROM counted c, st WHERE c.own > 0 GROUP BY c.term_id
    )"""  # noqa: S608 - only constants of this module


def _saturated(tf: str, length: str, average: str) -> str:
    """SQL of what repeats of a term are worth."""
    return f"{tf} * ({K1} + 1) / ({tf} + {K1} * (1 - {B} + {B} * {length} / {average}))"


_SCORE = f"sum(q.weight * {_saturated('p.tf', 'p.dl', 'st.avgdl')})"


def _search(terms: str) -> str:
    """SQL of the best chunks for a table of terms.

    Equal scores are ordered by chunk, and scores are compared to ten places since sums differ in
    the last bits.
    """
    return f"""
        SELECT p.chunk_id, {_SCORE} AS score
        FROM st, {terms} q
            JOIN postings p ON p.term_id = q.term_id
        WHERE p.document_id IN (SELECT id FROM permitted)
        GROUP BY p.chunk_id
        ORDER BY round({_SCORE} * 1e10) DESC, p.chunk_id
        LIMIT :k"""  # noqa: S608 - only constants of this module


#: True where the rarer terms find too few chunks, perhaps since theirs are hidden, and others were
#: left out: all terms are searched for then. It reads no row of a chunk, so it is decided once.
_SHORT = """(SELECT count(*) FROM rarer) < :k
            AND (SELECT count(*) FROM searched) < (SELECT count(*) FROM q)"""


def _leg(common: float) -> str:
    """SQL of the lexical search.

    The terms that find candidates are, in a large corpus, those that stand in few chunks, while
    enough of them remain; the others only add to the scores of what these find.
    """
    return f"""{_QUESTION},
    searched AS MATERIALIZED (
        SELECT r.term_id, r.weight
        FROM st, (SELECT *, row_number() OVER (ORDER BY own, term_id) AS place FROM q) r
        WHERE st.n < {LARGE} OR r.own <= st.n * {common} OR r.place <= {RAREST}
    ),
    rarer AS MATERIALIZED ({_search("searched")}
    ),
    lexical AS MATERIALIZED (
        SELECT chunk_id, score FROM rarer WHERE NOT ({_SHORT})
        UNION ALL
        SELECT chunk_id, score FROM ({_search("q")}) a
        WHERE {_SHORT}
    )"""  # noqa: S608 - only constants of this module


#: The lexical search by itself, and beside the dense one.
LEXICAL_ALONE, LEXICAL_BESIDE = _leg(COMMON_ALONE), _leg(COMMON_BESIDE)

#: Scores of all chunks in ``found``: of themselves, also where only the dense search found them,
#: and of the window that each is one of. ``OFFSET 0`` keeps one index probe a window and term.
SCORES = f"""
    span AS MATERIALIZED (
        SELECT w.document, w.slot, min(c.id) AS first, max(c.id) AS last,
            sum(c.n_tokens)::float8 AS length
        FROM (SELECT DISTINCT document, slot, low, high FROM found) w
            JOIN chunks c ON c.document_id = w.document AND c.ordinal BETWEEN w.low AND w.high
        GROUP BY w.document, w.slot
    ),
    hit AS MATERIALIZED (
        SELECT s.document, s.slot, s.length, p.chunk_id, q.term_id, q.weight, p.tf, p.dl
        FROM span s CROSS JOIN q CROSS JOIN LATERAL (
            SELECT chunk_id, tf, dl FROM postings
            WHERE term_id = q.term_id AND chunk_id BETWEEN s.first AND s.last
                AND document_id = s.document
            OFFSET 0
        ) p
    ),
    worded AS MATERIALIZED (
        SELECT h.chunk_id, sum(h.weight * {_saturated("h.tf", "h.dl", "st.avgdl")}) AS score
        FROM hit h, st GROUP BY h.chunk_id
    ),
    windowed AS MATERIALIZED (
        SELECT g.document, g.slot,
            sum(g.weight * {_saturated("g.tf", "g.length", "st.avgwindow")}) AS score
        FROM st, (
            SELECT document, slot, length, term_id, weight, sum(tf)::float8 AS tf
            FROM hit GROUP BY document, slot, length, term_id, weight
        ) g
        GROUP BY g.document, g.slot
    )"""  # noqa: S608 - only constants of this module

#: How many chunks each term that the question names stands in, in the statement's own snapshot.
FREQUENCIES = "(SELECT jsonb_object_agg(named, own) FROM counted WHERE named IS NOT NULL)"

#: Places of a chunk's window: the runs of at most ``WINDOW`` neighbours that a document is cut
#: into as evenly as can be.
SLOT = f"""
    CROSS JOIN LATERAL (SELECT (greatest(d.n_chunks, 1) + {WINDOW - 1}) / {WINDOW} AS n) w
    CROSS JOIN LATERAL (SELECT ((c.ordinal + 1) * w.n - 1) / greatest(d.n_chunks, 1) AS slot) s"""
LOW = "s.slot * d.n_chunks / w.n"
HIGH = "(s.slot + 1) * d.n_chunks / w.n - 1"
