"""The front door of the database."""

from __future__ import annotations

from sqlalchemy import Engine, exists, select, text

from docrag.store.answers import Answers
from docrag.store.chunks import Chunks
from docrag.store.documents import Documents
from docrag.store.engine import fork_safe
from docrag.store.feedback import Feedbacks
from docrag.store.groups import Groups
from docrag.store.housekeeping import Housekeeping
from docrag.store.jobs import Jobs
from docrag.store.keys import Keys
from docrag.store.limits import Limits
from docrag.store.neighbours import Neighbours
from docrag.store.refills import Refills
from docrag.store.roles import Roles
from docrag.store.sessions import Sessions
from docrag.store.spaces import Spaces
from docrag.store.staged import Staged
from docrag.store.switches import Switches
from docrag.store.tables import DocumentRow
from docrag.store.throttle import Throttle
from docrag.store.users import Users


class Store:
    """Everything that docrag keeps, by noun; used by many threads at once.

    Every method raises ``StoreUnavailable`` when the database cannot be reached, and ``StoreError``
    when it refuses for a reason that the method does not name.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        exact_threshold: int = 25_000,
        hnsw_ef_search: int = 800,
        hnsw_overfetch: int = 200,
    ) -> None:
        """Connect nothing yet.

        :param engine: made by :func:`docrag.store.engine.make_engine`, or elsewhere with
            :func:`docrag.store.engine.engine_options`.
        :param exact_threshold: permitted chunks up to which the dense search compares every vector.
        :param hnsw_ef_search: width of the HNSW scan above it, 1 to 1000.
        :param hnsw_overfetch: rows that the HNSW scan hands over for sorting, at least ``k``.
        """
        self._sessions = Sessions(fork_safe(engine))
        self.documents = Documents(self._sessions)
        self.chunks = Chunks(
            self._sessions,
            exact_threshold=exact_threshold,
            hnsw_ef_search=hnsw_ef_search,
            hnsw_overfetch=hnsw_overfetch,
        )
        self.neighbours = Neighbours(self._sessions)
        self.users = Users(self._sessions)
        self.keys = Keys(self._sessions)
        self.roles = Roles(self._sessions)
        self.groups = Groups(self._sessions)
        self.throttle = Throttle(self._sessions)
        self.limits = Limits(self._sessions)
        self.housekeeping = Housekeeping(self._sessions)
        self.jobs = Jobs(self._sessions)
        self.staged = Staged(self._sessions)
        self.spaces = Spaces(self._sessions)
        self.refills = Refills(self._sessions)
        self.switches = Switches(self._sessions)
        self.answers = Answers(self._sessions)
        self.feedback = Feedbacks(self._sessions)

    def ping(self) -> None:
        """Return if the database answers.

        :raises StoreUnavailable: it does not.
        """
        with self._sessions.begin() as session:
            session.execute(text("SELECT 1"))

    def is_empty(self) -> bool:
        """True if no document is stored, in whatever state."""
        with self._sessions.begin() as session:
            return not session.scalar(select(exists().select_from(DocumentRow)))

    def close(self) -> None:
        """Close the pooled connections; the store connects anew if it is used again."""
        self._sessions.engine.dispose()
