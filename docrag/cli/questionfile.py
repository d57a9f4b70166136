"""Files of questions with the place of their answers, as people make them in a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docrag.answer.calibration import Expectation
from docrag.api import DocumentError, lower

#: No document has so many pages.
LAST = 1_000_000
#: How a spreadsheet says no, lower case.
_NO = ("false", "yanlış", "no", "hayır", "0")


def read(path: Path) -> Iterator[Expectation]:
    """Questions of a file, in order.

    :raises DocumentError: a line is not a question, or there is none.
    """
    count = 0
    for number, row in _rows(path):
        question, document = row.get("question"), row.get("document")
        if not (isinstance(question, str) and question.strip()):
            raise DocumentError(_wrong(path, number))
        if _is_unanswerable(row.get("answerable")):
            count += 1
            yield Expectation(question=question.strip(), document="")
            continue
        if not (isinstance(document, str) and document.strip()):
            raise DocumentError(_wrong(path, number))
        count += 1
        page = _page(row.get("page"), path, number)
        yield Expectation(question=question.strip(), document=document.strip(), page=page)
    if not count:
        raise DocumentError(f"{path.name} holds no questions")


def _is_unanswerable(value: object) -> bool:
    """True for a false as JSON and spreadsheets write it."""
    return value is False or (isinstance(value, str) and lower(value.strip()) in _NO)


def _page(value: object, path: Path, number: int) -> int | None:
    """A page from 1, as people and spreadsheets write it; ``None`` for none."""
    if value is None or value == "":
        return None
    try:
        page = float(str(value))
    except ValueError:
        raise DocumentError(_wrong(path, number)) from None
    if isinstance(value, bool) or not 1 <= page < LAST or page != int(page):
        raise DocumentError(_wrong(path, number))
    return int(page)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and fields of every question."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as exc:
        raise DocumentError(f"{path.name} is not UTF-8 text; save it as UTF-8") from exc
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
                raise DocumentError(_wrong(path, number)) from exc
            yield number, row if isinstance(row, dict) else {}


def _wrong(path: Path, number: int) -> str:
    return (
        f"{path.name}, line {number}: no question; each needs `question` and `document`, and may "
        "have `page` (a number from 1); one that nothing answers has `answerable` false instead"
    )
