"""A process that uses a cluster: one line of answer for each line of standard input."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

import psycopg

from docrag.api import StoreError
from docrag.store.embedded import Embedded

#: prctl(2): orphans below this process become its children, and nobody reaps them.
PR_SET_CHILD_SUBREAPER = 36


def answer(embedded: Embedded) -> str:
    try:
        url = embedded.ensure()
    except StoreError as exc:
        return f"{type(exc).__name__}: {exc}"
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute("select 1")
    return url


def become(user: int) -> None:
    # What is loaded later may be closed to the user, so load it now.
    try:
        psycopg.connect("host=127.0.0.1 port=1 connect_timeout=2")
    except psycopg.OperationalError:
        pass
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def main() -> None:
    home, option = Path(sys.argv[1]), sys.argv[2]
    if option == "subreaper":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    elif option.isdigit():
        become(int(option))
    embedded = Embedded(home)
    for _ in sys.stdin:
        sys.stdout.write(answer(embedded) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
