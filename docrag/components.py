"""The configured parts of a process, each built once on first use."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from docrag.answer.active import ActiveRetriever
from docrag.answer.answerer import Answerer
from docrag.api import (
    Chunker,
    ChunkStore,
    Embedder,
    EmbedderError,
    Loader,
    OcrEngine,
    Reranker,
    Retriever,
    SettingsError,
)
from docrag.ingest.pipeline import Pipeline
from docrag.ingest.plan import Plan, Plans
from docrag.loaders.ocr import ocr_of
from docrag.modelparts import NONE, judge_of, models_of
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.records import Space

_T = TypeVar("_T")


class Components:
    """Builds components from settings. Thread-safe; a component that failed is tried again."""

    def __init__(self, settings: Settings, *, registry: Registry, store: Store) -> None:
        """Keep what the parts are made from."""
        self._settings = settings
        self._registry = registry
        self._store = store
        self._built: dict[str, object] = {}
        self._lock = threading.RLock()

    @property
    def answerer(self) -> Answerer:
        """What prepares answers."""
        return self._once("answerer", self._answerer)

    @property
    def pipeline(self) -> Pipeline:
        """What makes documents searchable."""
        return self._once("pipeline", self._pipeline)

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, or ``None`` when search goes by words only."""
        return self._once("embedder", lambda: embedder_of(self._settings, self._registry))

    @property
    def ocr(self) -> OcrEngine | None:
        """The engine that reads scanned pages, or ``None`` when they are not read."""
        return self._once("ocr", lambda: ocr_of(self._settings.ocr, self._settings.ocr_options))

    @property
    def plans(self) -> Plans:
        """The configured ways of cutting and embedding, and which of them is in use."""
        return self._once("plans", self._plans)

    def loader(self, suffix: str) -> Loader:
        """The loader of a suffix, with the limits and the OCR engine where it takes them."""
        limits = {
            "timeout": self._settings.loader_timeout,
            "memory_limit": self._settings.loader_memory,
        }
        taken = inspect.signature(self._registry.load("loaders", suffix)).parameters
        options: dict[str, object] = {name: v for name, v in limits.items() if name in taken}
        if "ocr" in taken:
            options["ocr"] = self.ocr
        loader: Loader = self._registry.build("loaders", suffix, options)
        return loader

    def check(self) -> None:
        """Build everything, so that a wrong name or option is known; no model is loaded."""
        _ = self.answerer, self.pipeline, self.plans, self.ocr

    def warm_up(self) -> None:
        """Build everything and load the embedding model."""
        self.check()
        if self.embedder is not None:
            active = self._store.spaces.active()
            embedder = self.plans.embedder_of(active) if active else self.embedder
            embedder.embed_query("ısınma")

    def _once(self, name: str, build: Callable[[], _T]) -> _T:
        with self._lock:
            if name not in self._built:
                self._built[name] = build()
            part: _T = self._built[name]  # type: ignore[assignment]  # stored under its own name
            return part

    def _answerer(self) -> Answerer:
        settings = self._settings
        if self.embedder is None and settings.retriever == "dense":
            raise SettingsError(
                "DOCRAG_RETRIEVER is 'dense' but DOCRAG_EMBEDDER is 'none'; "
                "set DOCRAG_RETRIEVER=hybrid or choose an embedder"
            )
        models = models_of(settings, self._registry)
        return Answerer(
            settings=settings,
            retriever=self._retriever(),
            reranker=reranker_of(settings, self._registry),
            models=models,
            neighbours=self._store.neighbours,
            judge=judge_of(settings, self._registry, models.default),
            required=self._store.spaces.required,
        )

    def _retriever(self) -> Retriever:
        """The retriever, with the embedder of the space that is searched where it needs one."""
        settings, chunks = self._settings, self._store.chunks

        def build(store: ChunkStore, embedder: Embedder | None) -> Retriever:
            options, given = settings.options("retriever"), {"store": store, "embedder": embedder}
            found: Retriever = self._registry.build(
                "retrievers", settings.retriever, options, **given
            )
            return found

        def of(space: Space | None) -> Retriever:
            try:
                embedder = self.embedder if space is None else self.plans.embedder_of(space)
            except SettingsError as exc:
                # To who asks it is a model that is away; the operator reads why in the log.
                raise EmbedderError(str(exc)) from exc
            return build(chunks.of(space), embedder)

        # Built here in any case, so that a wrong name or option is known without the database.
        fixed = build(chunks, self.embedder)
        if self.embedder is None:
            return fixed
        return ActiveRetriever(active=self._store.spaces.active, build=of)

    def _plans(self) -> Plans:
        today = self._plan(self._settings, self.embedder)
        settings = coming_of(self._settings)
        if settings is None:
            return Plans(store=self._store, today=today)
        # One engine for both where the model stays.
        is_other = bool(self._settings.next_embedder)
        embedder = embedder_of(settings, self._registry) if is_other else self.embedder
        return Plans(store=self._store, today=today, coming=self._plan(settings, embedder))

    def _plan(self, settings: Settings, embedder: Embedder | None) -> Plan:
        options = settings.options("chunker")
        chunker = chunker_of(settings.chunker, options, registry=self._registry, embedder=embedder)
        return Plan(chunker=chunker, embedder=embedder)

    def _pipeline(self) -> Pipeline:
        settings, today = self._settings, self.plans.today
        return Pipeline(
            store=self._store,
            loader=self.loader,
            suffixes=self._registry.names("loaders"),
            chunker=today.chunker,
            embedder=today.embedder,
            plans=self.plans,
            batch=settings.embed_batch,
            most_chunks=settings.document_chunks,
        )


def embedder_of(settings: Settings, registry: Registry) -> Embedder | None:
    """A new embedder as the settings name it, ``None`` when search goes by words only.

    :raises PluginError: there is none of this name, or it does not load.
    :raises SettingsError: an option is wrong.
    """
    if settings.embedder == NONE:
        return None
    found: Embedder = registry.build("embedders", settings.embedder, settings.options("embedder"))
    return found


def chunker_of(
    name: str, options: Mapping[str, object], *, registry: Registry, embedder: Embedder | None
) -> Chunker:
    """A new chunker of a name, with the embedder where it takes one.

    :raises PluginError: there is none of this name, or it does not load.
    :raises SettingsError: an option is wrong.
    """
    taken = inspect.signature(registry.load("chunkers", name)).parameters
    given = {"embedder": embedder} if "embedder" in taken else {}
    found: Chunker = registry.build("chunkers", name, options, **given)
    return found


def coming_of(settings: Settings) -> Settings | None:
    """The same settings with the embedder and chunker to come, ``None`` where none are named."""
    if not settings.next_embedder and not settings.next_chunker:
        return None
    changed: dict[str, Any] = {}
    if settings.next_embedder:
        changed["embedder"] = settings.next_embedder
        changed["embedder_options"] = settings.next_embedder_options
    if settings.next_chunker:
        changed["chunker"] = settings.next_chunker
        changed["chunker_options"] = settings.next_chunker_options
    return replace(settings, **changed)


def reranker_of(settings: Settings, registry: Registry) -> Reranker:
    """A new reranker as the settings name it.

    :raises PluginError: there is none of this name, or it does not load.
    :raises SettingsError: an option is wrong.
    """
    found: Reranker = registry.build("rerankers", settings.reranker, settings.options("reranker"))
    return found
