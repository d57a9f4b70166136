"""``kill -9`` in the middle of the work; ``make eval-kill`` does it thirty times, with laws."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from docrag.store import Store
from eval.kill import SCENARIOS
from eval.kill_runs import Arena

#: Enough for some thirty batches.
LAW = "\n\n".join(
    f"MADDE {number} - İşveren, {number} numaralı ölçümü {number * 7} gün içinde yaptırır. " * 4
    for number in range(1, 100)
)


@pytest.mark.parametrize("what", ["ingest, two workers"])
def test_killed_work_ends_as_if_undisturbed(
    database_url: str, store: Store, tmp_path: Path, what: str
) -> None:
    arena = Arena(
        url=database_url, store=store, file=LAW.encode(), suffix="txt", folder=tmp_path,
        seconds=0.02, lot=random.Random(what),
    )  # fmt: skip
    outcome = arena.run(what, SCENARIOS[what](arena), kills=2)
    assert outcome.held, outcome
    assert outcome.searches > 0
