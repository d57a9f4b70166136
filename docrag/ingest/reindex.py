"""Embedding all documents with another model, or cut in another way: what an operator can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docrag.api import SettingsError, StoreError
from docrag.ingest.plan import Plan, Plans
from docrag.ingest.rebuilding import rebuilder
from docrag.store import Store
from docrag.store.partitions import DROP
from docrag.store.records import Space
from docrag.store.switches import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceStatus:
    """An embedding space and how far it is filled."""

    space: Space
    #: ``active`` (searched), ``building`` (searched next) or ``before`` (searched before).
    state: str
    progress: Progress
    #: The settings name an embedder and a chunker that can fill it.
    is_configured: bool


class Reindex:
    """Starts, watches and ends a change of the embedding space. Thread-safe."""

    def __init__(
        self, *, store: Store, plans: Callable[[], Plans], wake: Callable[[], None]
    ) -> None:
        """Keep the parts.

        :param plans: gives the configured plans.
        :param wake: has this process look for missing vectors at once.
        """
        self._store = store
        self._plans = plans
        self._wake = wake

    def start(self) -> Space:
        """The space of ``DOCRAG_NEXT_*``, which workers fill from now on.

        Where these name nothing and the documents were embedded in another way than the settings
        and this release of docrag give today, it is the space of today's. Where nothing was
        embedded yet, it is the one of ``DOCRAG_EMBEDDER``, searched at once.

        :raises SettingsError: no other embedder or chunker is set than that of today.
        :raises StoreError: the documents are embedded so already, or another space is being filled.
        :raises EmbedderError: the embedder's dimension is out of range.
        """
        plans, spaces = self._plans(), self._store.spaces
        active = spaces.active()
        if active is None or spaces.is_empty(active):
            _, first = plans.current()
            if first is None:
                raise SettingsError("DOCRAG_EMBEDDER is 'none'; choose the embedder there first")
            self._wake()
            return first
        plan = plans.coming
        if plan is None and not plans.today.fits(active):
            plan = plans.today
        if plan is None or plan.embedder is None:
            raise SettingsError(
                "nothing to change to: the settings name no other embedder or chunker than the "
                "documents have; name the other model with DOCRAG_NEXT_EMBEDDER and "
                "DOCRAG_NEXT_EMBEDDER_OPTIONS, another chunker with DOCRAG_NEXT_CHUNKER; "
                "DOCRAG_EMBEDDER and DOCRAG_CHUNKER stay until the switch"
            )
        model = plan.embedder
        space = spaces.start(model_id=model.model_id, dim=model.dim, chunking=plan.chunking)
        self._wake()
        return space

    def status(self) -> list[SpaceStatus]:
        """The spaces that are searched, filled, and kept for a way back."""
        spaces, plans = self._store.spaces, self._plans()
        found = {
            "active": spaces.active(),
            "building": spaces.building(),
            "before": spaces.before(),
        }
        return [
            SpaceStatus(
                space=space,
                state=state,
                progress=self._store.switches.progress(space),
                is_configured=plans.of(space) is not None,
            )
            for state, space in found.items()
            if space is not None
        ]

    def coming(self) -> Space:
        """The space that is being filled.

        :raises StoreError: none is.
        """
        space = self._store.spaces.building()
        if space is None:
            raise StoreError("no space is being filled; run `docrag reindex start`")
        return space

    def before(self) -> Space:
        """The space that was searched before.

        :raises StoreError: none is kept.
        """
        space = self._store.spaces.before()
        if space is None:
            raise StoreError("no space from before is kept; embed anew with `docrag reindex start`")
        return space

    def switch(
        self, space: Space, *, report: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Have every search from now on, in every process, read this space.

        :param space: :meth:`coming`, or :meth:`before` for the way back.
        :param report: called with documents done and in all, where chunks are cut anew.
        :raises StoreError: documents are missing in it; the message says which.
        :raises SettingsError: no embedder is set for it, so that no question could be asked.
        """
        plan = self._plan(space)
        active = self._store.spaces.active()
        same = active is None or active.chunking == space.chunking
        rebuild = None if same else rebuilder(self._store, plan, space)
        self._store.switches.switch(space, rebuild=rebuild, report=report)
        self._wake()

    def drop(self) -> list[Space]:
        """Remove every space that is not searched, with its vectors; those that were removed.

        :raises StoreError: something reads the tables all the time.
        """
        return self._store.spaces.drop()

    def _plan(self, space: Space) -> Plan:
        plan = self._plans().of(space)
        if plan is None:
            raise SettingsError(
                f"no embedder and chunker are set for {space.model_id} ({space.chunking}); name "
                "them with DOCRAG_NEXT_EMBEDDER and DOCRAG_NEXT_CHUNKER, here and for every "
                f"running docrag, or remove the space with {DROP}; what an earlier release cut in "
                "another way only that release can bring back"
            )
        return plan
