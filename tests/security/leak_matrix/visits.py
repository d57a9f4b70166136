"""Visits: the requests that a face makes of a route, chosen to hurt."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final
from urllib.parse import quote

from werkzeug.routing import Rule

from tests.security.leak_matrix.faces import Face
from tests.security.leak_matrix.model import ADMIN, Doc, canary
from tests.security.leak_matrix.routes import Route
from tests.security.leak_matrix.stage import APPS
from tests.security.leak_matrix.world import BEFORE, SHARED, World

#: A document and a job that never were.
MISSING: Final = "00000000-0000-4000-8000-000000000000"

#: Field in which a route takes a conversation.
TURNS: Final = {"POST /v1/chat/completions": "messages", "POST /v1/responses": "input"}

#: Share of GET requests that are made again as HEAD, of questions that nobody's are left out, and
#: of those that name a day.
HEADS: Final = 0.2
LESS: Final = 0.7
ONCE: Final = 0.3


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request, and what it is about."""

    route: str
    path: str
    query: str = ""
    #: Arguments of the test client: ``json`` or ``data``.
    body: dict[str, Any] = field(default_factory=dict)
    app: str = next(iter(APPS))
    #: ``plain`` or ``stream``; ``head`` for a HEAD request.
    mode: str = "plain"
    #: Identifier in the path, and whether it is ``hidden``, ``visible`` or ``missing``.
    target: str = ""
    kind: str = ""
    #: A question about a day before any second version began; ``None`` for what is no question.
    once: bool | None = None

    @property
    def method(self) -> str:
        """The request's method."""
        return "HEAD" if self.mode == "head" else self.route.partition(" ")[0]

    @property
    def url(self) -> str:
        """Path and query."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def words(self) -> str:
        """Everything that the caller says, which the answer may therefore repeat."""
        return f"{self.url} {json.dumps(self.body, default=str, ensure_ascii=False)}"


#: What stands in a path for an argument: kind and value, by name.
Filler = Callable[[World, Face, str], list[tuple[str, str]]]


def visits(world: World, face: Face, name: str, route: Route, rule: Rule) -> Iterator[Visit]:
    """Every request of a face to a route in this state."""
    if route.chat:
        yield from _questions(world, face, name, rule.rule, route.area)
        return
    blanks = [argument for argument in _arguments(rule)]
    filled = [FILL[argument](world, face, route.area) for argument in blanks]
    asked = _fill(world, face, world.lot.choice(route.query), route.area)
    for values in product(*filled):
        path = rule.rule
        for argument, (_, value) in zip(blanks, values, strict=True):
            path = path.replace(_placeholder(rule.rule, argument), quote(value))
        kind, target = values[0] if values else ("", "")
        visit = Visit(
            route=name, path=path, query=asked,
            body=_body(world, face, route), target=target, kind=kind,
        )  # fmt: skip
        yield visit
        if visit.method == "GET" and kind != "missing" and world.lot.random() < HEADS:
            yield Visit(
                route=name, path=path, query=visit.query, mode="head", target=target, kind=kind
            )


def _questions(world: World, face: Face, name: str, path: str, area: str) -> Iterator[Visit]:
    """Questions that would find a hidden document, on every app, in both stream modes."""
    roles = face.roles(area)
    hidden = world.model.hidden(roles or ()) or world.model.docs
    doc = world.lot.choice(hidden)
    gone = [doc for doc in world.model.docs if doc.deleted]
    ended = [doc for doc in world.model.docs if not world.model.in_force(doc, once=False)]
    asked = [[SHARED], [f"{doc.hook} {doc.hook}"]]
    for others in (gone, ended):
        if others:
            asked.append([world.lot.choice(others).hook])
    asked.append([f"{doc.hook} nedir?", f"Kaynak: {doc.title}", SHARED])  # an open conversation
    for app, stream in product(APPS, (False, True)):
        if roles is None and world.lot.random() < LESS:
            continue
        question = world.lot.choice(asked)
        turns = [
            {"role": "assistant" if place == 1 else "user", "content": text}
            for place, text in enumerate(question)
        ]
        once = world.lot.random() < ONCE
        body = {"model": "docrag", TURNS[name]: turns, "stream": stream,
                "docrag_date": BEFORE.isoformat() if once else None,
                "user": world.model.people[0].username}  # fmt: skip
        yield Visit(
            route=name, path=path, body={"json": body}, app=app,
            mode="stream" if stream else "plain", once=once,
        )  # fmt: skip


def _body(world: World, face: Face, route: Route) -> dict[str, Any]:
    """A fresh body of a request."""
    if route.json is not None:
        return {"json": json.loads(_fill(world, face, json.dumps(route.json), route.area))}
    if route.form is None and not route.file:
        return {}
    form: dict[str, Any] = {
        field: _fill(world, face, value, route.area) for field, value in (route.form or {}).items()
    }
    if route.file:
        doc = world.lot.choice(world.model.docs)
        form |= {
            "roles": world.model.roles[0].name,
            "file": (io.BytesIO(doc.text.encode()), "a.md"),
        }
    return {"data": form}


def _fill(world: World, face: Face, text: str, area: str) -> str:
    """The text with the names of what the face must not reach."""
    hidden = world.model.hidden(face.roles(area) or ()) or world.model.docs
    hook = world.lot.choice(hidden).hook
    return (
        text.replace("{document}", hidden[0].id)
        .replace("{question}", world.lot.choice([SHARED, f"{hook} {hook}"]))
        .replace("{answer}", _answers(world, face, area)[-1][1])
        .replace("{role}", world.lot.choice(world.model.roles).name)
        .replace("{group}", world.model.group_id)
        .replace("{username}", world.model.people[0].username)
    )


def _documents(world: World, face: Face, area: str) -> list[tuple[str, str]]:
    return _things(world, face, area, lambda doc: doc.id)


def _jobs(world: World, face: Face, area: str) -> list[tuple[str, str]]:
    return _things(world, face, area, lambda doc: doc.job)


def _answers(world: World, face: Face, area: str) -> list[tuple[str, str]]:
    """One answer that never was, and one that somebody else got; an administrator may rate all."""
    found = [("missing", MISSING)]
    if ADMIN in (face.roles(area) or ()) and not face.is_named:
        return found
    own = face.person.username if face.person else None
    given = world.stage.store.answers.list(limit=20)
    others = [entry.answer.id for entry in given if entry.username != own]
    return found + ([("hidden", world.lot.choice(others))] if others else [])


def _things(
    world: World, face: Face, area: str, identify: Callable[[Doc], str]
) -> list[tuple[str, str]]:
    """One visible document, one hidden, one deleted, and one that never was."""
    roles = face.roles(area)
    if roles is None:
        return [("hidden", identify(world.model.docs[0]))]
    rng, model = world.lot, world.model
    seen, hidden = model.visible(roles), model.hidden(roles)
    gone = [doc for doc in model.docs if doc.deleted]
    found = [("missing", MISSING)]
    found += [("visible", identify(rng.choice(seen)))] if seen else []
    found += [("hidden", identify(doc)) for doc in rng.sample(hidden, min(2, len(hidden)))]
    return found + ([("hidden", identify(rng.choice(gone)))] if gone else [])


def _people(world: World, face: Face, area: str) -> list[tuple[str, str]]:
    return [("", world.lot.choice(world.model.people).username)]


#: Values for the arguments of rules.
FILL: Final[dict[str, Filler]] = {
    "answer_id": _answers,
    "document_id": _documents,
    "job_id": _jobs,
    "number": lambda world, face, area: [("", "1")],
    "key_id": lambda world, face, area: [("", str(world.lot.choice(world.key_ids)))],
    "username": _people,
    "name": lambda world, face, area: [("", world.lot.choice(world.model.roles).name)],
    "model": lambda world, face, area: [("", "docrag"), ("", canary(world.lot))],
    "filename": lambda world, face, area: [("", "docrag.css"), ("", "swagger-ui.css")],
}


def _arguments(rule: Rule) -> list[str]:
    """Arguments of a rule in the order of the path."""
    return sorted(rule.arguments, key=lambda name: rule.rule.index(_placeholder(rule.rule, name)))


def _placeholder(rule: str, argument: str) -> str:
    """The argument as the rule writes it, with its converter."""
    end = rule.index(f"{argument}>") + len(argument) + 1
    return rule[rule.rindex("<", 0, end) : end]
