"""What commands print: tables for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

import click
from tqdm import tqdm

_F = TypeVar("_F", bound=Callable[..., Any])


def json_option(command: _F) -> _F:
    """The ``--json`` option, which reaches the command as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def print_json(value: object) -> None:
    """Print a value as JSON: records as objects, times in ISO 8601, Turkish letters as they are."""
    click.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2))


def print_rows(rows: Iterable[Mapping[str, object]], *, as_json: bool, empty: str = "") -> None:
    """Print rows of equal keys as an aligned table, or as a JSON list of objects.

    :param empty: what a person reads, on standard error, when there are no rows.
    """
    listed = list(rows)
    if as_json:
        print_json(listed)
    elif listed:
        click.echo("\n".join(_table(listed)))
    elif empty:
        click.echo(empty, err=True)


def progress(total: int, description: str, unit: str) -> tqdm[Any]:
    """A progress bar on standard error, silent where that is not a terminal."""
    return tqdm(total=total, desc=description, unit=unit, file=sys.stderr, disable=None)


def counted(number: int, one: str) -> str:
    """A number with what it counts: ``1 question``, ``2 questions``.

    :param one: the word for one, whose plural ends in ``s`` (``y`` becomes ``ies``).
    """
    if number == 1:
        return f"1 {one}"
    return f"{number} {one[:-1]}ies" if one.endswith("y") else f"{number} {one}s"


def say(line: str) -> None:
    """Tell a person something that is not the result, on standard error."""
    click.echo(line, err=True)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(str(item) for item in value)
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _table(rows: Sequence[Mapping[str, object]]) -> list[str]:
    heads = list(rows[0])
    cells = [[_cell(row[head]) for head in heads] for row in rows]
    lines = [[head.replace("_", " ") for head in heads], *cells]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def _cell(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "-"
    return str(value)
