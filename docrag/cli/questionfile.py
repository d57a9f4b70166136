"""Files of questions with the place of their answers, as people make them in a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from docrag.answer.calibration import Expectation


def read(path: Path) -> Iterator[Expectation]:
    """Questions of a file, in order.

    :raises click.ClickException: a line is not a question, or there is none.
    """
    count = 0
    for number, row in _rows(path):
        try:
            page = row.get("page")
            item = Expectation(
                question=str(row["question"]).strip(),
                document=str(row["document"]).strip(),
                page=int(page) if page not in (None, "") else None,
            )
        except (KeyError, TypeError, ValueError) as exc:
            raise click.ClickException(_wrong(path, number)) from exc
        if not item.question or not item.document:
            raise click.ClickException(_wrong(path, number))
        count += 1
        yield item
    if not count:
        raise click.ClickException(f"{path.name} holds no questions")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and fields of every question."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as exc:
        raise click.ClickException(f"{path.name} is not UTF-8 text; save it as UTF-8") from exc
    if path.suffix.lower() == ".csv":
        lines = text.splitlines()
        # Turkish spreadsheets write semicolons, since the comma is the decimal sign.
        delimiter = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
        yield from enumerate(csv.DictReader(lines, delimiter=delimiter), start=2)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as exc:
                raise click.ClickException(_wrong(path, number)) from exc
            yield number, row if isinstance(row, dict) else {}


def _wrong(path: Path, number: int) -> str:
    return (
        f"{path.name}, line {number}: no question; each needs `question` and `document`, and may "
        "have `page` (a number from 1)"
    )
