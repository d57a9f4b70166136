"""One file taken in by the command line, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
            found = assistant.document(exc.document_id, access=OPERATOR)
            known = stored(name, found, roles=self.roles)
            wanted = self.version
            # Who watches a folder tells more about it than this.
            if wanted.source or not (wanted.replaces or wanted.valid_from or wanted.valid_to):
                return known
            reason = (
                f"nothing was changed: the same bytes are version {found.version} of "
                f"{found.title!r}, document {found.id}; its days are changed by "
                "docrag documents set-dates"
            )
            return replace(known, state="failed", reason=reason)
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


def stored(name: str, document: Document, *, roles: frozenset[str] = frozenset()) -> Outcome:
    """What became of a file whose bytes were stored already.

    :param roles: that were to read it; the reason names those that cannot.
    """
    reasons = (_not_in_force(document), _closed_to(document, roles))
    return Outcome(
        file=name,
        state="unchanged",
        id=document.id,
        version=document.version,
        pages=document.pages,
        chunks=document.chunks,
        reason="; ".join(reason for reason in reasons if reason),
    )


def is_past(document: Document) -> bool:
    """True if a document is ready, and searches of today leave it out."""
    ready = document.state in (DocumentState.READY, DocumentState.READY_WITH_WARNINGS)
    return ready and not document.in_force


def _not_in_force(document: Document) -> str:
    if not is_past(document):
        return ""
    kind = "older version" if document.valid_to else "version"
    return (
        f"stored as version {document.version} of {document.title!r}, which is not in force today; "
        f"to have this {kind} in force, change its days or those of the others (`docrag documents "
        f"show {document.id}`, `docrag documents set-dates`), or delete what came after it "
        "(`docrag documents delete`)"
    )


def _closed_to(document: Document, roles: frozenset[str]) -> str:
    lacking = sorted(roles - {*document.roles, ADMIN_ROLE})
    if not lacking:
        return ""
    return (
        f"stored for {', '.join(document.roles) or ADMIN_ROLE}; {', '.join(lacking)} cannot read "
        f"it, see `docrag documents set-roles {document.id} --role …`"
    )


def progress_of(file: str, job: Job) -> str:
    """How far a file has got, for a progress bar."""
    counted = f" {job.done}/{job.total} {UNITS.get(job.stage, 'chunks')}" if job.total else ""
    return f"{file}: {job.stage}{counted}".rstrip()
