"""The model: what everybody may see at this moment, worked out without docrag."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

ADMIN: Final = "admin"
#: Everything that looks like a canary word, an identifier of a document or job, or a file's hash.
MARK: Final = re.compile(
    r"zq[a-z]{9}|[0-9a-f]{64}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE
)


def canary(rng: random.Random) -> str:
    """A word that stands nowhere else; small letters that no case mapping or encoding changes."""
    return "zq" + "".join(rng.choices("abcdefghjklmnoprstuvxy", k=9))


def marks_in(text: str) -> set[str]:
    """Every mark of a text, in small letters."""
    return {found.lower() for found in MARK.findall(text)}


@dataclass
class Role:
    """A role; its name is a canary, since who does not have it need not know of it."""

    name: str
    retired: bool = False


@dataclass
class Person:
    """A user with an API key, and perhaps one that is narrowed to some of the roles."""

    username: str
    email: str
    roles: set[int]
    is_admin: bool = False
    active: bool = True
    revoked: bool = False
    #: Words that only this person and administrators may see.
    words: frozenset[str] = frozenset()
    #: Numbers of the roles of the narrowed key.
    narrow: frozenset[int] = frozenset()
    #: Names of roles that the person gave to keys of their own, when they had them.
    given: set[str] = field(default_factory=set)
    key: str = ""
    narrow_key: str = ""


@dataclass
class Doc:
    """A document with a canary in every field that a reader sees."""

    title: str
    filename: str
    text: str
    roles: set[int]
    #: Word of the text that questions may use.
    hook: str
    #: Canary by field: title, filename, section, text, end.
    canaries: dict[str, str]
    paged: bool
    id: str = ""
    job: str = ""
    sha256: str = ""
    chunks: int = 0
    deleted: bool = False
    #: Identifier that all versions of a document share, and the number of this one.
    series: str = ""
    version: int = 1

    @property
    def marks(self) -> set[str]:
        """Everything that gives the document away."""
        words = {*self.canaries.values(), self.hook, self.id, self.job, self.sha256, self.series}
        return words - {""}


@dataclass
class Model:
    """Everybody and everything, and the one rule: a role in common, or ``admin``."""

    roles: list[Role]
    people: list[Person]
    docs: list[Doc] = field(default_factory=list)
    #: Roles of the members of the one group of the front end.
    group: set[int] = field(default_factory=set)
    group_id: str = ""
    #: Words of keys and groups that only administrators may see.
    office: set[str] = field(default_factory=set)

    def names(self, numbers: Iterable[int]) -> frozenset[str]:
        """Names of those roles that are in use."""
        found = (self.roles[number % len(self.roles)] for number in numbers)
        return frozenset(role.name for role in found if not role.retired)

    def roles_of(self, person: Person) -> frozenset[str]:
        """What a user has at this moment."""
        return self.names(person.roles) | ({ADMIN} if person.is_admin else frozenset())

    def visible(self, roles: Collection[str]) -> list[Doc]:
        """The documents that these roles may read, oldest first."""
        have = set(roles)
        return [
            doc for doc in self.docs if not doc.deleted and have & (self.names(doc.roles) | {ADMIN})
        ]

    def hidden(self, roles: Collection[str]) -> list[Doc]:
        """The others that exist."""
        seen = {id(doc) for doc in self.visible(roles)}
        return [doc for doc in self.docs if not doc.deleted and id(doc) not in seen]

    def in_force(self, doc: Doc, *, once: bool) -> bool:
        """Whether questions may find a document: the last version that there is, or once the first.

        :param once: asked about a day before any second version began.
        """
        others = [d.version for d in self.docs if d.series == doc.series and not d.deleted]
        return doc.version == (1 if once else max(others, default=0))

    def marks(
        self, roles: Collection[str], person: Person | None, *, once: bool | None = None
    ) -> set[str] | None:
        """Every mark that such a reader may see; ``None`` for an administrator: all.

        :param once: of a question, see :meth:`in_force`; ``None`` of anything else.
        """
        if ADMIN in roles:
            return None
        docs = self.visible(roles)
        if once is not None:
            docs = [doc for doc in docs if self.in_force(doc, once=once)]
        seen = set().union(*(doc.marks for doc in docs))
        seen |= set().union(*(marks_in(name) for name in roles))
        return seen | (person.words if person else frozenset())

    def about(self, person: Person) -> set[str]:
        """Role names that a user's own list of keys may tell, be they in use or not."""
        numbers = person.roles | person.narrow
        return person.given.union(*(marks_in(self.roles[number].name) for number in numbers))

    def owner(self, mark: str) -> str:
        """What a mark gives away, for people."""
        for number, doc in enumerate(self.docs):
            for label, word in (*doc.canaries.items(), ("hook", doc.hook), ("id", doc.id),
                                ("job", doc.job), ("sha256", doc.sha256),
                                ("series", doc.series)):  # fmt: skip
                if word == mark:
                    gone = f", version {doc.version}{', deleted' if doc.deleted else ''}"
                    return f"{label} of document {number} (roles {sorted(doc.roles)}{gone})"
        for number, role in enumerate(self.roles):
            if mark in marks_in(role.name):
                return f"name of role {number}"
        for number, person in enumerate(self.people):
            if mark in person.words:
                return f"user {number}"
        return "a key, a group, or something of an earlier state"

    def lines(self) -> list[str]:
        """The state, for people: who has which roles, and who may read what."""
        out = [
            f"  role {number}: {role.name}{' (retired)' if role.retired else ''}"
            for number, role in enumerate(self.roles)
        ]
        for number, person in enumerate(self.people):
            marked = {
                "admin": person.is_admin,
                "inactive": not person.active,
                "key revoked": person.revoked,
            }
            flags = [word for word, is_so in marked.items() if is_so]
            out.append(f"  user {number}: roles {sorted(person.roles)} {' '.join(flags)}".rstrip())
        for number, doc in enumerate(self.docs):
            gone = " (deleted)" if doc.deleted else ""
            version = f" version {doc.version} of {doc.series}"
            out.append(f"  document {number}: roles {sorted(doc.roles)}{gone}{version} {doc.id}")
        return [*out, f"  group: roles {sorted(self.group)}"]
