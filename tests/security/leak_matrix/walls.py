"""Walls taken away on purpose: the filter in the statements, and row-level security."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from unittest.mock import patch

from sqlalchemy import event

from tests.security.leak_matrix.stage import Stage

#: The role condition of a statement, up to where its right side begins.
CONDITION: Final = re.compile(r"(?:\w+\.)?allowed_roles && ")
#: Tables by which a filtered statement is told in the counts.
TABLES: Final = ("postings", "embeddings", "documents")


@contextmanager
def without_where(stage: Stage) -> Iterator[Counter[str]]:
    """Have every statement run with ``true`` in place of its role condition, wherever it is made.

    :returns: how many conditions were replaced, by table.
    """
    replaced: Counter[str] = Counter()

    def rewrite(
        connection: object,
        cursor: object,
        statement: str,
        parameters: object,
        context: object,
        many: bool,
    ) -> tuple[str, object]:
        opened = opened_up(statement)
        if opened != statement:
            replaced[next(table for table in TABLES if table in statement)] += 1
        return opened, parameters

    event.listen(stage.engine, "before_cursor_execute", rewrite, retval=True)
    try:
        yield replaced
    finally:
        event.remove(stage.engine, "before_cursor_execute", rewrite)


@contextmanager
def without_row_security() -> Iterator[None]:
    """Have every reader stay the owner of the tables, for whom no policy holds."""
    with patch("docrag.store.sessions.restrict", lambda session, access: None):
        yield


def opened_up(statement: str) -> str:
    """A statement with every role condition replaced by ``true``."""
    done, rest = "", statement
    while found := CONDITION.search(rest):
        end = _end(rest, found.end())
        done, rest = done + rest[: found.start()] + "true", rest[end:]
    return done + rest


def _end(statement: str, start: int) -> int:
    """Where an expression ends that begins at ``start``: at a blank or bracket outside of it."""
    depth = 0
    for place in range(start, len(statement)):
        sign = statement[place]
        if depth == 0 and (sign.isspace() or sign in "),;"):
            return place
        depth += (sign == "(") - (sign == ")")
    return len(statement)
