"""``make leak``: 20,000 scenarios of the leak matrix, and whether time tells what is hidden.

A tenth as many follow with row-level security alone, and again with the filter of the statements
alone; then some with neither, which must leak, or the matrix would be blind. The last line is
``N scenarios, M leaks``; the exit status is 1 if anything leaked.
"""

from __future__ import annotations

import json
import logging
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from docrag.store.embedded import Embedded
from docrag.store.migrate import upgrade
from eval.timing import Comparison, hidden_against_missing
from tests.security.leak_matrix.draw import drawn
from tests.security.leak_matrix.findings import Tally
from tests.security.leak_matrix.stage import Stage, stage
from tests.security.leak_matrix.walk import Walk
from tests.security.leak_matrix.walls import without_row_security, without_where

#: Scenarios that are checked at least.
SCENARIOS: Final = 20_000
#: Scenarios without any wall, whose leaks are wanted and not counted.
BROKEN: Final = 300
#: Leaks that are told in full.
TOLD: Final = 5
#: Where the numbers go.
RESULT: Final = Path(__file__).parent / "results" / "leak.json"


def main() -> int:
    """Run everything and print it; 1 if anything leaked."""
    logging.getLogger().addHandler(logging.NullHandler())
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else SCENARIOS
    started = time.monotonic()
    seed = random.SystemRandom().randrange(2**32)
    click.echo(f"leak matrix, at least {wanted} scenarios, seed {seed}")
    with _database() as url, tempfile.TemporaryDirectory() as folder:
        with stage(url, Path(folder)) as ready:
            tallies = _all_walls(ready, wanted, seed)
            times = hidden_against_missing(ready)
    seconds = time.monotonic() - started
    _show(tallies, times, seconds)
    _save(tallies, times, seconds, seed)
    scenarios = sum(tally.scenarios for tally in tallies.values())
    leaks = sum(len(tally.leaks) for tally in tallies.values())
    leaks += sum(item.is_leak for item in times)
    click.echo(f"{scenarios} scenarios, {leaks} leaks")
    return 1 if leaks else 0


def _all_walls(ready: Stage, wanted: int, seed: int) -> dict[str, Tally]:
    """The walk with both walls and with each alone, by what stands.

    :raises RuntimeError: with neither, nothing was found.
    """
    tallies = {"both walls": _walk(ready, wanted, seed)}
    with without_where(ready):
        tallies["row-level security alone"] = _walk(ready, wanted // 10, seed + 1)
    with without_row_security():
        tallies["filter alone"] = _walk(ready, wanted // 10, seed + 2)
    with without_where(ready), without_row_security():
        broken = _walk(ready, BROKEN, seed + 3)
    if not broken.leaks:
        raise RuntimeError("without any wall nothing leaked: the matrix is blind")
    click.echo(f"no wall at all, as a check of the matrix: {broken.summary()}")
    return tallies


@contextmanager
def _database() -> Iterator[str]:
    """A migrated database on an embedded server in a folder of its own."""
    # Not TemporaryDirectory: the account of the server must be able to enter it.
    with tempfile.TemporaryDirectory(prefix="docrag-leak-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        embedded = Embedded(folder / "postgres")
        try:
            url = embedded.ensure()
            upgrade(url)
            yield url
        finally:
            embedded.release()


def _walk(ready: Stage, wanted: int, seed: int) -> Tally:
    """Play drawn plans until enough scenarios were checked."""
    walk, rng = Walk(ready), random.Random(seed)  # noqa: S311 - repeatable, no secret
    while walk.tally.scenarios < wanted:
        walk.play(drawn(rng), stop=lambda: walk.tally.scenarios >= wanted)
        if walk.tally.examples % 10 == 0:
            click.echo(f"  {walk.tally.summary()}")
    return walk.tally


def _show(tallies: dict[str, Tally], times: list[Comparison], seconds: float) -> None:
    """Print a table of the routes, then the times, then the leaks."""
    tally = tallies["both walls"]
    click.echo(f"\n{'scenarios':>9}  route")
    for route, number in sorted(tally.routes.items(), key=lambda pair: pair[0].split()[::-1]):
        click.echo(f"{number:9d}  {route}")
    click.echo(f"modes {dict(tally.modes)}, statuses {dict(sorted(tally.statuses.items()))}")
    click.echo("\nhidden against missing, Mann-Whitney, two-sided:")
    for item in times:
        click.echo(f"  {item}")
    for name, each in tallies.items():
        for found in each.leaks[:TOLD]:
            click.echo(f"\n{found}")
        if each.leaks:
            click.echo(f"\nall leaks by place and route:\n{each.caught()}")
        click.echo(f"\n{name}: {each.summary()}")
    click.echo(f"\n{seconds:.0f} s")


def _save(tallies: dict[str, Tally], times: list[Comparison], seconds: float, seed: int) -> None:
    """Write the numbers as other evaluations do."""
    rows = [
        {
            "walls": name,
            "route": route,
            "scenarios": number,
            "leaks": sum(found.route == route for found in tally.leaks),
        }
        for name, tally in tallies.items()
        for route, number in sorted(tally.routes.items())
    ]
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - fixed words
    RESULT.parent.mkdir(exist_ok=True)
    result = {
        "commit": commit,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": {"seed": seed, "seconds": round(seconds)},
        "scenarios": sum(tally.scenarios for tally in tallies.values()),
        "leaks": sum(len(tally.leaks) for tally in tallies.values()),
        "timing": [item.row() for item in times],
        "rows": rows,
    }
    RESULT.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
