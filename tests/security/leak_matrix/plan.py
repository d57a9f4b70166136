"""Plans that hypothesis draws: who has which roles, what documents there are, what changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

#: Changes, by name; :mod:`tests.security.leak_matrix.world` carries them out.
CHANGES: Final = (
    "document roles", "user roles", "delete document", "new document", "retire role",
    "rename role", "deactivate user", "activate user", "revoke key", "group roles", "new version",
)  # fmt: skip
#: Most of each kind; small, because a leak needs one document and one reader.
ROLES, PEOPLE, DOCUMENTS, STEPS = 4, 4, 5, 3


@dataclass(frozen=True)
class Change:
    """One change; numbers beyond what there is wrap around."""

    kind: str
    #: Number of the document, user or role that changes.
    whom: int
    #: Numbers of its roles from now on.
    roles: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """A world to build and how it changes; its ``repr`` is a reproduction."""

    #: Of the canary words and of the choices of the walk.
    seed: int
    #: How many roles there are besides ``admin``.
    roles: int
    #: Numbers of the roles of each user.
    people: tuple[frozenset[int], ...]
    #: Numbers of the roles of each document, at least one each.
    documents: tuple[frozenset[int], ...]
    #: The walk is made before the first of them and after each.
    changes: tuple[Change, ...]


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans with at least two roles, two people, three documents and one change."""
    roles = draw(st.integers(2, ROLES))
    some = st.frozensets(st.integers(0, roles - 1), max_size=roles)
    filled = st.frozensets(st.integers(0, roles - 1), min_size=1, max_size=2)
    change = st.builds(
        Change, kind=st.sampled_from(CHANGES), whom=st.integers(0, DOCUMENTS), roles=filled
    )
    return Plan(
        seed=draw(st.integers(0, 2**32 - 1)),
        roles=roles,
        people=tuple(draw(st.lists(some, min_size=2, max_size=PEOPLE))),
        documents=tuple(draw(st.lists(filled, min_size=3, max_size=DOCUMENTS))),
        changes=tuple(draw(st.lists(change, min_size=1, max_size=STEPS))),
    )
