"""The library's front door: ask, search and ingest without any web framework."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Self

from docrag.answer import audit
from docrag.answer.conversation import is_courtesy
from docrag.answer.sampling import Sampling as Sampling
from docrag.answer.turn import Turn as Turn
from docrag.api import Access, Answer, Embedder, Message, ScoredChunk
from docrag.components import Components
from docrag.database import connect, embedded_of
from docrag.holdings import Holdings
from docrag.ingest.filling import Filling
from docrag.ingest.intake import Intake
from docrag.ingest.reindex import Reindex
from docrag.ingest.worker import Worker
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Engine, Store
from docrag.store.embedded import Embedded
from docrag.store.records import NewVersion as NewVersion
from docrag.store.records import Principal


class Assistant(Holdings):
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
        filling = Filling(
            store=store, plans=lambda: self._components.plans, batch=settings.embed_batch
        )
        #: Embedding all documents with another model.
        self.reindex = Reindex(store=store, plans=lambda: self._components.plans, wake=filling.wake)
        self._worker = Worker(
            store=store,
            settings=settings,
            pipeline=lambda: self._components.pipeline,
            idle=filling.step,
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
        create: bool | None = None,
        **overrides: Any,  # noqa: ANN401 - values of settings
    ) -> Assistant:
        """An assistant on a migrated database; nothing heavy is loaded yet.

        :param settings: loaded from environment and file if ``None``.
        :param engine: an engine to share instead of a new one; its owner disposes it.
        :param create: where neither ``DATABASE_URL`` nor the instance folder gives a database:
            ``True`` makes an embedded one, ``False`` refuses; ``None`` makes one and logs a
            warning with the folder, since in a wrong folder docrag would seem to know nothing.
        :param overrides: settings by field name, only without ``settings``.
        :raises SettingsError: a setting is wrong.
        :raises StoreUnavailable: the database cannot be reached or started.
        :raises StoreError: a database of your own is not migrated (``docrag migrate``), or there
            is none and ``create`` is ``False``.
        """
        chosen = settings or Settings.load(**overrides)
        database = connect(chosen, engine=engine, create=create)
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
        on: date | None = None,
    ) -> Answer:
        """A finished answer from the documents that these roles may read.

        :param question: one question, or a conversation that ends with it.
        :param roles: role names; give either these or ``access``.
        :param on: the day whose versions of documents answer; ``None`` for that of ``access``,
            which is today by default.
        :raises LLMError: the language model failed.
        :raises ValueError: no question, or neither or both of ``roles`` and ``access``.
        """
        messages = (
            [Message(role="user", content=question)] if isinstance(question, str) else question
        )
        return self.prepare(messages, access=_access(roles, access, on), channel=channel).read()

    def search(
        self,
        query: str,
        *,
        roles: Iterable[str] | None = None,
        access: Access | None = None,
        k: int | None = None,
        on: date | None = None,
    ) -> list[ScoredChunk]:
        """The best chunks that these roles may read, best first.

        :param k: at most this many; the setting ``DOCRAG_TOP_K`` if ``None``.
        :param on: as of :meth:`ask`.
        :raises ValueError: ``k`` below 1, or neither or both of ``roles`` and ``access``.
        """
        wanted = self.settings.top_k if k is None else k
        return self._components.answerer.search(query, access=_access(roles, access, on), k=wanted)

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


def _access(roles: Iterable[str] | None, access: Access | None, on: date | None) -> Access:
    if (roles is None) == (access is None):
        raise ValueError("give either roles or access")
    found = access if access is not None else Access.of(roles or ())
    return found if on is None else replace(found, on=on)
