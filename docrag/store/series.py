"""Versions of one document: which comes next, and from when to when each is in force."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from docrag.api import DocumentError, DocumentNotFound
from docrag.store.permission import public_uuid, today
from docrag.store.records import DocumentState, JobState, NewVersion
from docrag.store.tables import DocumentRoleRow, DocumentRow, JobRow, RoleRow

#: Earliest day that a version may begin or end on, so that the day before is one as well.
FIRST_DAY: Final = date(1000, 1, 1)

#: In a series, ready versions follow each other by the day on which they begin, then by number; one
#: that knows no such day was there from the beginning. Each ends on the day that was given for it,
#: or before the next one begins, whichever is earlier; of two that begin on one day, the earlier
#: version ends before it has begun, so it is never in force. One that was over before it began (it
#: was read after its last day) ends no other.
_RECKON: Final = text(
    """
    UPDATE documents d SET valid_to = r.valid_to
    FROM (
        SELECT id, least(given_to, lead(coalesce(valid_from, DATE '0002-01-01')) OVER (
            ORDER BY valid_from NULLS FIRST, version) - 1) AS valid_to
        FROM documents WHERE series = :series AND state IN ('ready', 'ready_with_warnings')
            AND (given_to IS NULL OR coalesce(valid_from, DATE '0002-01-01') <= given_to)
    ) r
    WHERE d.id = r.id AND d.valid_to IS DISTINCT FROM r.valid_to
    """
)


#: States of a document that searches look at, and of a job that is still to be run.
_READY: Final = (DocumentState.READY.value, DocumentState.READY_WITH_WARNINGS.value)
_LIVE: Final = (JobState.QUEUED.value, JobState.RUNNING.value)


class Kept(Enum):
    """Stands for a bound that is not changed."""

    KEPT = "kept"


#: A bound as it is.
KEPT: Final = Kept.KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a new version in its series."""

    series: uuid.UUID
    version: int
    #: Of the version that it replaces; roles that are still in use.
    title: str
    roles: frozenset[str]


def check(version: NewVersion) -> None:
    """Refuse days that no version can be in force on.

    :raises DocumentError: the first is later than the last, or one is out of range.
    """
    for name, day in (("valid_from", version.valid_from), ("valid_to", version.valid_to)):
        if day is not None and day < FIRST_DAY:
            raise DocumentError(f"{name} is {day}; it must be {FIRST_DAY} or later")
    if version.valid_from and version.valid_to and version.valid_from > version.valid_to:
        raise DocumentError(
            f"valid_from is {version.valid_from}, later than valid_to, {version.valid_to}; "
            "the first day comes first"
        )
    if version.replaces and version.valid_to and not version.valid_from:
        _check_not_over(version.valid_to)


def _check_not_over(last: date) -> None:
    """Refuse the last day of a version that begins today, as one without a first day does.

    :raises DocumentError: it is past.
    """
    if last < today():
        raise DocumentError(
            f"valid_to is {last}, which is past, and a version that replaces another begins today "
            "unless valid_from is given; give valid_from as well"
        )


def place(session: Session, replaces: str) -> Place:
    """The place behind all versions of the document that one of them names.

    :param replaces: public identifier of any version.
    :raises DocumentNotFound: missing or malformed.
    """
    lock(session, replaces)
    old = session.scalar(select(DocumentRow).where(DocumentRow.public_id == public_uuid(replaces)))
    if old is None:
        raise DocumentNotFound(replaces)
    last = select(func.max(DocumentRow.version)).where(DocumentRow.series == old.series)
    in_use = (
        select(DocumentRoleRow.role)
        .join(RoleRow, RoleRow.name == DocumentRoleRow.role)
        .where(DocumentRoleRow.document_id == old.id, RoleRow.retired_at.is_(None))
    )
    return Place(
        series=old.series,
        version=(session.scalar(last) or 0) + 1,
        title=old.title,
        roles=frozenset(session.scalars(in_use)),
    )


def lock(session: Session, document_id: str) -> None:
    """Have all changes of a document's versions wait for this transaction, before any row is read.

    :raises DocumentNotFound: the identifier is malformed; a missing document locks nothing.
    """
    where = DocumentRow.public_id == public_uuid(document_id)
    series = session.scalar(select(DocumentRow.series).where(where))
    if series is not None:
        key = func.hashtextextended(str(series), 0)
        session.execute(select(func.pg_advisory_xact_lock(key)))


def hold(session: Session, document_id: str) -> DocumentRow:
    """The row of a document as it is now; whoever else changes it, its jobs or versions waits.

    Whoever needs several of these locks takes them in this order: live jobs, series, document.

    :raises DocumentNotFound: missing or malformed.
    """
    where = DocumentRow.public_id == public_uuid(document_id)
    number = select(DocumentRow.id).where(where).scalar_subquery()
    jobs = select(JobRow.id).where(JobRow.document_id == number, JobRow.state.in_(_LIVE))
    session.execute(jobs.order_by(JobRow.id).with_for_update())
    lock(session, document_id)
    return held(session, document_id)


def held(session: Session, document_id: str) -> DocumentRow:
    """The row of a document as it is now, locked.

    :raises DocumentNotFound: missing or malformed.
    """
    query = select(DocumentRow).where(DocumentRow.public_id == public_uuid(document_id))
    query = query.with_for_update().execution_options(populate_existing=True)
    row: DocumentRow | None = session.scalar(query)
    if row is None:
        raise DocumentNotFound(document_id)
    return row


def settle(session: Session, row: DocumentRow) -> None:
    """Put a version that has become ready in force, and end those that it replaces.

    One that knows no first day begins today, unless a version of a higher number is ready that it
    would end: then it begins with that one, which goes before it.

    :param row: in a session that has :func:`hold`.
    """
    earlier = select(DocumentRow.id).where(
        DocumentRow.series == row.series,
        DocumentRow.version < row.version,
        DocumentRow.state != DocumentState.FAILED.value,
    )
    if row.valid_from is None and session.scalar(earlier.limit(1)) is not None:
        now = today()
        later = session.scalars(
            select(DocumentRow.valid_from).where(
                DocumentRow.series == row.series,
                DocumentRow.version > row.version,
                DocumentRow.state.in_(_READY),
                func.coalesce(DocumentRow.valid_to, now) >= now,
            )
        ).all()
        firsts = [day for day in later if day is not None]
        row.valid_from = None if len(firsts) < len(later) else min([now, *firsts])
    session.flush()
    reckon(session, row.series)


def reckon(session: Session, series: uuid.UUID) -> None:
    """Work out on which day each version of a series ends; of no versions, nothing."""
    session.execute(_RECKON, {"series": series})


def date_version(
    session: Session, row: DocumentRow, valid_from: date | Kept | None, valid_to: date | Kept | None
) -> None:
    """Give a version other days, and work the series out again.

    :param row: in a session that has :func:`hold`.
    :raises DocumentError: days that cannot be.
    """
    first = row.valid_from if isinstance(valid_from, Kept) else valid_from
    last = row.given_to if isinstance(valid_to, Kept) else valid_to
    check(NewVersion(valid_from=first, valid_to=last))
    values = {"valid_from": first, "valid_to": last, "given_to": last}
    session.execute(update(DocumentRow).where(DocumentRow.id == row.id).values(values))
    reckon(session, row.series)
