"""From ``/openapi.json`` to the requests of one person, also on what is not theirs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from docrag.cli.leak.server import Call
from docrag.cli.leak.troupe import Document, Person, Troupe

_PARAMETER = re.compile(r"\{(\w+)\}")
#: Requests that change something go first: if one works that should not, the rest shows it.
ORDER: Final = ("PUT", "PATCH", "POST", "DELETE", "GET", "HEAD", "OPTIONS", "TRACE")
#: Methods that carry a body.
WRITING: Final = ("PUT", "PATCH", "POST")
#: Paths whose every POST is a question, asked about each document in both stream modes.
ASKING: Final = "/v1/"


def calls(spec: Mapping[str, Any], troupe: Troupe, person: Person, model: str) -> Iterator[Call]:
    """Every request that one person tries, routes that change something first.

    :param spec: parsed ``/openapi.json``.
    :param model: id of a model on offer.
    """
    for method, path in sorted(_routes(spec), key=lambda route: ORDER.index(route[0])):
        for filled in _filled(path, troupe, person, model):
            for body in _bodies(method, path, troupe, person, model):
                # What a route wants in its query stands there, and harms no other.
                asked = f"{filled}?issuer={troupe.mark}&group={troupe.mark}"
                yield Call(method=method, path=asked, route=f"{method} {path}", json=body)


def impostor(troupe: Troupe, person: Person) -> dict[str, str]:
    """Headers that name somebody else, which a user's own key must not make true."""
    other = _other(troupe, person)
    return {
        "X-OpenWebUI-User-Email": f"{other.username}@example.org",
        "X-OpenWebUI-User-Id": other.username,
        "X-OpenWebUI-User-Role": "admin",
        "X-OpenWebUI-User-Group-Ids": ",".join(sorted(foreign_roles(troupe, person))),
    }


def foreign_roles(troupe: Troupe, person: Person) -> set[str]:
    """Roles that the person does not have."""
    return {role for document in troupe.documents for role in document.roles} - person.roles


def _routes(spec: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path, item in spec["paths"].items():
        yield from ((name.upper(), path) for name in item if name.upper() in ORDER)


def _filled(path: str, troupe: Troupe, person: Person, model: str) -> Iterator[str]:
    """The path with every combination of throw-away things in its parameters."""
    names = _PARAMETER.findall(path)
    values = [_values(name, troupe, person, model) for name in names]
    for chosen in itertools.product(*values):
        filled = path
        for name, value in zip(names, chosen, strict=True):
            filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
        yield filled


def _values(name: str, troupe: Troupe, person: Person, model: str) -> Sequence[str]:
    """What stands for a parameter: never anything that the leak test has not made."""
    own_key = person.key_id
    known: dict[str, Sequence[str]] = {
        "document_id": [document.id for document in troupe.documents],
        "job_id": [document.job for document in troupe.documents],
        "number": ["1"],
        "model": [model],
        "username": [other.username for other in troupe.people],
        "name": sorted({role for document in troupe.documents for role in document.roles}),
        # Not the own key, which its owner may revoke.
        "key_id": [str(other.key_id) for other in troupe.people if other.key_id != own_key],
    }
    return known.get(name, [troupe.mark])


def _bodies(
    method: str, path: str, troupe: Troupe, person: Person, model: str
) -> Iterator[dict[str, Any] | None]:
    if method not in WRITING:
        yield None
    elif path.startswith(ASKING):
        for document, stream in itertools.product(troupe.documents, (False, True)):
            yield {**_question(document, model), **_claims(troupe, person), "stream": stream}
    else:
        yield _claims(troupe, person)


def _question(document: Document, model: str) -> dict[str, Any]:
    """A question about a document, wherever a route may look for one."""
    text = f"{document.topic} numarasi"
    messages = [{"role": "user", "content": text}]
    return {"model": model, "messages": messages, "input": text, "query": text, "prompt": text}


def _claims(troupe: Troupe, person: Person) -> dict[str, Any]:
    """What a body may say to become somebody else, or to open what is closed."""
    other = _other(troupe, person)
    return {
        "user": other.username,
        "username": other.username,
        "name": f"{troupe.mark}-x",
        "password": "a wrong password",
        "issuer": troupe.mark,
        "group": troupe.mark,
        "roles": sorted(foreign_roles(troupe, person)),
        "active": True,
    }


def _other(troupe: Troupe, person: Person) -> Person:
    """Somebody else."""
    return next(other for other in troupe.people if other.username != person.username)
