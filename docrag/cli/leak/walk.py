"""The walk: every route as every person, and what each reply gave away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from docrag.cli.leak.routes import calls, foreign_roles, impostor
from docrag.cli.leak.server import Call, LeakTestFailed, Reply, Server
from docrag.cli.leak.troupe import Person, Troupe

#: A person without a key, and one with a key that does not exist.
STRANGERS: Final = {"no key": None, "wrong key": "dk-" + "x" * 43}
#: Methods by which nobody of the walk may change anything.
CHANGING: Final = ("PUT", "PATCH", "DELETE")


@dataclass(slots=True, kw_only=True)
class Row:
    """What one route did."""

    requests: Counter[str] = field(default_factory=Counter)
    #: Replies that showed people what they may read.
    own: int = 0
    leaks: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)


@dataclass(slots=True, kw_only=True)
class Findings:
    """What the walk saw, by route."""

    rows: dict[str, Row] = field(default_factory=dict)

    @property
    def scenarios(self) -> int:
        """Requests in all."""
        return sum(row.requests.total() for row in self.rows.values())

    @property
    def own(self) -> int:
        """Replies that showed people what they may read: without any, the walk proves nothing."""
        return sum(row.own for row in self.rows.values())

    @property
    def leaks(self) -> int:
        """Foreign canaries seen, and changes that worked, in all."""
        return sum(row.leaks.total() for row in self.rows.values())

    def add(self, call: Call, person: Person, reply: Reply, troupe: Troupe) -> None:
        """Judge one reply."""
        text, row = reply.text.casefold(), self.rows.setdefault(call.route, Row())
        seen = [item for item in troupe.documents if any(word in text for word in item.canaries)]
        foreign = [item for item in seen if not item.roles & person.roles]
        changed = call.method in CHANGING and reply.status < 300
        row.requests[person.name] += 1
        row.leaks[person.name] += len(foreign) + changed + _names(text, call, person, troupe)
        row.statuses[reply.status] += 1
        row.own += len(seen) > len(foreign)


def walk(
    server: Server, troupe: Troupe, admin_key: str, *, listen: Callable[[str], None]
) -> Findings:
    """Try every route as every person; one of them loses the roles on the way and tries again.

    :param listen: called with the name of whoever walks next.
    :raises LeakTestFailed: the server cannot be reached, or does not describe its routes.
    """
    spec = server.ask("GET", "/openapi.json", admin_key)
    models = server.ask("GET", "/v1/models", admin_key)["data"]
    if not models:
        raise LeakTestFailed("the server offers no model in /v1/models")
    findings = Findings()

    def go(person: Person) -> None:
        listen(person.name)
        _as_one(server, troupe, person, spec, models[0]["id"], findings)

    strangers = [_stranger(name, key) for name, key in STRANGERS.items()]
    for person in [*troupe.people, *strangers]:
        go(person)
    go(troupe.strip(next(person for person in troupe.people if person.roles)))
    return findings


def table(findings: Findings) -> list[dict[str, object]]:
    """Routes by people: requests, foreign canaries after a ``!``; own canaries; statuses."""
    names: Sequence[str] = list(
        dict.fromkeys(name for row in findings.rows.values() for name in row.requests)
    )
    rows: list[dict[str, object]] = []
    for route, row in sorted(findings.rows.items(), key=lambda item: item[0].split(" ")[::-1]):
        rows.append(
            {
                "route": route,
                **{name: _cell(row.requests[name], row.leaks[name]) for name in names},
                "requests": row.requests.total(),
                "own": row.own,
                "foreign": row.leaks.total(),
                "statuses": ", ".join(
                    f"{status}×{count}" for status, count in sorted(row.statuses.items())
                ),
            }
        )
    return rows


def _as_one(
    server: Server,
    troupe: Troupe,
    person: Person,
    spec: dict[str, Any],
    model: str,
    findings: Findings,
) -> None:
    """All requests of one person."""
    headers = impostor(troupe, person)
    for call in calls(spec, troupe, person, model):
        reply = server.send(call, person.key, headers)
        findings.add(call, person, reply, troupe)


def _names(text: str, call: Call, person: Person, troupe: Troupe) -> bool:
    """True if a reply names a role of others that the request did not name itself."""
    said = call.path if call.json is None else f"{call.path} {json.dumps(call.json)}"
    return any(role in text and role not in said for role in foreign_roles(troupe, person))


def _stranger(name: str, key: str | None) -> Person:
    return Person(name=name, username="", roles=frozenset(), key=key, key_id=None)


def _cell(requests: int, leaks: int) -> str:
    return f"{requests} !{leaks}" if leaks else str(requests)
