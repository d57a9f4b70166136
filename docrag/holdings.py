"""What a docrag holds: documents brought in, listed and removed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from docrag.api import ADMIN_ROLE, Access, DocumentError
from docrag.ingest.intake import Intake
from docrag.ingest.worker import Worker
from docrag.store import Store
from docrag.store.documents import ALONE
from docrag.store.records import Document, Job, JobState, NewVersion

#: Whoever brings a document in is told what became of it.
_OWNER: Final = Access.of([ADMIN_ROLE])


class Holdings:
    """The documents of an assistant. Thread-safe."""

    store: Store
    _intake: Intake
    _worker: Worker

    def upload(
        self,
        data: bytes,
        *,
        filename: str,
        roles: Collection[str] = (),
        title: str = "",
        uploaded_by: int | None = None,
        version: NewVersion = ALONE,
    ) -> tuple[Document, Job]:
        """Store a file and queue its ingest; a worker makes it searchable.

        :param roles: roles that may read it, at least one; none for those of the document that it
            replaces.
        :param title: what people call it; if empty, that of the document that it replaces, or
            else the file name without suffix.
        :param version: which document it is the next version of, and when it is in force.
        :raises DocumentNotFound: there is no document that it could replace.
        :raises DocumentError: empty, too large, or no role.
        :raises UnsupportedDocument: no loader reads it, or it is not what its name says.
        :raises DuplicateDocument: the same bytes are stored already.
        :raises UnknownName: a role does not exist.
        """
        return self._intake.put(
            data, filename=filename, roles=roles, title=title, uploaded_by=uploaded_by,
            version=version,
        )  # fmt: skip

    def ingest(
        self,
        source: Path | str | bytes,
        *,
        roles: Collection[str] = (),
        filename: str = "",
        title: str = "",
        version: NewVersion = ALONE,
        progress: Callable[[Job], None] | None = None,
    ) -> Document:
        """Store a file and make it searchable before returning.

        :param source: path of a file, or its bytes (then ``filename`` is needed).
        :param roles: as of :meth:`upload`, and so are ``title`` and ``version``.
        :param progress: called with the job as it goes on.
        :returns: the document, ready or ready with warnings.
        :raises DocumentError: it could not be made searchable; the message says why.
        :raises SettingsError: a setting or an option is wrong; a worker takes it up later.
        :raises PluginError: a plugin cannot be used; a worker takes it up later.
        :raises OSError: the file cannot be opened.
        """
        name = filename or ("" if isinstance(source, bytes) else Path(source).name)
        data = source if isinstance(source, bytes) else self.read(source, filename=name)
        document, job = self.upload(data, filename=name, roles=roles, title=title, version=version)
        return self.await_ready(document, job, progress=progress)

    def read(self, path: Path | str, *, filename: str = "") -> bytes:
        """The content of a file that :meth:`upload` may take.

        :param filename: what it is called; as in its path if empty.
        :raises DocumentError: it is no regular file, or too large; nothing was read.
        :raises UnsupportedDocument: no loader for its suffix; nothing was read.
        :raises OSError: the file cannot be opened.
        """
        return self._intake.read(path, filename=filename or Path(path).name)

    def await_ready(
        self, document: Document, job: Job, *, progress: Callable[[Job], None] | None = None
    ) -> Document:
        """The document of an upload when it is searchable: read in this process, or by a worker.

        :param progress: called with the job as it goes on.
        :raises DocumentError: it could not be made searchable; the message says why.
        """
        ended = self._intake.run(job, access=_OWNER, listen=progress)
        if ended.state != JobState.DONE:
            reason = f"the job of {document.filename!r} was {ended.state}"
            raise DocumentError(ended.error or reason)
        return self.document(document.id, access=_OWNER)

    def documents(self, *, access: Access) -> list[Document]:
        """The documents that may be read, newest first."""
        return self.store.documents.list(access=access)

    def document(self, document_id: str, *, access: Access) -> Document:
        """One document.

        :raises DocumentNotFound: missing or not permitted; the two cannot be told apart.
        """
        return self.store.documents.get(document_id, access=access)

    def delete(self, document_id: str, *, access: Access) -> None:
        """Remove a document with its file, text, vectors and terms.

        :raises DocumentNotFound: missing or not permitted.
        :raises AccessDenied: the caller may read it but is no admin.
        """
        self.store.documents.delete(document_id, access=access)

    def work(
        self, *, stop: threading.Event, poll: float = 1.0, stuck: Callable[[], None] | None = None
    ) -> None:
        """Run queued ingest jobs until ``stop`` is set.

        :param poll: pause when there is nothing to do, seconds.
        :param stuck: called from another thread when the job under way stands still.
        """
        self._worker.work(stop=stop, poll=poll, stuck=stuck)

    def work_once(self) -> bool:
        """Run one queued ingest job; false if there is none."""
        return self._worker.work_once()
