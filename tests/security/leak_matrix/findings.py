"""What a walk found: leaks with their reproduction, and how much was looked at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.security.leak_matrix.faces import Face
from tests.security.leak_matrix.visits import Visit
from tests.security.leak_matrix.world import World

#: Characters shown before and behind what leaked.
AROUND = 60


@dataclass(frozen=True)
class Leak:
    """Something that a face got and must not have, told so that anybody can make it again."""

    #: ``body``, ``stream``, ``header``, ``log``, ``model`` (what it was asked), ``count``,
    #: ``status``, ``difference``, ``audit`` or ``state``.
    where: str
    route: str
    mode: str
    app: str
    face: str
    what: str
    reproduction: str

    def __str__(self) -> str:
        return f"LEAK ({self.where}): {self.what}\n{self.reproduction}"


@dataclass
class Tally:
    """Counts over all examples, and every leak."""

    #: Requests that were checked, each a state, a face, a route and a mode.
    scenarios: int = 0
    states: int = 0
    examples: int = 0
    #: Scenarios by route, by mode, and answers that held the caller's own documents by route.
    routes: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    #: Requests that reached the fake model and were searched.
    prompts: int = 0
    #: Pairs of a hidden and a missing thing that were compared.
    pairs: int = 0
    log_lines: int = 0
    leaks: list[Leak] = field(default_factory=list)

    def summary(self) -> str:
        """One line for people."""
        return (
            f"{self.scenarios} scenarios in {self.states} states of {self.examples} worlds, "
            f"{len(self.routes)} routes, {self.prompts} prompts, {self.pairs} pairs of hidden and "
            f"missing, {self.log_lines} log lines, {sum(self.own.values())} answers with own "
            f"documents; {len(self.leaks)} leaks"
        )

    def caught(self) -> str:
        """The leaks by place, route, and app or mode, for people."""
        counted = Counter((leak.where, leak.route, leak.mode, leak.app) for leak in self.leaks)
        return "\n".join(
            f"{number:6d} × {where:10s} {route} ({mode}; {app})"
            for (where, route, mode, app), number in sorted(counted.items())
        )


def leak(world: World, face: Face, visit: Visit, where: str, what: str) -> Leak:
    """A leak with everything that is needed to see it again."""
    done = "\n".join(f"  {change}" for change in world.done) or "  none yet"
    roles = {area: sorted(face.roles(area) or ()) for area in ("api", "page")}
    told = f"{visit.method} {visit.url} {visit.body or ''}".strip()
    reproduction = "\n".join(
        [
            f" as {face.name}, who has {roles}",
            f" request ({visit.mode}, app {visit.app!r}, {visit.kind or 'no'} target): {told}",
            " world now:", *world.model.lines(),
            " changes so far:", done,
            f" again: {world.plan!r}",
        ]
    )  # fmt: skip
    return Leak(where, visit.route, visit.mode, visit.app, face.name, what, reproduction)


def difference(hidden: tuple[object, ...], missing: tuple[object, ...]) -> str:
    """Where the answers for a hidden and for a missing thing part."""
    first, second = str(hidden), str(missing)
    parted = (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    place = next(parted, min(len(first), len(second)))
    around = slice(max(0, place - AROUND), place + AROUND)
    return f"hidden answers …{first[around]}…, missing answers …{second[around]}…"


def excerpt(text: str, mark: str) -> str:
    """The surroundings of a mark in a text, on one line."""
    place = max(0, text.lower().find(mark))
    return " ".join(text[max(0, place - AROUND) : place + len(mark) + AROUND].split())
