"""The throw-away people of a leak test, and the documents that each of them may read."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from docrag.access.passwords import new_password
from docrag.cli.leak.pdf import pdf
from docrag.cli.leak.server import LeakTestFailed, Server

#: Syllables of made-up words. No i: lower and upper case of it differ between languages.
_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeou"
#: Syllables of a canary: 56 to the power of 9 are more words than can meet by chance.
SYLLABLES: Final = 9
#: Roles of each document and of each person, by letter; nobody has the last role.
DOCUMENTS: Final = {"alfa": "a", "beta": "b", "ceta": "c", "alfabeta": "ab", "nobody": "d"}
PEOPLE: Final = {
    "reader-a": "a",
    "reader-b": "b",
    "reader-ab": "ab",
    "reader-c": "c",
    "roleless": "",
}
#: Seconds between two looks at an ingest job.
_POLL: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A small document that nothing else resembles."""

    id: str
    job: str
    roles: frozenset[str]
    #: A word to ask for; it is sent, so it gives nothing away.
    topic: str
    #: Words that only its readers may ever see: of its text, its title and its file name.
    canaries: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who walks: a user with a key, or nobody in particular."""

    name: str
    username: str
    roles: frozenset[str]
    key: str | None = field(repr=False)
    key_id: int | None


class Troupe:
    """Makes people and documents on a server by its API, and removes them again."""

    def __init__(self, server: Server, admin_key: str) -> None:
        """Nothing is made yet.

        :param admin_key: API key of an administrator.
        """
        self._server = server
        self._admin_key = admin_key
        #: Start of every name, by which everything is found again.
        self.mark = f"leaktest-{word(4)}"
        self.people: list[Person] = []
        self.documents: list[Document] = []
        self._begun = False

    def make(self, *, patience: float) -> None:
        """Make roles, people and documents, and wait until the documents can be searched.

        :param patience: most seconds to wait.
        :raises LeakTestFailed: a request failed, or the documents did not get ready.
        """
        self._admin("GET", "/api/users")  # a wrong key is told before anything is made
        self._begun = True
        letters = "".join(dict.fromkeys("".join([*DOCUMENTS.values(), *PEOPLE.values()])))
        for letter in letters:
            self._admin("POST", "/api/roles", body={"name": self.role(letter)})
        self.people = [self._person(name, roles) for name, roles in PEOPLE.items()]
        self.documents = [self._document(name, roles) for name, roles in DOCUMENTS.items()]
        end = time.monotonic() + patience
        for document in self.documents:
            self._await(document, end)

    def role(self, letter: str) -> str:
        """Name of a throw-away role."""
        return f"{self.mark}-role-{letter}"

    def strip(self, person: Person) -> Person:
        """The same person, from whom the administrator just took every role."""
        self._admin("PATCH", f"/api/users/{person.username}", body={"roles": []})
        return Person(
            name=f"{person.name}, stripped",
            username=person.username,
            roles=frozenset(),
            key=person.key,
            key_id=person.key_id,
        )

    def remove(self) -> list[str]:
        """Remove everything that carries the mark, also what was made half.

        Users stay as inactive ones without roles and keys, and roles as retired ones, where the
        server cannot remove them.

        :returns: what could not be removed, in words; the rest is removed all the same.
        """
        problems: list[str] = []
        steps = (
            self._remove_documents,
            self._remove_keys,
            self._remove_users,
            self._remove_groups,
            self._remove_roles,
        )
        for step in steps if self._begun else ():
            _try(step, problems)
        return problems

    def _person(self, name: str, roles: str) -> Person:
        username, own = f"{self.mark}-{name}", [self.role(letter) for letter in roles]
        user = {"username": username, "password": new_password(), "roles": own}
        self._admin("POST", "/api/users", body=user)
        key = self._admin("POST", "/api/keys", body={"username": username, "name": self.mark})
        return Person(
            name=name, username=username, roles=frozenset(own), key=key["key"], key_id=key["id"]
        )

    def _document(self, name: str, roles: str) -> Document:
        topic, canaries = word(SYLLABLES), tuple(word(SYLLABLES) for _ in range(3))
        text, title, file = canaries
        own = [self.role(letter) for letter in roles]
        content = f"{topic} numarasi {text} olarak bilinir. Yani {text} {topic} numarasi olur."
        made = self._admin(
            "POST",
            "/api/documents",
            form={"roles": ",".join(own), "title": f"{self.mark} {title}"},
            file=(f"{self.mark}-{name}-{file}.pdf", pdf(content)),
        )
        return Document(
            id=made["id"], job=made["job"], roles=frozenset(own), topic=topic, canaries=canaries
        )

    def _await(self, document: Document, end: float) -> None:
        while time.monotonic() < end:
            state = self._admin("GET", f"/api/jobs/{document.job}")["state"]
            if state == "done":
                return
            if state in ("failed", "cancelled"):
                raise LeakTestFailed(f"a test document was {state}; ask the server's log why")
            time.sleep(_POLL)
        raise LeakTestFailed("the test documents did not get ready in time; is a worker running?")

    def _remove_documents(self) -> None:
        for item in self._admin("GET", "/api/documents")["documents"]:
            if item["filename"].startswith(self.mark):
                self._admin("DELETE", f"/api/documents/{item['id']}")

    def _remove_keys(self) -> None:
        for item in self._admin("GET", "/api/keys")["keys"]:
            if item["username"].startswith(self.mark):
                self._admin("DELETE", f"/api/keys/{item['id']}")

    def _remove_users(self) -> None:
        for item in self._admin("GET", "/api/users")["users"]:
            if item["username"].startswith(self.mark):
                gone = {"roles": [], "active": False}
                self._admin("PATCH", f"/api/users/{item['username']}", body=gone)

    def _remove_groups(self) -> None:
        """There are none, unless somebody could make what they must not."""
        for item in self._admin("GET", "/api/groups")["groups"]:
            if item["issuer"] == self.mark:
                self._admin("DELETE", f"/api/groups?issuer={self.mark}&group={item['group']}")

    def _remove_roles(self) -> None:
        for item in self._admin("GET", "/api/roles")["roles"]:
            if item["name"].startswith(self.mark) and not item["retired"]:
                self._admin("DELETE", f"/api/roles/{item['name']}")

    def _admin(self, method: str, path: str, **more: Any) -> Any:  # noqa: ANN401 - any JSON
        return self._server.ask(method, path, self._admin_key, **more)


def word(syllables: int) -> str:
    """A random made-up word of lower-case letters."""
    pairs = (secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(syllables))
    return "".join(pairs)


def _try(step: Callable[[], None], problems: list[str]) -> None:
    """Do a step of the removal; what goes wrong must not keep the next one from running."""
    try:
        step()
    except LeakTestFailed as exc:
        problems.append(str(exc))
