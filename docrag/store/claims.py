"""A job that this process runs, and the lock that says so."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from docrag.store.records import Document, Job

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job with its document, ours for as long as the block of ``claim`` takes."""

    #: As it was when the run began.
    job: Job
    document: Document
    #: The connection whose session holds the lock.
    connection: Connection = field(repr=False)

    def is_held(self) -> bool:
        """True while the lock is ours; false once its connection broke: another may run then."""
        if self.connection.closed:
            return False
        try:
            self.connection.exec_driver_sql("SELECT 1")
            self.connection.commit()
        except (DBAPIError, psycopg.Error):
            return False
        return True


def close(connection: Connection) -> None:
    """Close a lock's connection; one that is broken has freed its lock already."""
    try:
        connection.close()
    except (DBAPIError, psycopg.Error):
        logger.info("the lock's connection was closed already", extra={"action": "job.lock_lost"})
