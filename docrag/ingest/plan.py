"""Which chunker and embedder a document goes through: those of the space that is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from docrag.api import Chunker, Embedder, SettingsError
from docrag.store import Store
from docrag.store.records import Space

#: Ends the chunking of a space: text is embedded below its title and headings, first form.
HEADED: Final = "+h1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A way of cutting and embedding, as the settings give it."""

    chunker: Chunker
    #: ``None`` indexes words only.
    embedder: Embedder | None

    @property
    def chunking(self) -> str:
        """What a space calls the way in which its chunks are cut and headed."""
        return f"{self.chunker.fingerprint}{HEADED}"

    def batch(self, least: int) -> int:
        """Chunks to embed at a time: what the embedder takes in one request, if it tells.

        :param least: where it does not tell, and at least.
        """
        return max(least, getattr(self.embedder, "batch_size", least))

    def fits(self, space: Space) -> bool:
        """True if the space was made by this model, and of chunks that were cut this way."""
        return self.embeds(space) and self.chunking == space.chunking

    def embeds(self, space: Space) -> bool:
        """True if the space was made by this model, however its chunks were cut."""
        model = self.embedder
        return model is not None and (model.model_id, model.dim) == (space.model_id, space.dim)


class Plans:
    """The configured plan and the one to come, and which of them is in use. Thread-safe.

    Which one that is, the database says: a switch of spaces needs no restart.
    """

    def __init__(self, *, store: Store, today: Plan, coming: Plan | None = None) -> None:
        """Keep the plans.

        :param store: tells which space is searched.
        :param today: of ``DOCRAG_EMBEDDER`` and ``DOCRAG_CHUNKER``.
        :param coming: of ``DOCRAG_NEXT_EMBEDDER`` and ``DOCRAG_NEXT_CHUNKER``; ``None`` where they
            are not set.
        """
        self._store = store
        self.today = today
        self.coming = coming

    def current(self) -> tuple[Plan, Space | None]:
        """The plan for new documents, with the space that they go into.

        The first space is made here; without an embedder there is none.

        :raises SettingsError: the documents were embedded with another model or chunking than the
            settings name.
        :raises EmbedderError: the embedder's dimension is out of range.
        """
        if self.today.embedder is None:
            return self.today, None
        spaces = self._store.spaces
        active = spaces.active()
        if active is not None and (plan := self.of(active)) is not None:
            return plan, active
        if active is not None and not spaces.is_empty(active):
            raise self.unfit(active)
        model = self.today.embedder
        spaces.ensure(model_id=model.model_id, dim=model.dim, chunking=self.today.chunking)
        active = spaces.active()
        if active is None or not self.today.fits(active):
            # Another process was first, with other settings.
            raise self.unfit(active)
        return self.today, active

    def of(self, space: Space) -> Plan | None:
        """The plan that fits a space, ``None`` if none is configured."""
        plans = (self.today, self.coming)
        return next((plan for plan in plans if plan is not None and plan.fits(space)), None)

    def embedder_of(self, space: Space) -> Embedder:
        """The embedder for questions to a space.

        :raises SettingsError: none is configured that has made its vectors.
        """
        for plan in (self.today, self.coming):
            if plan is not None and plan.embedder is not None and plan.embeds(space):
                return plan.embedder
        raise self.unfit(space)

    def unfit(self, space: Space | None) -> SettingsError:
        """What to do where no plan fits the space that is searched."""
        used = f"{space.model_id} ({space.chunking})" if space else "nothing"
        model = self.today.embedder.model_id if self.today.embedder else "no embedder"
        return SettingsError(
            f"stored documents are embedded with {used}, but the settings and this release now "
            f"give {model} ({self.today.chunking}); run `docrag reindex start`, uploads wait until "
            "`docrag reindex switch`; or, if a setting was changed by mistake, set "
            "DOCRAG_EMBEDDER, DOCRAG_CHUNKER and DOCRAG_CHUNK_SIZE back"
        )
