"""Whether time tells a hidden thing from a missing one: interleaved requests, Mann-Whitney U."""

from __future__ import annotations

import gc
import math
import random
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from flask.testing import FlaskClient

from tests.security.leak_matrix.faces import everybody
from tests.security.leak_matrix.plan import Plan
from tests.security.leak_matrix.stage import Stage
from tests.security.leak_matrix.world import World

#: Requests of each sort.
REQUESTS: Final = 500
#: Probability below which two distributions count as different. Since several paths are compared,
#: one of thirty runs would find such a difference by chance: it counts if fresh samples repeat it.
ALPHA: Final = 0.01
#: Documents that exist, all of them hidden from the caller.
DOCUMENTS: Final = 40
#: Paths that are compared.
PATHS: Final = (
    "/api/documents/{document}", "/api/documents/{document}/pages/1", "/documents/{document}",
    "/api/jobs/{job}",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two samples of request times, seconds."""

    path: str
    hidden: tuple[float, ...]
    missing: tuple[float, ...]
    #: Two-sided probability of such a difference if there is none.
    p: float
    #: That of the first samples, where these are fresh ones after a suspicion.
    first_p: float | None = None

    @property
    def is_alike(self) -> bool:
        """True if the times do not tell the two apart."""
        return self.p > ALPHA

    @property
    def is_leak(self) -> bool:
        """True if they do."""
        return not self.is_alike

    def __str__(self) -> str:
        hidden, missing = median(self.hidden) * 1000, median(self.missing) * 1000
        return (
            f"{self.path}: {len(self.hidden)} + {len(self.missing)} requests, median "
            f"{hidden:.3f} ms hidden, {missing:.3f} ms missing, p = {self.p:.3f}"
            f"{'' if self.first_p is None else f' (measured again after p = {self.first_p:.4f})'}"
            f"{'' if self.is_alike else '  TOLD APART'}"
        )

    def row(self) -> dict[str, object]:
        """The numbers for a result file."""
        return {
            "path": self.path,
            "requests": len(self.hidden),
            "median_hidden_ms": round(median(self.hidden) * 1000, 4),
            "median_missing_ms": round(median(self.missing) * 1000, 4),
            "p": round(self.p, 4),
            "first_p": None if self.first_p is None else round(self.first_p, 4),
        }


def hidden_against_missing(stage: Stage) -> list[Comparison]:
    """One comparison for each path, by a user who may read none of the documents."""
    plan = Plan(
        seed=random.SystemRandom().randrange(2**32),
        roles=2,
        people=(frozenset({0}),),
        documents=(frozenset({1}),) * DOCUMENTS,
        changes=(),
    )
    world = World(stage, plan)
    stage.sql("ANALYZE")
    client = stage.app.test_client(use_cookies=False)
    _admin, reader, *_others = everybody(world)
    return [_confirmed(client, reader.headers, world, path) for path in PATHS]


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p of the U test, by the normal approximation with ties and continuity corrected.

    Mann and Whitney (1947), "On a test of whether one of two random variables is stochastically
    larger than the other"; correction for ties as in Lehmann (1975), "Nonparametrics", 1.4.

    :raises ValueError: a sample is empty.
    """
    n, m = len(first), len(second)
    if not n or not m:
        raise ValueError("both samples need values")
    ordered = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    rank_sum, ties, start = 0.0, 0.0, 0
    while start < n + m:
        end = start
        while end < n + m and ordered[end][0] == ordered[start][0]:
            end += 1
        rank_sum += (start + end + 1) / 2 * sum(group == 0 for _, group in ordered[start:end])
        ties += (end - start) ** 3 - (end - start)
        start = end
    away = abs(rank_sum - n * (n + 1) / 2 - n * m / 2)
    total = n + m
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    return math.erfc(max(0.0, away - 0.5) / math.sqrt(variance) / math.sqrt(2))


def median(values: Sequence[float]) -> float:
    """The middle value, the upper one of two."""
    return sorted(values)[len(values) // 2]


def _confirmed(client: FlaskClient, headers: dict[str, str], world: World, path: str) -> Comparison:
    """A comparison, made again if it finds a difference."""
    first = _compare(client, headers, world, path)
    if first.is_alike:
        return first
    return replace(_compare(client, headers, world, path), first_p=first.p)


def _compare(client: FlaskClient, headers: dict[str, str], world: World, path: str) -> Comparison:
    """Ask for hidden and missing things in turn, in random order within each pair."""

    def hidden() -> str:
        doc = random.choice(world.model.docs)  # noqa: S311 - not a secret
        return path.format(document=doc.id, job=doc.job)

    def missing() -> str:
        return path.format(document=uuid.uuid4(), job=uuid.uuid4())

    def timed(make: Callable[[], str]) -> float:
        url = make()
        started = time.perf_counter()
        response = client.get(url, headers=headers)
        seconds = time.perf_counter() - started
        if response.status_code != 404:
            raise RuntimeError(f"{url} was answered {response.status_code}, not 404")
        return seconds

    samples: dict[Callable[[], str], list[float]] = {hidden: [], missing: []}
    for sort in (hidden, missing) * 20:
        timed(sort)  # warms caches and plans
    gc.disable()
    for _ in range(REQUESTS):
        for sort in random.sample([hidden, missing], 2):
            samples[sort].append(timed(sort))
    gc.enable()
    return Comparison(
        path=path,
        hidden=tuple(samples[hidden]),
        missing=tuple(samples[missing]),
        p=mann_whitney(samples[hidden], samples[missing]),
    )
