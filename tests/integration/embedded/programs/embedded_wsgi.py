"""A tiny WSGI app on an embedded server; with PRELOADED set, it uses it at import already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import psycopg

from docrag.store.embedded import Embedded

EMBEDDED = Embedded(Path(os.environ["CLUSTER"]))
if os.environ.get("PRELOADED"):
    EMBEDDED.ensure()


def app(environ: dict[str, object], start: Callable[..., object]) -> Iterable[bytes]:
    with psycopg.connect(EMBEDDED.ensure().replace("+psycopg", "")) as connection:
        connection.execute("select 1")
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]
