"""Where files come in: checked, stored, queued, and run at once if the caller waits."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Collection
from pathlib import Path

from docrag.api import Access, DocumentError
from docrag.ingest.detect import check, check_suffix, clean_filename, clean_title
from docrag.ingest.worker import Worker
from docrag.store import Store
from docrag.store.records import Document, Job, NewVersion

#: Bytes of a MiB.
MIB = 1024 * 1024
#: Pause between two looks at a job that another process runs, seconds.
POLL = 0.3


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

    def read(self, path: Path | str, *, filename: str) -> bytes:
        """The content of a file that :meth:`put` may take.

        :raises DocumentError: it is no regular file, or too large; nothing was read.
        :raises UnsupportedDocument: no loader for its suffix; nothing was read.
        :raises OSError: the file cannot be opened.
        """
        name = clean_filename(filename)
        check_suffix(name, known=self._suffixes)
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            raise DocumentError(f"{name!r} is no regular file; give one that is")
        self._check_size(name, found.st_size)
        return Path(path).read_bytes()

    def put(
        self,
        data: bytes,
        *,
        filename: str,
        roles: Collection[str],
        title: str,
        uploaded_by: int | None,
        version: NewVersion,
    ) -> tuple[Document, Job]:
        """Store a file and queue its ingest, in one transaction.

        :param version: with a document to replace, whose roles and title it has where none are
            given.
        :raises DocumentError: empty, too large, without a name or a role, or its title too long.
        :raises UnsupportedDocument: no loader reads it, or it is not what its name says.
        :raises DuplicateDocument: the same bytes are stored already.
        :raises DocumentNotFound: there is no document that it could replace.
        :raises UnknownName: a role does not exist.
        """
        name = clean_filename(filename)
        self._check_size(name, len(data))
        suffix = check(data, filename=name, known=self._suffixes)
        return self._store.documents.create(
            filename=name,
            title=clean_title(title, filename="" if version.replaces else name),
            suffix=suffix,
            data=data,
            roles=roles,
            uploaded_by=uploaded_by,
            version=version,
        )

    def _check_size(self, name: str, size: int) -> None:
        """:raises DocumentError: the file is too large."""
        if size > self._limit * MIB:
            raise DocumentError(
                f"{name!r} has {size / MIB:.1f} MiB; the limit is {self._limit} MiB "
                "(DOCRAG_UPLOAD_LIMIT)"
            )

    def run(self, job: Job, *, access: Access, listen: Callable[[Job], None] | None) -> Job:
        """Run a queued job here, or wait for the worker that took it first.

        Whoever waits is told at once of a failure that may pass; there is no later try.

        :param listen: called with the job whenever it has got on.
        :returns: the job as it ended.
        """
        while True:
            # Again each time: the worker that took it may die.
            with self._store.jobs.claim_one(job.id) as claimed:
                if claimed is not None:
                    self._worker.run(claimed, listen, patient=False)
            now = self._store.jobs.get(job.id, access=access)
            if now.ended:
                return now
            if listen:
                listen(now)
            time.sleep(POLL)
