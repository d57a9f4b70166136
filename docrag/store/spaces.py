"""Embedding spaces: which model's vectors the dense search reads."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, exists, func, null, select, text, update
from sqlalchemy.orm import Session

from docrag.api import EmbedderError, StoreError
from docrag.store.partitions import DROP, create_partition, drop_partition
from docrag.store.records import Space
from docrag.store.sessions import Sessions
from docrag.store.tables import EmbeddingRow, SpaceRow

#: Key of the advisory lock under which spaces are made; the ASCII codes of "spaces".
LOCK = 0x737061636573
_COLUMNS = (SpaceRow.id, SpaceRow.model_id, SpaceRow.dim, SpaceRow.chunking)
#: In one statement, since every process asks for it often.
_ACTIVE = select(*_COLUMNS).where(SpaceRow.state == "active")
_REQUIRED = select(SpaceRow.evidence_threshold).where(SpaceRow.state == "active")
_BUILDING = select(*_COLUMNS).where(SpaceRow.state == "building").order_by(SpaceRow.id.desc())
_BEFORE = (
    select(*_COLUMNS)
    .where(SpaceRow.state == "retired", SpaceRow.activated_at.is_not(None))
    .order_by(SpaceRow.activated_at.desc())
)
#: Most numbers of a vector that pgvector's HNSW index takes as halfvec.
MAX_DIM = 4000


class Spaces:
    """Makes embedding spaces and tells which one is searched."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def active(self) -> Space | None:
        """The space that the dense search reads; ``None`` before the first one is made."""
        with self._sessions.single() as connection:
            row = connection.execute(_ACTIVE).one_or_none()
        return None if row is None else Space(**row._mapping)

    def building(self) -> Space | None:
        """The space that is filled to be searched next."""
        with self._sessions.single() as connection:
            row = connection.execute(_BUILDING).first()
        return None if row is None else Space(**row._mapping)

    def before(self) -> Space | None:
        """The space that was searched before the active one, as long as it is kept."""
        with self._sessions.single() as connection:
            row = connection.execute(_BEFORE).first()
        return None if row is None else Space(**row._mapping)

    def is_empty(self, space: Space) -> bool:
        """True if the space holds no vector."""
        query = select(~exists().where(EmbeddingRow.space_id == space.id))
        with self._sessions.single() as connection:
            return bool(connection.scalar(query))

    def ensure(self, *, model_id: str, dim: int, chunking: str) -> Space:
        """The space of this model, dimension and chunker, made if it is new.

        It becomes the active one when no other is, or when the active one holds no vectors;
        otherwise it is filled first and the search keeps reading the active one.

        :param dim: numbers of a vector, 1 to 4000.
        :param chunking: fingerprint of the chunker.
        :raises EmbedderError: the dimension is out of range.
        """
        with self._sessions.begin() as session:
            row = _found_or_made(session, model_id, dim, chunking)
            _activate_if_free(session, row)
            return _space(row)

    def start(self, *, model_id: str, dim: int, chunking: str) -> Space:
        """The space of this model, dimension and chunker, to be filled and searched next.

        One that was searched before is filled up.

        :raises EmbedderError: the dimension is out of range.
        :raises StoreError: it is searched already, or another one is being filled.
        """
        with self._sessions.begin() as session:
            row = _found_or_made(session, model_id, dim, chunking)
            if row.state == "active":
                raise StoreError(f"the documents are embedded with {model_id} ({chunking}) already")
            other = select(SpaceRow).where(SpaceRow.state == "building", SpaceRow.id != row.id)
            if (busy := session.scalars(other).first()) is not None:
                raise StoreError(
                    f"{busy.model_id} ({busy.chunking}) is being filled; `docrag reindex switch` "
                    f"to it, or remove it with {DROP} first"
                )
            row.state = "building"
            return _space(row)

    def drop(self) -> list[Space]:
        """Remove every space that is not searched, with its vectors; those that were removed.

        Searches go on meanwhile; no other transaction of this process may be open.

        :raises StoreError: something reads the tables all the time.
        """
        with self._sessions.begin() as session:
            session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            unused = SpaceRow.state != "active"
            spaces = [_space(row) for row in session.scalars(select(SpaceRow).where(unused))]
            # From here on nobody fills them.
            session.execute(update(SpaceRow).where(unused).values(state="retired"))
            session.execute(update(SpaceRow).where(unused).values(activated_at=None))
        for space in spaces:
            with self._sessions.single() as connection:
                drop_partition(connection, space.id)
            with self._sessions.begin() as session:
                session.execute(delete(SpaceRow).where(SpaceRow.id == space.id))
        return spaces

    def calibrate(self, weight: float | None, *, basis: Mapping[str, object] | None = None) -> None:
        """Store what a cosine of 1 is worth in the active space, for every search from now on.

        :param weight: in units of BM25, 0 or more; ``None`` forgets it.
        :param basis: what it was measured on, for people; needed with a weight.
        :raises StoreError: no space is active, or the weight is out of its range.
        """
        known = null() if weight is None or basis is None else dict(basis)
        values = {"cosine_weight": weight, "calibration": known}
        with self._sessions.begin() as session:
            query = update(SpaceRow).where(SpaceRow.state == "active").values(values)
            if session.scalar(query.returning(SpaceRow.id)) is None:
                raise StoreError("no embedding space is active; ingest a document first")

    def calibration(self) -> dict[str, object] | None:
        """What the weight of the active space was measured on; ``None`` without a weight."""
        with self._sessions.begin() as session:
            row = _active_row(session)
            return row.calibration if row is not None else None

    def require(self, evidence: float | None) -> None:
        """Store how much evidence is enough for an answer in the active space, from now on.

        :param evidence: 0 to 1; ``None`` forgets it.
        :raises StoreError: no space is active.
        """
        active = update(SpaceRow).where(SpaceRow.state == "active")
        with self._sessions.begin() as session:
            query = active.values(evidence_threshold=evidence).returning(SpaceRow.id)
            if session.scalar(query) is None:
                raise StoreError("no embedding space is active; ingest a document first")

    def required(self) -> float | None:
        """How much evidence is enough in the active space; ``None`` where nobody measured it."""
        with self._sessions.single() as connection:
            found: float | None = connection.scalar(_REQUIRED)
        return found


def activate(session: Session, space_id: int) -> None:
    """Make a space the active one, and the one that was active a retired one."""
    session.execute(update(SpaceRow).where(SpaceRow.state == "active").values(state="retired"))
    new = {"state": "active", "activated_at": func.clock_timestamp()}
    session.execute(update(SpaceRow).where(SpaceRow.id == space_id).values(new))


def _found_or_made(session: Session, model_id: str, dim: int, chunking: str) -> SpaceRow:
    """The row of a space, while no other process makes one."""
    if not 1 <= dim <= MAX_DIM:
        raise EmbedderError(
            f"model {model_id!r} has {dim} dimensions; 1 to {MAX_DIM} can be stored"
        )
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    key = {"model_id": model_id, "dim": dim, "chunking": chunking}
    row = session.scalar(select(SpaceRow).filter_by(**key))
    if row is None:
        row = SpaceRow(**key, state="building")
        session.add(row)
        session.flush()
        create_partition(session, _space(row))
    if row.state == "retired" and row.activated_at is None:
        raise StoreError(f"{model_id} ({chunking}) is being removed; end that with {DROP}")
    return row


def _activate_if_free(session: Session, row: SpaceRow) -> None:
    """Make the space the active one unless another one with vectors is."""
    active = _active_row(session)
    if active is row:
        return
    if active is not None:
        if session.scalar(select(exists().where(EmbeddingRow.space_id == active.id))):
            return
        active.state = "retired"
        session.flush()
    row.state, row.activated_at = "active", func.now()


def _active_row(session: Session) -> SpaceRow | None:
    """The row of the active space."""
    return session.scalar(select(SpaceRow).where(SpaceRow.state == "active"))


def _space(row: SpaceRow) -> Space:
    """The record of a row."""
    return Space(id=row.id, model_id=row.model_id, dim=row.dim, chunking=row.chunking)
