"""Records that the store returns: rows of its tables as the rest of docrag sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from docrag.api import Access, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class GramCounts:
    """Letter grams of a document's chunks, as the statistics of the field ``c4`` need them."""

    #: How many chunks hold each gram.
    frequencies: Mapping[str, int] = field(default_factory=dict)
    #: Grams in all chunks, repeats counted.
    length: int = 0


class DocumentState(StrEnum):
    """Where a document stands between upload and search."""

    QUEUED = "queued"
    PROCESSING = "processing"
    READY = "ready"
    READY_WITH_WARNINGS = "ready_with_warnings"
    FAILED = "failed"


class JobState(StrEnum):
    """Where an ingest job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One version of a document, without its text."""

    #: Public identifier (UUID text).
    id: str
    title: str
    filename: str
    #: Lower-case suffix without the dot, the name of the loader.
    suffix: str
    #: SHA-256 of the file, hexadecimal.
    sha256: str
    #: Size of the file, bytes.
    size: int
    state: DocumentState
    #: Reason of a failure, for people; empty otherwise.
    error: str
    #: What is incomplete and where, for people.
    warnings: tuple[str, ...]
    #: Number of physical pages; ``None`` before loading and for formats without pages.
    pages: int | None
    #: Number of searchable chunks.
    chunks: int
    #: Allowed roles, sorted, without the admin role that every document has.
    roles: tuple[str, ...]
    #: From 1 in its series.
    version: int
    created_at: datetime
    #: What all versions of the document share (UUID text).
    series: str = ""
    #: First and last day on which the version is in force; ``None`` for no bound.
    valid_from: date | None = None
    valid_to: date | None = None
    #: The last day as it was given: ``valid_to`` is earlier where another version begins before.
    given_to: date | None = None
    #: True if searches that name no day look at it: it is ready, and in force today.
    in_force: bool = False
    #: Where a watched file came from; for administrators only.
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """Where a new document belongs."""

    #: Public identifier of a version of the document that it is the next version of; empty for a
    #: document of its own.
    replaces: str = ""
    #: First and last day on which it is in force; ``None`` for no bound. Without a first day, a
    #: version that replaces another begins on the day on which it becomes ready.
    valid_from: date | None = None
    valid_to: date | None = None
    #: Where a watched file comes from.
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run of the ingest pipeline over one document."""

    #: Identifier (UUID text).
    id: str
    #: Public identifier of the document (UUID text).
    document_id: str
    state: JobState
    #: Stage under way: ``detect``, ``load``, ``chunk``, ``embed``, ``index``; empty before.
    stage: str
    #: Units done and in all of the stage (pages or chunks); 0 and 0 before.
    done: int
    total: int
    #: How often the job was started.
    attempts: int
    #: Why it failed; of a queued one, why the try before failed. For people.
    error: str
    created_at: datetime | None = None
    #: Last sign of life of the run, ``None`` before the first one.
    heartbeat_at: datetime | None = None
    #: It waits until then, after a failure that may pass.
    run_after: datetime | None = None
    #: Its worker stops at its next report.
    cancel_requested: bool = False

    @property
    def ended(self) -> bool:
        """True once it neither waits nor runs."""
        return self.state not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role, which documents allow and users have."""

    name: str
    retired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person or a program with a name."""

    id: int
    username: str
    #: Role names, sorted.
    roles: tuple[str, ...]
    active: bool
    #: Lower-case mail address, ``None`` if none is known.
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of an identity provider and the roles that its members get."""

    #: Who named the group: an OpenID Connect issuer, ``ldap``, or the name of a front end.
    issuer: str
    group_id: str
    #: Role names, sorted; never the admin role.
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key without its secret."""

    id: int
    username: str
    name: str
    #: First characters of the key, to tell keys apart.
    prefix: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    #: ``user``, ``frontend`` (may name a user) or ``service`` (fixed roles).
    kind: str = "user"
    #: How a front end proves whom it speaks for: ``jwt``, ``oidc`` or ``headers``; else ``None``.
    method: str | None = None
    #: Sorted: the narrowing of a user's key, the roles of a service, the upper bound of a front
    #: end; empty for no narrowing and no bound.
    roles: tuple[str, ...] = ()
    #: How answers show their sources: ``auto``, ``footer`` or ``events``, see :class:`Principal`.
    citations: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who calls, with which key, and what that lets them read."""

    user: User
    #: ``None`` for a caller without a key (command line, library, session, token).
    key_id: int | None
    access: Access
    #: ``user``, ``frontend``, ``service``, ``session`` or ``token``.
    kind: str = "user"
    #: Name of the front end's key that named the user; ``None`` if none did.
    frontend: str | None = None
    #: For a front end's key, how it proves whom it speaks for; else ``None``.
    method: str | None = None
    #: How the answers of the calling key show their sources: ``auto`` (what every client reads),
    #: ``footer`` (a Markdown list of them besides, for clients that show text only) or ``events``
    #: (Open WebUI's events always). Of a person whom a front end names, the front end's.
    citations: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """An embedding space: one model, one dimension, one way of cutting chunks."""

    id: int
    model_id: str
    dim: int
    #: Fingerprint of the chunker that cut the chunks.
    chunking: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedAnswer:
    """What the audit keeps of an answer or abstention; never its text."""

    #: Identifier of the answer (UUID text).
    id: str
    created_at: datetime
    user_id: int | None = None
    key_id: int | None = None
    #: Trusted front end that named the user, if one did.
    frontend: str | None = None
    #: ``http``, ``cli`` or ``library``.
    channel: str
    #: ``None`` unless the operator has questions kept.
    question: str | None = None
    model_id: str
    prompt_id: str
    retriever: str
    space_id: int | None = None
    #: Chunks that were offered, in order, and those of them that the answer cites.
    context_chunk_ids: tuple[int, ...]
    cited_chunk_ids: tuple[int, ...]
    abstained: bool
    #: Why it abstained, or why the answer ended.
    reason: str
    #: Seconds from question to end.
    duration: float
    usage: Usage
    #: Parts of the confidence, 0 to 1, see :class:`docrag.api.Confidence`; ``None`` without one.
    retrieval: float | None = None
    citation_coverage: float | None = None
    completeness: float | None = None
    #: Sentences that no cited source supports.
    unsupported: int = 0
    #: What the guard saw in the question, such as ``personal:tckn``.
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A row of the audit with the names of who asked, for people."""

    answer: AuditedAnswer
    #: ``None`` for a caller without an account, or whose account is gone.
    username: str | None
    #: Name of the key, ``None`` without one.
    key_name: str | None
