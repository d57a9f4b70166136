"""The library's front door: ask, search and ingest without any web framework."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from docrag.answer import audit
from docrag.answer.conversation import is_courtesy
from docrag.answer.sampling import Sampling as Sampling
from docrag.answer.turn import Turn as Turn
from docrag.api import Access, Answer, DocumentError, Embedder, Message, ScoredChunk
from docrag.components import Components
from docrag.database import connect, embedded_of
from docrag.ingest.intake import Intake
from docrag.ingest.retention import Retention
from docrag.ingest.worker import Worker
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Engine, Store
from docrag.store.embedded import Embedded
from docrag.store.records import Document, Job, JobState, Principal


class Assistant:
    """Documents, search and answers over one database. Thread-safe; one a process is enough.

    Use :meth:`open`, and :meth:`close` (or ``with``) at the end.
    """

    def __init__(
        self, settings: Settings, *, store: Store, embedded: Embedded | None = None
    ) -> None:
        """Keep the parts; :meth:`open` is the usual way to make one.

        :param embedded: the embedded server whose use this object gives up when it is closed.
        """
        self.settings = settings
        self.store = store
        self.registry = Registry(allowed=settings.plugins, choice=settings.plugin_choice)
        self._embedded = embedded
        self._components = Components(settings, registry=self.registry, store=store)
        self._worker = Worker(
            store=store,
            pipeline=lambda: self._components.pipeline,
            retention=Retention(store, settings),
        )
        self._intake = Intake(
            store=store,
            worker=self._worker,
            suffixes=self.registry.names("loaders"),
            limit=settings.upload_limit,
        )

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        engine: Engine | None = None,
        **overrides: Any,  # noqa: ANN401 - values of settings
    ) -> Assistant:
        """An assistant on a migrated database; nothing heavy is loaded yet.

        :param settings: loaded from environment and file if ``None``.
        :param engine: an engine to share instead of a new one; its owner disposes it.
        :param overrides: settings by field name, only without ``settings``.
        :raises SettingsError: a setting is wrong.
        :raises StoreUnavailable: the database cannot be reached or started.
        :raises StoreError: a database of your own is not migrated (``docrag migrate``).
        """
        chosen = settings or Settings.load(**overrides)
        database = connect(chosen, engine=engine)
        return cls(chosen, store=database.store, embedded=database.embedded)

    @staticmethod
    def database_url(settings: Settings) -> str:
        """URL of the configured database; the embedded server is started if there is none.

        :raises StoreUnavailable: the embedded server cannot be started.
        """
        return settings.database_url or embedded_of(settings).ensure()

    def prepare(
        self,
        messages: Sequence[Message],
        *,
        access: Access,
        principal: Principal | None = None,
        channel: str = "library",
        sampling: Sampling | None = None,
        model: str = "",
        first_number: int = 1,
        gone: Callable[[], bool] | None = None,
    ) -> Turn:
        """Find and judge the sources of an answer; nothing is written yet.

        :param messages: the conversation; the last user message is the question. A greeting is
            answered without looking for anything, and leaves no audit row.
        :param access: what may be read, whoever asks.
        :param principal: who asks, for the audit.
        :param channel: ``http``, ``cli`` or ``library``, for the audit.
        :param sampling: what the caller asks of the model instead of the settings.
        :param model: an alias of ``DOCRAG_LLM_ALIASES``; empty for the default model.
        :param first_number: number of the first source.
        :param gone: tells, from another thread, whether nobody waits for the answer any more.
        :raises ValueError: there is no user message with text.
        :raises UnknownName: there is no such alias.
        :raises PromptTooLong: the question does not fit the window of any model.
        """
        record = audit.recorder(self.store, self.settings, principal=principal, channel=channel)
        return self._components.answerer.prepare(
            messages,
            access=access,
            record=record,
            sampling=sampling,
            model=model,
            first_number=first_number,
            gone=gone,
        )

    def plain(
        self, messages: Sequence[Message], *, sampling: Sampling | None = None, model: str = ""
    ) -> Turn:
        """A model's answer without documents: no search, citation or audit row.

        :param messages: given to the model as they are, the oldest turns left out if need be.
        :param model: an alias of ``DOCRAG_LLM_ALIASES``; empty for the default model.
        :raises ValueError: there is no message.
        :raises UnknownName: there is no such alias.
        :raises PromptTooLong: the last message does not fit the window of any model.
        """
        return self._components.answerer.plain(messages, sampling=sampling, model=model)

    def is_greeting(self, messages: Sequence[Message]) -> bool:
        """True if the last user message is only a greeting, thanks or a goodbye."""
        return is_courtesy(messages)

    def ask(
        self,
        question: str | Sequence[Message],
        *,
        roles: Iterable[str] | None = None,
        access: Access | None = None,
        channel: str = "library",
    ) -> Answer:
        """A finished answer from the documents that these roles may read.

        :param question: one question, or a conversation that ends with it.
        :param roles: role names; give either these or ``access``.
        :raises LLMError: the language model failed.
        :raises ValueError: no question, or neither or both of ``roles`` and ``access``.
        """
        messages = (
            [Message(role="user", content=question)] if isinstance(question, str) else question
        )
        return self.prepare(messages, access=_access(roles, access), channel=channel).read()

    def search(
        self,
        query: str,
        *,
        roles: Iterable[str] | None = None,
        access: Access | None = None,
        k: int | None = None,
    ) -> list[ScoredChunk]:
        """The best chunks that these roles may read, best first.

        :param k: at most this many; the setting ``DOCRAG_TOP_K`` if ``None``.
        :raises ValueError: ``k`` below 1, or neither or both of ``roles`` and ``access``.
        """
        wanted = self.settings.top_k if k is None else k
        return self._components.answerer.search(query, access=_access(roles, access), k=wanted)

    def upload(
        self,
        data: bytes,
        *,
        filename: str,
        roles: Collection[str],
        title: str = "",
        uploaded_by: int | None = None,
    ) -> tuple[Document, Job]:
        """Store a file and queue its ingest; a worker makes it searchable.

        :param roles: roles that may read it, at least one.
        :param title: what people call it; the file name without suffix if empty.
        :raises DocumentError: empty, too large, or no role.
        :raises UnsupportedDocument: no loader reads it, or it is not what its name says.
        :raises DuplicateDocument: the same bytes are stored already.
        :raises UnknownName: a role does not exist.
        """
        return self._intake.put(
            data, filename=filename, roles=roles, title=title, uploaded_by=uploaded_by
        )

    def ingest(
        self,
        source: Path | str | bytes,
        *,
        roles: Collection[str],
        filename: str = "",
        title: str = "",
        progress: Callable[[Job], None] | None = None,
    ) -> Document:
        """Store a file and make it searchable before returning.

        :param source: path of a file, or its bytes (then ``filename`` is needed).
        :param progress: called with the job as it goes on.
        :returns: the document, ready or ready with warnings.
        :raises DocumentError: it could not be made searchable; the message says why.
        :raises SettingsError: a setting or an option is wrong; a worker takes it up later.
        :raises PluginError: a plugin cannot be used; a worker takes it up later.
        :raises OSError: the file cannot be opened.
        """
        name = filename or ("" if isinstance(source, bytes) else Path(source).name)
        data = source if isinstance(source, bytes) else self._intake.read(source, filename=name)
        document, job = self.upload(data, filename=name, roles=roles, title=title)
        access = Access.of(roles)
        ended = self._intake.run(job, access=access, listen=progress)
        if ended.state != JobState.DONE:
            raise DocumentError(ended.error or f"the job of {name!r} was {ended.state}")
        return self.document(document.id, access=access)

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

    def work(self, *, stop: threading.Event, poll: float = 1.0) -> None:
        """Run queued ingest jobs until ``stop`` is set.

        :param poll: pause when there is nothing to do, seconds.
        """
        self._worker.work(stop=stop, poll=poll)

    def work_once(self) -> bool:
        """Run one queued ingest job; false if there is none."""
        return self._worker.work_once()

    @property
    def embedder(self) -> Embedder | None:
        """The configured embedder; ``None`` when search goes by words only.

        :raises SettingsError: its options are wrong.
        :raises PluginError: it cannot be found or loaded.
        """
        return self._components.embedder

    def check(self) -> None:
        """Build every configured component, loading no model: what cannot work is known early.

        :raises SettingsError: a component's options are wrong.
        :raises PluginError: a component cannot be found or loaded.
        """
        self._components.check()

    def warm_up(self) -> None:
        """Build every configured component and load the models, so that the first question is fast.

        :raises SettingsError: a component's options are wrong.
        :raises PluginError: a component cannot be found or loaded.
        """
        self._components.warm_up()

    def close(self) -> None:
        """Give back database connections and the embedded server."""
        self.store.close()
        if self._embedded:
            self._embedded.release()

    def __enter__(self) -> Self:
        """The assistant itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close it."""
        self.close()


def _access(roles: Iterable[str] | None, access: Access | None) -> Access:
    if (roles is None) == (access is None):
        raise ValueError("give either roles or access")
    return access if access is not None else Access.of(roles or ())
