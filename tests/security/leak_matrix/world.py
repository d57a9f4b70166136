"""A plan carried out: on the database by docrag's own ways, and on the model beside it."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final

from docrag.access.keys import new_key
from docrag.access.passwords import hash_password
from docrag.api import Access
from docrag.assistant import NewVersion
from tests.security.leak_matrix.model import ADMIN, Doc, Model, Person, Role, canary, marks_in
from tests.security.leak_matrix.plan import Change, Plan
from tests.security.leak_matrix.stage import Stage

OWNER: Final = Access.of([ADMIN])
#: Day on which every second version begins, and one before it.
BEGINS, BEFORE = date(2015, 4, 1), date(2001, 1, 1)
#: Words that stand in every document, so that one question could find all of them.
SHARED: Final = "yıllık izin süresi IŞIK ölçümü İŞÇİ bildirimi"
#: The password of everybody; the walk never needs it right.
PASSWORD: Final = "açıl susam açıl"


@cache
def password_hash() -> str:
    """Its hash, made once since that is slow on purpose."""
    return hash_password(PASSWORD)


class World:
    """One example: the database, and the model of who may see what."""

    def __init__(self, stage: Stage, plan: Plan) -> None:
        """Build the plan's world in an emptied database, without its changes."""
        stage.empty()
        self.stage, self.plan = stage, plan
        self.rng = random.Random(plan.seed)
        self.done: list[Change] = []
        #: Which is searched for and which managing routes are tried; apart from the canaries.
        self.lot = random.Random(plan.seed + 1)
        roles = [Role(name=f"ışık-{self._canary()}") for _ in range(plan.roles)]
        for role in roles:
            stage.store.roles.create(role.name)
        self.model = Model(roles=roles, people=[])
        self.model.group_id = self.word()
        self.model.people = [self._person(set(), is_admin=True)]
        self.model.people += [self._person(set(numbers)) for numbers in plan.people]
        #: Secrets of the administrator's other keys, by what they are.
        self.keys: dict[str, str] = {}
        #: Numbers of the roles of the service's key, and of the bound of a front end.
        self.fixed = frozenset({0})
        self._office()
        self._set_group(frozenset({plan.roles - 1}))
        for numbers in plan.documents:
            self._document(set(numbers))
        #: Keys of the administrator, which nobody else may touch.
        self.key_ids = [key.id for key in stage.store.keys.list(self.model.people[0].username)]

    def word(self) -> str:
        """A canary that only administrators may see."""
        made = self._canary()
        self.model.office.add(made)
        return made

    def _canary(self) -> str:
        made = canary(self.rng)
        self.stage.known.add(made)
        return made

    def apply(self, change: Change) -> None:
        """Carry one change out, in the database and in the model."""
        self.done.append(change)
        model, store = self.model, self.stage.store
        person = model.people[1 + change.whom % (len(model.people) - 1)]
        role = model.roles[change.whom % len(model.roles)]
        doc = model.docs[change.whom % len(model.docs)]
        numbers = {number for number in change.roles if not model.roles[number].retired}
        match change.kind:
            case "document roles" if numbers and not doc.deleted:
                store.documents.set_roles(doc.id, model.names(numbers), access=OWNER)
                doc.roles = numbers
            case "user roles":
                store.users.set_roles(person.username, model.names(numbers))
                person.roles = numbers
            case "delete document" if not doc.deleted:
                store.documents.delete(doc.id, access=OWNER)
                doc.deleted = True
            case "new document" if numbers:
                self._document(numbers)
            case "new version" if numbers and not doc.deleted:
                self._document(numbers, before=doc)
            case "retire role":
                store.roles.retire(role.name)
                role.retired = True
            case "rename role":
                role.name = store.roles.rename(role.name, f"ILGAZ-{self._canary()}").name
            case "deactivate user":
                store.users.deactivate(person.username)
                person.active = False
            case "activate user":
                store.users.activate(person.username)
                person.active = True
            case "revoke key":
                self._revoke(person)
            case "group roles" if numbers:
                self._set_group(frozenset(numbers))

    def _person(self, roles: set[int], *, is_admin: bool = False) -> Person:
        store, model = self.stage.store, self.model
        words = [self._canary() for _ in range(4)]
        names = model.names(roles) | ({ADMIN} if is_admin else frozenset())
        person = Person(
            username=f"kişi-{words[0]}",
            email=f"{words[1]}@example.org",
            roles=roles,
            is_admin=is_admin,
            words=frozenset(words),
            narrow=frozenset(sorted(roles)[:1]),
        )
        store.users.create(
            person.username, password_hash=password_hash(), roles=names, email=person.email
        )
        person.key = self._key(person.username, words[2])
        if person.narrow:
            narrow = model.names(person.narrow)
            person.narrow_key = self._key(person.username, words[3], roles=narrow)
        return person

    def _key(self, username: str, name: str, **more: object) -> str:
        fresh = new_key()
        self.stage.store.keys.create(
            username=username,
            name=f"anahtar {name}",
            key_hash=fresh.digest,
            prefix=fresh.prefix,
            **more,  # type: ignore[arg-type] # passed on as given
        )
        return fresh.secret

    def _office(self) -> None:
        """Keys of the administrator for programs, and one that has ended."""
        admin, fixed = self.model.people[0].username, self.model.names(self.fixed)
        past = datetime.now(UTC) - timedelta(minutes=1)
        self.keys = {
            "service": self._key(admin, self.word(), kind="service", roles=fixed),
            "headers": self._key(admin, self.word(), kind="frontend", method="headers"),
            "oidc": self._key(admin, self.word(), kind="frontend", method="oidc"),
            "jwt": self._key(admin, self.word(), kind="frontend", method="jwt"),
            "bounded": self._key(
                admin, self.word(), kind="frontend", method="headers", roles=fixed
            ),
            "expired": self._key(admin, self.word(), expires_at=past),
            "revoked": self._key(admin, self.word()),
        }
        self.stage.store.keys.revoke(self.stage.store.keys.list(admin)[-1].id)

    def _set_group(self, numbers: frozenset[int]) -> None:
        model = self.model
        for issuer in ("open-webui", self.stage.issuer.url):
            self.stage.store.groups.set(issuer, model.group_id, model.names(numbers))
        model.group = set(numbers)

    def _revoke(self, person: Person) -> None:
        keys = self.stage.store.keys
        for key in keys.list(person.username):
            if not key.roles:
                keys.revoke(key.id)
        person.revoked = True

    def _document(self, roles: set[int], *, before: Doc | None = None) -> None:
        """A document with canaries everywhere, uploaded and read by the worker at once.

        :param before: any version of the document that it is the next version of.
        """
        assistant, number = self.stage.assistant, len(self.model.docs)
        names = ("title", "filename", "section", "text", "end")
        words = {name: self._canary() for name in names}
        hook = self._canary()
        doc = Doc(
            title=f"Yönerge {words['title']} İĞNE",
            filename=f"{words['filename']} ışığı.{'md' if number % 3 else 'txt'}",
            text=_text(words, hook),
            roles=roles,
            hook=hook,
            canaries=words,
            paged=number % 2 == 0,
        )
        if number % 3 == 0:
            del words["section"]  # plain text has none: the word stands in the text alone
            words["heading"] = next(iter(marks_in(doc.text.splitlines()[0])))
        version = NewVersion(replaces=before.id, valid_from=BEGINS) if before else NewVersion()
        document, job = assistant.upload(
            doc.text.encode(), filename=doc.filename, roles=self.model.names(roles),
            title=doc.title, version=version,
        )  # fmt: skip
        assert assistant.work_once()
        doc.id, doc.job, doc.sha256 = document.id, job.id, document.sha256
        doc.series, doc.version = document.series, document.version
        self.stage.known |= {doc.id, doc.job, doc.sha256, doc.series}
        stored = assistant.document(doc.id, access=OWNER)
        assert stored.chunks > 1, stored.error
        doc.chunks = stored.chunks
        if doc.paged:
            self._give_pages(doc.id)
        self.model.docs.append(doc)

    def _give_pages(self, document_id: str) -> None:
        """Number the sections as if they were the pages of a PDF, which takes seconds to read."""
        where = "document_id = (SELECT id FROM documents WHERE public_id = CAST(:id AS uuid))"
        for statement in (
            f"UPDATE pages SET number = ordinal + 1 WHERE {where}",
            f"UPDATE chunks SET page_first = 1, page_last = 1 WHERE {where}",
            "UPDATE documents SET n_pages = 1 WHERE public_id = CAST(:id AS uuid)",
        ):
            self.stage.sql(statement, id=document_id)


def _text(words: dict[str, str], hook: str) -> str:
    """Markdown of several chunks: shared words in the first, a canary in the first and the last."""
    filler = " ".join(f"Madde {n}: işveren, çalışanlara bilgi verir." for n in range(1, 9))
    return (
        f"# Bölüm {words['section']}\n\n"
        f"{words['text']} için {SHARED} burada {hook} diye geçer.\n\n"
        f"{filler}\n\nSon olarak {words['end']} hakkında {SHARED} yazılıdır.\n"
    )
