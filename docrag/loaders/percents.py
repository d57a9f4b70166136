"""Which cells of an Excel file show their value in a way that the value does not say."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from io import BytesIO
from typing import Final
from zipfile import ZipFile

from docrag.loaders.sheetboxes import boxes

#: Numbers of the built-in formats ``0%`` and ``0.00%`` (ECMA-376 part 1, 18.8.30).
_BUILT_IN: Final = frozenset((b"9", b"10"))
_FORMAT = re.compile(rb"<numFmt\b[^>]*>")
_STYLES = re.compile(rb"<cellXfs\b.*?</cellXfs>", re.S)
_STYLE = re.compile(rb"<xf\b[^>]*>")
_SHEET = re.compile(rb"<sheet\b[^>]*>")
_RELATION = re.compile(rb"<Relationship\b[^>]*>")
#: A cell with a style of its own: its place, and the number of the style.
_CELL = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})" s="([0-9]+)"')
#: A cell whose formula failed: its place, and what it shows.
_ERROR = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"[^<>]* t="e"[^<>]*>(?:<f[^<>]*(?:/>|>[^<]*</f>))?<v>'
    rb"(#[A-Z0-9/!?]{1,20})</v>"
)
#: Most noughts of a number that is filled up with them: a bank account has 26 letters.
_WIDEST = 30
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
        self._styles: Mapping[bytes, str] = {}
        self._parts: list[str] = []
        # A second reader of the same bytes: neither is copied, and each has a place of its own.
        self._archive = ZipFile(BytesIO(source.getvalue()))
        self._names = frozenset(self._archive.namelist())
        if {_WORKBOOK, _STYLE_SHEET, _RELATIONS} <= self._names:
            self._styles = _styles_with_form(self._archive.read(_STYLE_SHEET))
            self._parts = _sheet_parts(
                self._archive.read(_WORKBOOK), self._archive.read(_RELATIONS)
            )

    def cells(self, sheet: int) -> dict[tuple[int, int], str]:
        """How to write the cells of a sheet, by row and column from 0, as `cells.formed` takes it.

        ``%`` for a share of a hundred, ``00000`` for a number with noughts before it, ``#DIV/0!``
        and the like for a formula that failed.

        :param sheet: place of the sheet in the workbook, from 0.
        """
        if sheet >= len(self._parts) or self._parts[sheet] not in self._names:
            return {}
        content = self._archive.read(self._parts[sheet])
        styled = _CELL.finditer(content) if self._styles else ()
        found = {
            (int(cell[2]) - 1, column_of(cell[1]) - 1): self._styles[cell[3]]
            for cell in styled
            if cell[3] in self._styles
        }
        for cell in _ERROR.finditer(content) if b' t="e"' in content else ():
            found[int(cell[2]) - 1, column_of(cell[1]) - 1] = cell[3].decode()
        return found

    def boxes(self, sheet: int) -> str:
        """The lines of the text boxes on a sheet; empty for none.

        :param sheet: place of the sheet in the workbook, from 0.
        """
        if sheet >= len(self._parts):
            return ""
        return "\n".join(boxes(self._archive, self._parts[sheet]))


def _styles_with_form(styles: bytes) -> dict[bytes, str]:
    """The form of each cell style that has one, by its number."""
    formats = dict.fromkeys(_BUILT_IN, "%")
    for tag in _FORMAT.findall(styles):
        attributes = _attributes(tag)
        code = attributes.get(b"formatCode", b"")
        if b"%" in code:
            formats[attributes.get(b"numFmtId", b"")] = "%"
        elif 1 < len(code) <= _WIDEST and not code.strip(b"0"):
            formats[attributes.get(b"numFmtId", b"")] = code.decode()
    found = _STYLES.search(styles)
    tags = _STYLE.findall(found[0]) if found else []
    forms = (formats.get(_attributes(tag).get(b"numFmtId", b"")) for tag in tags)
    return {str(at).encode(): form for at, form in enumerate(forms) if form}


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
