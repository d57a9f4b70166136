"""The whole state that an ingest or a delete leaves, as figures and digests to be compared."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from sqlalchemy import Engine, text

#: Figures and digests by name; numbers of rows, ids and times are left out.
State: TypeAlias = dict[str, Any]

_PARTS: Final = {
    "documents": "SELECT state, error, n_pages, n_chunks, n_tokens, n_grams, language, warnings"
    " FROM documents",
    "files": "SELECT md5(data) FROM document_files",
    "pages": "SELECT ordinal, number, section, text, warning FROM pages",
    "chunks": "SELECT ordinal, text, page_first, page_last, page_breaks, section, label, n_tokens,"
    " article_kind, article_number, paragraph_first, paragraph_last, status FROM chunks",
    "vectors": "SELECT c.ordinal, CAST(e.e AS text), s.model_id, s.chunking, s.state"
    " FROM embeddings e JOIN chunks c ON c.id = e.chunk_id"
    " JOIN embedding_spaces s ON s.id = e.space_id",
    "held": "SELECT s.model_id, s.chunking, h.warnings FROM space_documents h"
    " JOIN embedding_spaces s ON s.id = h.space_id",
    "postings": "SELECT t.term, c.ordinal, p.tf, p.dl FROM postings p"
    " JOIN terms t ON t.id = p.term_id JOIN chunks c ON c.id = p.chunk_id",
    "terms": "SELECT term, df FROM terms WHERE df > 0",
    "grams": "SELECT gram, df FROM grams WHERE df > 0",
    "corpus": "SELECT * FROM docrag_corpus()",
    "records": "SELECT document_id, ordinal FROM ingest_records",
    "staged": "SELECT document_id FROM ingest_vectors",
    "live": "SELECT id FROM ingest_jobs WHERE state IN ('queued', 'running')",
    "jobs": "SELECT state, stage, done, total, error FROM ingest_jobs",
}
#: One text a row, sorted by bytes: the order of rows means nothing.
_DIGEST: Final = """
    SELECT count(*), md5(coalesce(string_agg(r, chr(10) ORDER BY r COLLATE "C"), ''))
    FROM (SELECT CAST(q AS text) AS r FROM ({query}) q) rows
"""


def state(engine: Engine) -> State:
    """Number of rows and digest of every part, in one snapshot."""
    found: State = {}
    with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        for name, query in _PARTS.items():
            count, md5 = connection.execute(text(_DIGEST.format(query=query))).one()
            found[name] = f"{count} {md5}"
    return found


def differences(one: State, other: State) -> list[str]:
    """Names of the parts that differ."""
    return [name for name in one if one[name] != other.get(name)]
