"""Where files come in: checked, stored, queued, and run at once if the caller waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from docrag.api import Access, DocumentError
from docrag.ingest.detect import check, clean_filename, suffix_of
from docrag.ingest.worker import Worker
from docrag.store import Store
from docrag.store.records import Document, Job, JobState

#: Bytes of a MiB.
MIB = 1024 * 1024
#: Pause between two looks at a job that another process runs, seconds.
POLL = 0.2


class Intake:
    """Takes files in. Thread-safe."""

    def __init__(
        self, *, store: Store, worker: Worker, suffixes: Collection[str], limit: int
    ) -> None:
        """Keep the parts.

        :param suffixes: suffixes that have a loader.
        :param limit: largest file, MiB.
        """
        self._store = store
        self._worker = worker
        self._suffixes = frozenset(suffixes)
        self._limit = limit

    def put(
        self,
        data: bytes,
        *,
        filename: str,
        roles: Collection[str],
        title: str,
        uploaded_by: int | None,
    ) -> tuple[Document, Job]:
        """Store a file and queue its ingest, in one transaction.

        :raises DocumentError: empty, too large, without a name or without a role.
        :raises UnsupportedDocument: no loader reads it, or it is not what its name says.
        :raises DuplicateDocument: the same bytes are stored already.
        :raises UnknownName: a role does not exist.
        """
        name = clean_filename(filename)
        if len(data) > self._limit * MIB:
            raise DocumentError(
                f"{name!r} has {len(data) / MIB:.1f} MiB; the limit is {self._limit} MiB "
                "(DOCRAG_UPLOAD_LIMIT)"
            )
        suffix = check(data, filename=name, known=self._suffixes)
        return self._store.documents.create(
            filename=name,
            title=title.strip() or name[: -len(suffix_of(name)) - 1],
            suffix=suffix,
            data=data,
            roles=roles,
            uploaded_by=uploaded_by,
        )

    def run(self, job: Job, *, access: Access, listen: Callable[[Job], None] | None) -> Job:
        """Run a queued job here, or wait for the worker that took it first.

        :param listen: called with the job whenever it has got on.
        :returns: the job as it ended.
        """
        with self._store.jobs.claim_one(job.id) as claimed:
            if claimed is not None:
                self._worker.run(claimed, listen)
        ended = self._store.jobs.get(job.id, access=access)
        while ended.state in (JobState.QUEUED, JobState.RUNNING):
            if listen:
                listen(ended)
            time.sleep(POLL)
            ended = self._store.jobs.get(job.id, access=access)
        return ended
