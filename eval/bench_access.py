"""What access control adds to a request, with 10,000 users, 1,000 roles and as many keys.

Run by ``make bench-access``. It fills a database of its own, on the server of ``DATABASE_URL`` or
on an embedded one in a temporary folder, prints a table and writes ``eval/results/access.json``.
The acts take turns, so that the figures of one run can be compared, whatever else the machine does.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from flask import Flask, g
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url

from docrag.access.assertion import Assertion
from docrag.access.keys import digest
from docrag.api import Access
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.embedded import Embedded
from docrag.store.engine import normalise_url
from docrag.store.migrate import upgrade
from docrag.store.records import Principal
from docrag.web import create_app

Row: TypeAlias = dict[str, Any]
Act: TypeAlias = Callable[[], object]

RESULTS: Final = Path(__file__).parent / "results" / "access.json"
#: The size that the promise is made for.
USERS: Final = 10_000
ROLES: Final = 1_000
KEYS: Final = 2 * USERS + 1
#: Roles of each user, groups of each person whom a front end names, and roles of a heavy user.
ROLES_EACH: Final = 5
GROUPS_EACH: Final = 20
HEAVY: Final = 200
#: Repetitions of each act, after a tenth as many that warm up.
ROUNDS: Final = 500
#: Most milliseconds that key look-up and role resolution may add to a request.
BAR: Final = 2.0
#: The rows that the bar is for.
PROMISED: Final = ("added by a user key", "added by a front end")
ISSUER: Final = "open-webui"
#: Statements that make the people, separated by semicolons.
FILL: Final = Path(__file__).with_suffix(".sql")


def main() -> int:
    """Measure, print, write; 1 if the bar is not held."""
    logging.disable(logging.WARNING)
    with _database() as url, tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            instance=Path(folder),
            database_url=url,
            embedder="none",
            retriever="lexical",
            samples=False,
            pool_size=2,
        )
        _fill(url)
        with Assistant.open(settings) as assistant:
            rows = [*_store_rows(assistant.store), *_request_rows(assistant)]
    _print(rows)
    _write(rows)
    added = {row["measure"]: row["p50_ms"] for row in rows if row["measure"] in PROMISED}
    for name, taken in added.items():
        held = "held" if taken < BAR else "NOT HELD"
        click.echo(f"{name}: {taken:.3f} ms, bar {BAR:g} ms: {held}")
    return int(max(added.values()) >= BAR)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile.

    :param values: at least one.
    :param share: 0 to 1.
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def summary(measure: str, seconds: Sequence[float]) -> Row:
    """A row of the table from times in seconds."""
    return {
        "measure": measure,
        "p50_ms": round(statistics.median(seconds) * 1000, 3),
        "p95_ms": round(percentile(seconds, 0.95) * 1000, 3),
        "n": len(seconds),
    }


def paired(measure: str, more: Sequence[float], less: Sequence[float]) -> Row:
    """A row with what one act takes over another, round by round."""
    return summary(measure, [one - other for one, other in zip(more, less, strict=True)])


def timed(acts: Mapping[str, Act], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Seconds of each act; they take turns, so that a busy machine is busy for all of them."""
    for act in acts.values():
        for _ in range(max(1, rounds // 10)):
            act()
    taken: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            started = time.perf_counter()
            act()
            taken[name].append(time.perf_counter() - started)
    return taken


def _store_rows(store: Store) -> list[Row]:
    """Each part by itself."""
    groups = tuple(f"group-{n}" for n in random.Random(7).sample(range(1, ROLES + 1), GROUPS_EACH))  # noqa: S311 - no secret
    roles = Access.of([f"role-{n}" for n in range(1, ROLES_EACH + 1)])
    user, sessions = _turns(), store._sessions

    def read(access: Access | None) -> None:
        with sessions.begin(access=access) as session:
            session.execute(text("SELECT 1"))

    def named() -> Assertion:
        return Assertion(issuer=ISSUER, subject="", email=f"{user()}@example.org", groups=groups)

    taken = timed(
        {
            "key look-up with roles": lambda: store.keys.principal(digest(f"dk-{user()}")),
            f"key look-up, {HEAVY} roles": lambda: store.keys.principal(digest("dk-user-1")),
            "key look-up, first in a minute": lambda: store.keys.principal(
                digest(f"dk-resting-{user()}")
            ),
            "key look-up, unknown key": lambda: store.keys.principal(digest(f"dk-no-{user()}")),
            "role resolution by user name": lambda: store.keys.as_user(user()),
            f"key look-up acting for a user, {GROUPS_EACH} groups": lambda: store.keys.speaking(
                digest("dk-front"), named()
            ),
            "read transaction, no row-level security": lambda: read(None),
            "read transaction, row-level security": lambda: read(roles),
            "rate-limit hit": lambda: store.limits.hit(f"bench-{user()}", seconds=60),
        }
    )
    extra = paired(
        "row-level security, a read transaction",
        taken["read transaction, row-level security"],
        taken["read transaction, no row-level security"],
    )
    return [*(summary(name, seconds) for name, seconds in taken.items()), extra]


def _request_rows(assistant: Assistant) -> list[Row]:
    """A whole request, with access control and without."""
    guarded, open_ = create_app(assistant=assistant), create_app(assistant=assistant)
    caller = assistant.store.keys.principal(digest("dk-user-3"))
    assert caller is not None, "the key was just made"  # noqa: S101 - a script
    _unguard(open_, caller)
    user = _turns()

    def get(app: Flask) -> Callable[[Mapping[str, str]], None]:
        client = app.test_client()

        def send(headers: Mapping[str, str]) -> None:
            if client.get("/api/documents", headers=dict(headers)).status_code != 200:
                raise RuntimeError("the measured request failed")

        return send

    with_access, without = get(guarded), get(open_)

    def by_front_end() -> None:
        groups = ",".join(f"group-{n}" for n in range(1, GROUPS_EACH + 1))
        named = {"User-Email": f"{user()}@example.org", "User-Group-Ids": groups}
        headers = {f"X-OpenWebUI-{name}": value for name, value in named.items()}
        with_access({"Authorization": "Bearer dk-front", **headers})

    taken = timed(
        {
            "request, caller known beforehand": lambda: without({}),
            "request, user key": lambda: with_access({"Authorization": f"Bearer dk-{user()}"}),
            "request, front end for a user": by_front_end,
        }
    )
    bare, keyed, front = taken.values()
    return [
        *(summary(name, seconds) for name, seconds in taken.items()),
        paired(PROMISED[0], keyed, bare),
        paired(PROMISED[1], front, bare),
    ]


def _unguard(app: Flask, caller: Principal) -> None:
    """Have an app know its caller without looking."""

    def known() -> None:
        g.principal = replace(caller)

    hooks = app.before_request_funcs["documents"]
    hooks[:] = [known, *(hook for hook in hooks if hook.__name__ != "authenticate")]


def _turns() -> Callable[[], str]:
    """Names of users in a random order, always the same."""
    numbers = random.Random(3)  # noqa: S311 - no secret
    return lambda: f"user-{numbers.randint(3, USERS)}"


@contextmanager
def _database() -> Iterator[str]:
    """Address of a migrated database of our own, dropped in the end."""
    given = os.environ.get("DATABASE_URL")
    folder = Path(tempfile.mkdtemp(prefix="docrag-bench-"))
    # As root the server runs under another account, which has to get in.
    folder.chmod(0o755)
    embedded = None if given else Embedded(folder / "postgres")
    server = make_url(normalise_url(embedded.ensure() if embedded else given or ""))
    name = f"docrag_bench_{uuid.uuid4().hex[:12]}"
    admin = create_engine(server, isolation_level="AUTOCOMMIT")
    _run(admin, f"CREATE DATABASE {name}")
    try:
        url = server.set(database=name).render_as_string(hide_password=False)
        upgrade(url)
        yield url
    finally:
        _run(admin, f"DROP DATABASE {name} WITH (FORCE)")
        admin.dispose()
        if embedded:
            embedded.release()
        shutil.rmtree(folder, ignore_errors=True)


def _fill(url: str) -> None:
    """Make users, roles, keys and groups."""
    engine = create_engine(normalise_url(url))
    values = {"users": USERS, "roles": ROLES, "each": ROLES_EACH, "heavy": HEAVY, "issuer": ISSUER}
    with engine.begin() as connection:
        for statement in FILL.read_text("utf-8").split(";"):
            query = text(statement)
            connection.execute(query, {key: values[key] for key in query.compile().params})
    _run(engine.execution_options(isolation_level="AUTOCOMMIT"), "VACUUM ANALYZE")
    engine.dispose()


def _run(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execute(text(statement))


def _print(rows: Sequence[Row]) -> None:
    """The table for people."""
    click.echo(f"{USERS:,} users, {ROLES:,} roles, {KEYS:,} keys, {ROUNDS:,} rounds")
    click.echo(f"{'measure':<46}{'p50 ms':>9}{'p95 ms':>9}{'n':>7}")
    for row in rows:
        click.echo(f"{row['measure']:<46}{row['p50_ms']:>9.3f}{row['p95_ms']:>9.3f}{row['n']:>7}")


def _write(rows: Sequence[Row]) -> None:
    """The same for programs."""
    result = {
        "commit": _commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": {
            **{"users": USERS, "roles": ROLES, "keys": KEYS, "roles_of_a_user": ROLES_EACH},
            "groups_of_a_person": GROUPS_EACH,
            "rounds": ROUNDS,
            "bar_ms": BAR,
            "load": round(os.getloadavg()[0], 2),
        },
        "rows": list(rows),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _commit() -> str:
    """Short name of the commit, empty outside a checkout."""
    command, folder = ("git", "rev-parse", "--short", "HEAD"), Path(__file__).parent
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
