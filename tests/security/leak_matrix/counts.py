"""Counts and lists: what is shown must be exactly what the model says, no less and no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.security.leak_matrix.faces import Face
from tests.security.leak_matrix.model import ADMIN
from tests.security.leak_matrix.visits import Visit
from tests.security.leak_matrix.world import World

#: A check: the answer of a face that was let in, as JSON or else as text; yields what is wrong.
Check = Callable[[World, Face, Visit, Any], Iterator[str]]


def documents(world: World, face: Face, visit: Visit, answer: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Number, identifiers and chunks of the listed documents."""
    shown = [(item["id"], item["chunks"]) for item in answer["documents"]]
    right = [(doc.id, doc.chunks) for doc in world.model.visible(face.api or ())]
    if sorted(shown) != sorted(right):
        yield f"lists {len(shown)} documents {shown}, the model has {len(right)}: {right}"


def document(world: World, face: Face, visit: Visit, answer: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Chunks and roles of one document: a reader is told of the reader's own roles only."""
    doc = next(doc for doc in world.model.docs if doc.id == answer["id"])
    allowed = world.model.names(doc.roles)
    roles = sorted(allowed if ADMIN in (face.api or ()) else allowed & (face.api or frozenset()))
    if (answer["chunks"], sorted(answer["roles"])) != (doc.chunks, roles):
        yield f"shows {answer['chunks']} chunks and roles {answer['roles']}, not {roles}"


def links(world: World, face: Face, visit: Visit, answer: Any) -> Iterator[str]:  # noqa: ANN401 - text
    """Documents that a page leads to."""
    shown = set(re.findall(r"/documents/([0-9a-f-]{36})", str(answer)))
    right = {doc.id for doc in world.model.visible(face.pages or ())}
    if shown != right:
        yield f"links to {len(shown)} documents {shown}, the model has {len(right)}: {right}"


def roles(world: World, face: Face, visit: Visit, answer: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Roles that are listed: one's own, or all for administrators."""
    shown = {item["name"] for item in answer["roles"]}
    every = {ADMIN, *(role.name for role in world.model.roles)}
    right = every if ADMIN in (face.api or ()) else set(face.api or ())
    if shown != right:
        yield f"lists the roles {sorted(shown)}, not {sorted(right)}"


CHECKS: Final[dict[str, Check]] = {
    "documents": documents, "document": document, "links": links, "roles": roles,
}  # fmt: skip
