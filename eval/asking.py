"""Asking a search many questions: what it found and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from eval.filtered import Floats

#: Questions that are asked before the first timed one, to warm caches.
WARM_UP: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Answers to a list of questions."""

    #: Chunks found for each question, best first.
    found: list[list[int]]
    #: Seconds for each question.
    seconds: list[float]

    def plain(self) -> dict[str, Any]:
        """The same for JSON."""
        return {"found": self.found, "seconds": self.seconds}


def ask(search: Callable[[Floats], list[int]], queries: Iterable[Floats]) -> Asked:
    """Ask each question once, the first ones also before, untimed."""
    asked = list(queries)
    for query in asked[:WARM_UP]:
        search(query)
    found, seconds = [], []
    for query in asked:
        started = time.perf_counter()
        found.append(search(query))
        seconds.append(time.perf_counter() - started)
    return Asked(found=found, seconds=seconds)
