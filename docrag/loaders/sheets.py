"""Reads the sheets of a spreadsheet with python-calamine; runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import chain
from typing import Final
from zipfile import ZipFile

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from docrag.api import LoaderError, Page, printable
from docrag.loaders.archive import light
from docrag.loaders.cells import Value, formed, written
from docrag.loaders.percents import Percents, column_of
from docrag.loaders.records import Record, records
from docrag.loaders.sheetstrings import in_line
from docrag.loaders.sheettable import Row, groups
from docrag.loaders.tables import repeatable

#: MiB of text parts that are read: two million cells have 95.
MAX_TEXT: Final = 128
#: Cells of a sheet between its corners; each takes 24 bytes, empty or not.
MAX_CELLS: Final = 5_000_000
#: Most sheets; Excel gets slow long before.
MAX_SHEETS: Final = 10_000
KIND: Final = "a spreadsheet (.xlsx, .xls or .ods)"
#: Most merged cells that are filled, and most rows of each.
_MAX_MERGED, _MAX_SPAN = 10_000, 200
_OLE = b"\xd0\xcf\x11\xe0"
#: A cell with content, and its place.
_FILLED = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"[^>]*[^/>]>|<c r="([A-Z]{1,3})([0-9]{1,7})">'
)
_PASSWORD = "it is protected with a password; save a copy without one"  # noqa: S105 - text


def read(data: bytes) -> Iterator[Record]:
    """One record a group of rows, or one ``error`` for a refusal."""
    return records(lambda: _pages(data))


def _pages(data: bytes) -> Iterator[Page]:
    workbook, percents = _open(data)
    sheets = workbook.sheets_metadata
    if len(sheets) > MAX_SHEETS:
        raise LoaderError(f"it has more than {MAX_SHEETS} sheets; split it into smaller files")
    hidden = [sheet.name for sheet in sheets if sheet.visible != SheetVisibleEnum.Visible]
    warning = f"hidden sheets were left out: {', '.join(map(_name, hidden))}" if hidden else ""
    found = False
    for at, sheet in enumerate(sheets):
        if sheet.typ != SheetTypeEnum.WorkSheet or sheet.visible != SheetVisibleEnum.Visible:
            continue
        forms = percents.cells(at) if percents else {}
        boxes = [printable(percents.boxes(at))] if percents else []
        rows = _rows(workbook.get_sheet_by_index(at), forms)
        for text in filter(None, chain(groups(rows), boxes)):
            first, found = not found, True
            section = _name(sheet.name)
            yield Page(number=None, text=text, section=section, warning=warning if first else "")
    if not found:
        raise LoaderError("its visible sheets hold no text" if hidden else "its sheets are empty")


def _open(data: bytes) -> tuple[CalamineWorkbook, Percents | None]:
    percents: Percents | None = None
    if data.startswith(_OLE) and "EncryptedPackage".encode("utf-16-le") not in data:
        source = BytesIO(data)  # an old Excel file
    else:
        source = in_line(light(data, kind=KIND, most=MAX_TEXT))
        _check_size(source)
        percents = Percents(source)
    try:
        return CalamineWorkbook.from_filelike(source), percents
    except PasswordError as exc:
        raise LoaderError(_PASSWORD) from exc
    except CalamineError as exc:
        raise LoaderError(f"it is not {KIND}, or damaged") from exc


def _check_size(source: BytesIO) -> None:
    """Refuse a sheet with cells so far from each other that the space between fills the memory.

    :raises LoaderError: a sheet is too large.
    """
    with ZipFile(source) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                _check_sheet(archive.read(name))
    source.seek(0)


def _check_sheet(content: bytes) -> None:
    columns: set[bytes] = set()
    last = 1
    for cell in _FILLED.finditer(content):
        columns.add(cell[1] or cell[3])
        last = max(last, int(cell[2] or cell[4]))
    width = max((column_of(letters) for letters in columns), default=1)
    if last * width > MAX_CELLS:
        raise LoaderError(
            f"a sheet reaches to row {last} and column {width}; delete what stands far outside, or "
            "split the sheet"
        )


def _rows(sheet: CalamineSheet, forms: Mapping[tuple[int, int], str]) -> Iterator[Row]:
    """Rows of texts without empty rows and columns; a merged cell stands in each of its rows.

    :param forms: how the cells are written that show their value in a way of their own, by row
        and column from 0.
    """
    left = sheet.start[1] if sheet.start else 0
    used, first = _used(sheet, forms)
    merged, covered = _merged(sheet)
    above: dict[int, str] = {}
    apart = False
    for at, row in enumerate(sheet.iter_rows(), first):
        texts = [_text(row[column]) for column in used]
        for place, column in enumerate(used) if forms or merged else ():
            if form := forms.get((at, column + left)):
                texts[place] = formed(row[column], form)
            if (at, column + left) in merged:
                texts[place] = texts[place] or above.get(column, "")
                above[column] = repeatable(texts[place])
        if any(texts):
            below = frozenset(
                place
                for place, column in enumerate(used if covered else ())
                if (at, column + left) in covered and not texts[place]
            )
            yield Row(texts=texts, apart=apart, covered=below)
        apart = not any(texts)


def _text(value: Value) -> str:
    """A value on one line."""
    return " ".join(printable(written(value)).split())


def _used(sheet: CalamineSheet, forms: Mapping[tuple[int, int], str]) -> tuple[list[int], int]:
    """Columns with text, and the number of the row that comes first, from 0."""
    left = sheet.start[1] if sheet.start else 0
    used = {column - left for (_, column), form in forms.items() if form.startswith("#")}
    count = 0
    for row in sheet.iter_rows():
        count += 1
        used.update(at for at, value in enumerate(row) if at not in used and _text(value))
    # Some versions give the empty rows above the first cell, too, but never the columns.
    first = sheet.end[0] + 1 - count if sheet.end else 0
    return sorted(at for at in used if 0 <= at < sheet.width), first


def _merged(sheet: CalamineSheet) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
    """Row and column, from 0, of the left cells of merged ones, and of the cells beside those."""
    ranges = list(sheet.merged_cell_ranges or ())[:_MAX_MERGED]
    first_cells = frozenset(
        (row, column)
        for (first, column), (last, _) in ranges
        for row in range(first, min(last, first + _MAX_SPAN) + 1)
    )
    beside = frozenset(
        (row, at)
        for (row, column), (_, last) in ranges
        for at in range(column + 1, min(last, column + _MAX_SPAN) + 1)
    )
    return first_cells, beside


def _name(name: str) -> str:
    return " ".join(printable(name).split())
