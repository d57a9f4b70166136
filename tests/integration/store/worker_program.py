"""A worker in a process of its own: prints the job that it claimed."""

from __future__ import annotations

import sys
import time

from docrag.store import Store, make_engine


def hold(store: Store) -> None:
    """Claim a job and never come back."""
    with store.jobs.claim() as claimed:
        if claimed is not None:
            sys.stdout.write(f"{claimed.job.id}\n")
            sys.stdout.flush()
            time.sleep(600)


def run(store: Store) -> None:
    """Run jobs until there is none."""
    while True:
        with store.jobs.claim() as claimed:
            if claimed is None:
                return
            sys.stdout.write(f"{claimed.job.id}\n")
            time.sleep(0.01)
            store.jobs.finish(claimed.run)


if __name__ == "__main__":
    opened = Store(make_engine(sys.argv[1]))
    (hold if sys.argv[2] == "hold" else run)(opened)
