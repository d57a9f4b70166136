"""The re-embedding of a document as a scenario, to be killed."""

from __future__ import annotations

from eval.kill_runs import Arena, Scenario
from eval.kill_spaces import OTHER, parts


def reembeds(arena: Arena, *, cut: bool) -> Scenario:
    """The document's other space is filled and switched to, by a process that is killed."""
    reindex, _ = parts(arena.store, cut=cut)

    def start() -> None:
        if not arena.chunks():
            arena.ingest()
        elif is_done():
            reindex.switch(reindex.before())
        reindex.drop()
        reindex.start()

    def is_done() -> bool:
        active = arena.store.spaces.active()
        return active is not None and active.model_id == OTHER

    verb = "cut" if cut else "reembed"
    return Scenario(
        start=start,
        commands=lambda: [[arena.url, verb, str(arena.log()), str(arena.seconds)]],
        is_done=is_done,
        state=arena.state,
        begins="fill",
    )
