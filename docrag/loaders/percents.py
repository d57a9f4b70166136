"""Which cells of an Excel file show their number as a share of a hundred."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from io import BytesIO
from typing import Final
from zipfile import ZipFile

#: Numbers of the built-in formats ``0%`` and ``0.00%`` (ECMA-376 part 1, 18.8.30).
_BUILT_IN: Final = frozenset((b"9", b"10"))
_FORMAT = re.compile(rb"<numFmt\b[^>]*>")
_STYLES = re.compile(rb"<cellXfs\b.*?</cellXfs>", re.S)
_STYLE = re.compile(rb"<xf\b[^>]*>")
_SHEET = re.compile(rb"<sheet\b[^>]*>")
_RELATION = re.compile(rb"<Relationship\b[^>]*>")
#: A cell with a style of its own: its place, and the number of the style.
_CELL = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})" s="([0-9]+)"')
_WORKBOOK = "xl/workbook.xml"
_STYLE_SHEET = "xl/styles.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"


def column_of(letters: bytes) -> int:
    """The number of a column from its letters, from 1."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


class Percents:
    """Looks up the cells of one Excel file; a file of another kind has none."""

    def __init__(self, source: BytesIO) -> None:
        """Read the formats.

        :param source: the file as `docrag.loaders.archive.light` gives it; left as it is.
        """
        self._styles: frozenset[bytes] = frozenset()
        self._parts: list[str] = []
        # A second reader of the same bytes: neither is copied, and each has a place of its own.
        self._archive = ZipFile(BytesIO(source.getvalue()))
        self._names = frozenset(self._archive.namelist())
        if {_WORKBOOK, _STYLE_SHEET, _RELATIONS} <= self._names:
            self._styles = _percent_styles(self._archive.read(_STYLE_SHEET))
            self._parts = _sheet_parts(
                self._archive.read(_WORKBOOK), self._archive.read(_RELATIONS)
            )

    def cells(self, sheet: int) -> frozenset[tuple[int, int]]:
        """Row and column, from 0, of the cells of a sheet that show per cent.

        :param sheet: place of the sheet in the workbook, from 0.
        """
        if not self._styles or sheet >= len(self._parts) or self._parts[sheet] not in self._names:
            return frozenset()
        return frozenset(
            (int(cell[2]) - 1, column_of(cell[1]) - 1)
            for cell in _CELL.finditer(self._archive.read(self._parts[sheet]))
            if cell[3] in self._styles
        )


def _percent_styles(styles: bytes) -> frozenset[bytes]:
    """Numbers of the cell styles whose format has a per cent sign."""
    formats = set(_BUILT_IN)
    for tag in _FORMAT.findall(styles):
        attributes = _attributes(tag)
        if b"%" in attributes.get(b"formatCode", b""):
            formats.add(attributes.get(b"numFmtId", b""))
    found = _STYLES.search(styles)
    tags = _STYLE.findall(found[0]) if found else []
    return frozenset(
        str(at).encode()
        for at, tag in enumerate(tags)
        if _attributes(tag).get(b"numFmtId") in formats
    )


def _sheet_parts(workbook: bytes, relations: bytes) -> list[str]:
    """Names of the parts that hold the sheets, in their order."""
    targets = {
        tag.get(b"Id", b""): tag.get(b"Target", b"")
        for tag in map(_attributes, _RELATION.findall(relations))
    }
    ids = [_attributes(tag).get(b"r:id", b"") for tag in _SHEET.findall(workbook)]
    paths = [targets.get(key, b"").decode("utf-8", "replace") for key in ids]
    return [posixpath.normpath(posixpath.join("/xl", path)).lstrip("/") for path in paths]


def _attributes(tag: bytes) -> Mapping[bytes, bytes]:
    return dict(re.findall(rb'([\w:]+)="([^"]*)"', tag))
