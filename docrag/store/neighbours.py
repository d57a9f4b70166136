"""Chunks beside those that a search found."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from docrag.api import Access, StoredChunk
from docrag.store.permission import BOUND, VISIBLE, parameters
from docrag.store.sessions import Sessions
from docrag.store.stored import columns, stored_chunk

#: Most chunks on each side; beyond, a passage is no longer about what was found.
MOST_REACH = 5

#: From each found chunk along the index over (document, ordinal); two found chunks can share a
#: neighbour.
_AROUND = text(
    f"""
    SELECT DISTINCT ON (n.document_id, n.ordinal)
        n.id, d.public_id::text AS document_id, d.title, d.filename, {columns("n")}
    FROM chunks f
        JOIN documents d ON d.id = f.document_id
        JOIN chunks n ON n.document_id = f.document_id
            AND n.ordinal BETWEEN f.ordinal - :reach AND f.ordinal + :reach
    WHERE {VISIBLE} AND f.id = ANY(:chunks) AND n.id <> ALL(:chunks)
    ORDER BY n.document_id, n.ordinal
    """  # noqa: S608 - only constants of the store
).bindparams(*BOUND, bindparam("chunks", type_=ARRAY(BigInteger)))


class Neighbours:
    """Reads the chunks beside given ones, for small-to-big passages."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def around(self, chunk_ids: Sequence[int], *, reach: int, access: Access) -> list[StoredChunk]:
        """Permitted chunks of the same documents, at most ``reach`` places away; one statement.

        What may be read is decided now, whatever could be read when the chunks were found. A
        document that was read in again since has other chunk ids, so nothing is found beside them.

        :param chunk_ids: internal ids of chunks, not themselves returned.
        :param reach: chunks before and after each, 1 to :data:`MOST_REACH`.
        :param access: only chunks that it may read are returned, by a filter inside the SQL.
        :returns: by document and in reading order, each once; nothing for no chunks or no roles,
            without asking the database.
        :raises ValueError: ``reach`` is out of its range.
        """
        if not 1 <= reach <= MOST_REACH:
            raise ValueError(f"reach is {reach}; it must be 1 to {MOST_REACH}")
        permitted = parameters(access)
        if not permitted["roles"] or not chunk_ids:
            return []
        values = permitted | {"chunks": list(chunk_ids), "reach": reach}
        with self._sessions.begin(access=access) as session:
            rows = session.execute(_AROUND, values).all()
        return [stored_chunk(row) for row in rows]
