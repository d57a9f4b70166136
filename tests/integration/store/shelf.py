"""Six documents whose roles have a history, and every path that leads to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from docrag.api import Access, Article, DocumentNotFound
from docrag.store import Store

from .conftest import Library, spread

#: Document by the roles that it was given; "eski" was retired and "önceki" renamed to "yeni" later.
SHELF = {
    "ik": ["ik"],
    "bilgi": ["bilgi"],
    "both": ["ik", "bilgi"],
    "admin": ["admin"],
    "retired": ["eski"],
    "renamed": ["önceki"],
}
SEEN = {
    "nobody": ([], set()),
    "unknown": (["yok"], set()),
    "odd names": (["ik,bilgi", "{ik}", "ik' OR '1'='1", "", "i\x00k", "\ud800"], set()),
    "one": (["ik"], {"ik", "both"}),
    "several": (["ik", "bilgi", "yok"], {"ik", "bilgi", "both"}),
    "other case": (["IK", "İK", "ık"], set()),
    "admin": (["admin"], set(SHELF)),
    "retired": (["eski"], set()),
    "old name": (["önceki"], set()),
    "new name": (["yeni"], {"renamed"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A library in which role names have a history."""

    store: Store
    #: The same database, searched through HNSW however few chunks are permitted.
    hnsw: Store
    #: Name in ``SHELF`` by document id, and job id by name.
    names: dict[str, str]
    jobs: dict[str, str]


def fill(engine: Engine) -> Shelf:
    """The shelf in an empty database, after a role was retired and another renamed."""
    store = Store(engine)
    library = Library(store)
    names, jobs = {}, {}
    for name, roles in SHELF.items():
        document, job = library.queue(roles=roles, data=name.encode())
        library.fill(document.id, f"izin {name}")
        names[document.id], jobs[name] = name, job.id
    store.roles.retire("eski")
    store.roles.rename("önceki", "yeni")
    return Shelf(store=store, hnsw=Store(engine, exact_threshold=0), names=names, jobs=jobs)


Path = Callable[[Shelf, Access], set[str]]


def dense(shelf: Shelf, access: Access) -> set[str]:
    found = shelf.store.chunks.candidates(terms=[], vector=spread("q"), access=access, k=50)
    return {shelf.names[item.chunk.document_id] for item in found}


def hnsw(shelf: Shelf, access: Access) -> set[str]:
    found = shelf.hnsw.chunks.candidates(terms=[], vector=spread("q"), access=access, k=50)
    return {shelf.names[item.chunk.document_id] for item in found}


def lexical(shelf: Shelf, access: Access) -> set[str]:
    found = shelf.store.chunks.candidates(terms=["izin"], vector=None, access=access, k=50)
    return {shelf.names[item.chunk.document_id] for item in found}


def hybrid(shelf: Shelf, access: Access) -> set[str]:
    found = shelf.hnsw.chunks.candidates(terms=["izin"], vector=spread("q"), access=access, k=50)
    return {shelf.names[item.chunk.document_id] for item in found}


def named(shelf: Shelf, access: Access) -> set[str]:
    first = [Article(kind="madde", number="1")]
    found, _ = shelf.store.chunks.named_beside(first, (), access=access, k=50)
    return {shelf.names[chunk.document_id] for chunk in found}


def listed(shelf: Shelf, access: Access) -> set[str]:
    return {shelf.names[item.id] for item in shelf.store.documents.list(access=access)}


def answered(shelf: Shelf, ask: Callable[[str, str], object]) -> set[str]:
    seen = set()
    for document_id, name in shelf.names.items():
        try:
            ask(document_id, name)
        except DocumentNotFound:
            continue
        seen.add(name)
    return seen


def got(shelf: Shelf, access: Access) -> set[str]:
    return answered(shelf, lambda item, _: shelf.store.documents.get(item, access=access))


def paged(shelf: Shelf, access: Access) -> set[str]:
    return answered(shelf, lambda item, _: shelf.store.documents.pages(item, access=access))


def job(shelf: Shelf, access: Access) -> set[str]:
    return answered(shelf, lambda _, name: shelf.store.jobs.get(shelf.jobs[name], access=access))


PATHS: list[Path] = [dense, hnsw, lexical, hybrid, named, listed, got, paged, job]
