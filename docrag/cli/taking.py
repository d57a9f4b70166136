"""One file taken in by the command line, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docrag.api import ADMIN_ROLE, Access, DocumentError, DuplicateDocument
from docrag.assistant import Assistant, NewVersion
from docrag.store.records import Document, DocumentState, Job

#: The command line belongs to the operator.
OPERATOR: Final = Access.of([ADMIN_ROLE])
#: What is counted in a stage; others count chunks.
UNITS: Final = {"detect": "", "load": "pages"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file."""

    file: str
    #: ``ready``, ``ready_with_warnings``, ``queued``, ``unchanged`` or ``failed``.
    state: str
    id: str = ""
    version: int | None = None
    pages: int | None = None
    chunks: int = 0
    #: Why it failed, or what is incomplete; empty otherwise.
    reason: str = ""

    @property
    def failed(self) -> bool:
        """True if the file is not searchable, nor going to be."""
        return self.state == "failed"

    @property
    def row(self) -> dict[str, object]:
        """What tables and programs are shown."""
        return {
            "file": self.file,
            "state": self.state,
            "id": self.id,
            "version": self.version,
            "pages": self.pages,
            "chunks": self.chunks,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Taking:
    """How files are taken in."""

    roles: frozenset[str]
    title: str = ""
    version: NewVersion = NewVersion()
    #: Read the file before going on; else it is queued for a worker.
    wait: bool = True

    def take(
        self, assistant: Assistant, file: Path, *, listen: Callable[[Job], None], shown: str = ""
    ) -> Outcome:
        """Take a file in; what is wrong with it is told in the outcome.

        :param listen: called with the job as it goes on.
        :param shown: name of the file in the outcome; its path if empty.
        """
        name = shown or str(file)
        try:
            data = assistant.read(file)
            document, job = assistant.upload(
                data, filename=file.name, roles=self.roles, title=self.title, version=self.version
            )
            if self.wait:
                document = assistant.await_ready(document, job, progress=listen)
        except DuplicateDocument as exc:
            return stored(name, assistant.document(exc.document_id, access=OPERATOR))
        except (DocumentError, OSError) as exc:
            reason = (exc.strerror or "") if isinstance(exc, OSError) else str(exc)
            return Outcome(file=name, state="failed", reason=reason)
        return outcome(name, document)


def outcome(name: str, document: Document) -> Outcome:
    """What became of a file that is this document now."""
    return Outcome(
        file=name,
        state=document.state.value,
        id=document.id,
        version=document.version,
        pages=document.pages,
        chunks=document.chunks,
        reason=document.error or "; ".join(document.warnings),
    )


def stored(name: str, document: Document) -> Outcome:
    """What became of a file whose bytes were stored already."""
    ready = document.state in (DocumentState.READY, DocumentState.READY_WITH_WARNINGS)
    reason = ""
    if ready and not document.in_force:
        reason = (
            f"stored as version {document.version} of {document.title!r}, which is not in force "
            "today; see docrag documents show"
        )
    return Outcome(
        file=name,
        state="unchanged",
        id=document.id,
        version=document.version,
        pages=document.pages,
        chunks=document.chunks,
        reason=reason,
    )


def progress_of(file: str, job: Job) -> str:
    """How far a file has got, for a progress bar."""
    counted = f" {job.done}/{job.total} {UNITS.get(job.stage, 'chunks')}" if job.total else ""
    return f"{file}: {job.stage}{counted}".rstrip()
