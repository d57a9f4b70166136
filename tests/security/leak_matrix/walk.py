"""The walk: every route as everybody in every state, each answer searched for what is foreign."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Final
from urllib.parse import unquote

from werkzeug.test import TestResponse

from tests.security.leak_matrix.aftermath import audited, unchanged
from tests.security.leak_matrix.counts import CHECKS
from tests.security.leak_matrix.faces import Face, everybody
from tests.security.leak_matrix.findings import Tally, difference, excerpt, leak
from tests.security.leak_matrix.model import ADMIN, marks_in
from tests.security.leak_matrix.plan import Plan
from tests.security.leak_matrix.routes import ROUTES, Route, found
from tests.security.leak_matrix.stage import Stage
from tests.security.leak_matrix.visits import MISSING, Visit, visits
from tests.security.leak_matrix.world import World

#: Headers that differ between any two answers.
OWN_HEADERS: Final = {"x-request-id", "date", "content-length"}
#: Value of a session cookie.
COOKIE: Final = re.compile(r"(?<=docrag=)[^;]*")
#: Identifier of an answer.
ANSWER: Final = re.compile(r"(?:chatcmpl-|resp_)([0-9a-f-]{36})")
#: Token of a form, which is another one every second.
TOKEN: Final = re.compile(r'(?<=name="csrf_token" value=)"[^"]*"')
#: Statuses for somebody whom a route does not let in: on a page the way to the sign-in form.
REFUSED: Final = {"api": {401, 403, 404}, "page": {303, 401, 403, 404}}


class Walk:
    """Walks over a stage and keeps the tally."""

    def __init__(self, stage: Stage, *, only: Collection[str] = ROUTES) -> None:
        """Begin with an empty tally.

        :param only: names of the routes to walk.
        """
        self.stage = stage
        self.tally = Tally()
        self._only = frozenset(only)
        #: Who asked for each answer of this state, by its identifier.
        self._asked: dict[str, tuple[Face, Visit]] = {}

    def play(self, plan: Plan, *, stop: Callable[[], bool] = lambda: False) -> None:
        """Build the world of a plan and walk it, at first and after each change.

        :param stop: asked between two states; true ends the example.
        """
        world = World(self.stage, plan)
        self.tally.examples += 1
        self._walk(world)
        for change in plan.changes:
            if stop():
                return
            world.apply(change)
            self._walk(world)

    def _walk(self, world: World) -> None:
        self.tally.states += 1
        known = {name: rule for name, rule in found(self.stage.app).items() if name in self._only}
        slow: set[str] = set()
        self._asked.clear()
        for face in everybody(world):
            for name, route in ROUTES.items():
                if name not in known or (route.slow and name in slow) or _spares(face, route):
                    continue
                if (route.changes or route.area == "open") and world.lot.random() > face.share:
                    continue
                slow.add(name)
                missing: dict[str, tuple[object, ...]] = {}
                for visit in visits(world, face, name, route, known[name]):
                    self._visit(world, face, route, visit, missing)

        for face, visit, what in audited(world, self._asked):
            self.tally.leaks.append(leak(world, face, visit, "audit", what))
        for what in unchanged(world):
            nobody = Face(name="somebody who may not"), Visit(route="any that changes", path="")
            self.tally.leaks.append(leak(world, *nobody, "state", what))

    def _visit(
        self,
        world: World,
        face: Face,
        route: Route,
        visit: Visit,
        missing: dict[str, tuple[object, ...]],
    ) -> None:
        """Make one request and look at everything that came of it."""
        self.stage.log.lines.clear()
        self.stage.ollama.requests.clear()
        words = visit.words
        response = self._send(face, visit)
        text = response.get_data(as_text=True)
        response.close()
        self.tally.scenarios += 1
        self.tally.routes[visit.route] += 1
        self.tally.modes[visit.mode] += 1
        self.tally.statuses[response.status_code] += 1
        if named := ANSWER.search(text):
            self._asked[named[1]] = (face, visit)
        for where, what in self._wrong(world, face, route, visit, words, response, text):
            self.tally.leaks.append(leak(world, face, visit, where, what))
        if visit.kind in {"missing", "hidden"} and not route.changes:
            likeness = _likeness(response, text, visit)
            key = f"{visit.mode} {visit.query}"
            if visit.kind == "missing":
                missing[key] = likeness
            elif key in missing:
                self.tally.pairs += 1
                if likeness != missing[key]:
                    what = difference(likeness, missing[key])
                    self.tally.leaks.append(leak(world, face, visit, "difference", what))

    def _send(self, face: Face, visit: Visit) -> TestResponse:
        client = self.stage.apps[visit.app].test_client(use_cookies=False)
        return client.open(
            visit.path, method=visit.method, query_string=visit.query, headers=face.headers,
            **visit.body,
        )  # fmt: skip

    def _wrong(
        self, world: World, face: Face, route: Route, visit: Visit, words: str,
        response: TestResponse, text: str,
    ) -> Iterator[tuple[str, str]]:  # fmt: skip
        """Where something is wrong, and what."""
        roles = face.roles(route.area)
        said = marks_in(unquote(words)) | face.said
        if route.about_me and face.person and response.status_code == 201:
            face.person.given |= said
        person = face.person if roles is not None else None
        allowed = world.model.marks(roles or (), person, once=visit.once)
        if allowed is not None:
            allowed = allowed | said
            if route.about_me and person:
                allowed |= world.model.about(person)
        where = "stream" if visit.mode == "stream" else "body"
        headers = "\n".join(f"{name}: {value}" for name, value in response.headers)
        places = [(where, text), ("header", unquote(headers))]
        places += [("model", json.dumps(body, ensure_ascii=False)) for body in self._prompts()]
        for place, content in places:
            for mark in marks_in(content) - (allowed if allowed is not None else marks_in(content)):
                if place in {"body", "stream", "header", "model"} and mark in self.stage.known:
                    yield place, f"{world.model.owner(mark)}: …{excerpt(content, mark)}…"
        yield from self._logged(world, visit)
        yield from _status(route, face, visit, response)
        if allowed is None or marks_in(text) & (allowed - said):
            self.tally.own[visit.route] += bool(
                marks_in(text) & {m for doc in world.model.visible(roles or ()) for m in doc.marks}
            )
        if (
            route.count
            and response.status_code == 200
            and visit.method == "GET"
            and roles is not None
        ):
            answer = response.get_json() if response.is_json else text
            for what in CHECKS[route.count](world, face, visit, answer):
                yield "count", what

    def _prompts(self) -> list[object]:
        found: list[object] = list(self.stage.ollama.requests)
        self.tally.prompts += len(found)
        return found

    def _logged(self, world: World, visit: Visit) -> Iterator[tuple[str, str]]:
        """Canaries in the log, even the caller's own: only what stands in the path may be there."""
        lines = [*self.stage.log.lines]
        self.tally.log_lines += len(lines)
        for line in lines:
            for mark in marks_in(unquote(line)) - marks_in(unquote(visit.path)):
                if mark in self.stage.known:
                    yield "log", f"{world.model.owner(mark)}: …{excerpt(line, mark)}…"


def _spares(face: Face, route: Route) -> bool:
    """True for what administrators would really do, and for pages of those who have no session."""
    manages = ADMIN in (face.roles(route.area) or ()) and not face.is_named
    no_session = route.area == "page" and face.pages is None and "Cookie" not in face.headers
    no_session |= face.no_pages and route.area == "page"
    return (route.changes and manages) or (no_session and face.name != "anonymous")


def _status(
    route: Route, face: Face, visit: Visit, response: TestResponse
) -> Iterator[tuple[str, str]]:
    """Somebody let in who must not be, or an answer that shows nothing because something broke."""
    roles, status = face.roles(route.area), response.status_code
    if status >= 500 and "/signin/oidc" not in visit.path:
        yield "status", f"{status}, so nothing was tested"
    if status == 429 and not route.slow:
        yield "status", "429, so nothing was tested"
    if route.needs == "anyone":
        return
    outside = roles is None or (route.needs == "admin" and ADMIN not in roles)
    if route.needs == "admin" and route.changes and face.is_named:
        outside = True
    if outside and status not in REFUSED[route.area] and visit.route not in EASY:
        yield "status", f"{status} for somebody who is not let in"
    if visit.kind == "hidden" and status not in REFUSED[route.area]:
        yield "status", f"{status} for something hidden"


#: Routes that tell the same to everybody with a key, a front end that names nobody among them.
EASY: Final = {"GET /v1/models", "GET /v1/models/<path:model>"}


def _likeness(response: TestResponse, text: str, visit: Visit) -> tuple[object, ...]:
    """An answer without what differs by its nature."""
    headers = sorted(
        # A cookie is signed with the second that it was made in.
        (name.lower(), COOKIE.sub("", unquote(value)).replace(visit.target, MISSING))
        for name, value in response.headers
        if name.lower() not in OWN_HEADERS
    )
    body = TOKEN.sub("", text.replace(visit.target, MISSING))
    return response.status_code, body, tuple(headers)
