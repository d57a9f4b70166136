"""Plans drawn without hypothesis' bookkeeping, for long runs: as large as plans may be."""

from __future__ import annotations

import random

from tests.security.leak_matrix.plan import CHANGES, DOCUMENTS, PEOPLE, STEPS, Change, Plan


def drawn(rng: random.Random) -> Plan:
    """A plan of the same kind as those of :func:`tests.security.leak_matrix.plan.plans`."""
    roles = rng.randint(2, 4)

    def some(least: int, most: int) -> frozenset[int]:
        return frozenset(rng.sample(range(roles), rng.randint(least, min(most, roles))))

    return Plan(
        seed=rng.randrange(2**32),
        roles=roles,
        people=tuple(some(0, roles) for _ in range(rng.randint(2, PEOPLE))),
        documents=tuple(some(1, 2) for _ in range(rng.randint(3, DOCUMENTS))),
        changes=tuple(
            Change(kind=rng.choice(CHANGES), whom=rng.randint(0, DOCUMENTS), roles=some(1, 2))
            for _ in range(rng.randint(1, STEPS))
        ),
    )
