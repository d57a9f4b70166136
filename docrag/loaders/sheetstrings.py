"""Raised and lowered figures in the cells of an Excel file, whose reader gives plain text only."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Final
from zipfile import ZIP_STORED, ZipFile

from docrag.loaders.raised import lowered, raised

#: The part that holds the texts of all cells.
_STRINGS: Final = "xl/sharedStrings.xml"
#: A run of text with properties of its own.
_RUN = re.compile(rb"<r>(<rPr>(?:(?!</rPr>).){0,2000}</rPr>)<t([^<>]*)>([^<]*)</t></r>", re.S)
_PLACES = ((b'val="superscript"', raised), (b'val="subscript"', lowered))


def in_line(source: BytesIO) -> BytesIO:
    """The same file with raised and lowered text in signs of their own, ``m²``.

    :param source: the file as `docrag.loaders.archive.light` gives it.
    """
    with ZipFile(source) as archive:
        names = archive.namelist()
        strings = archive.read(_STRINGS) if _STRINGS in names else b""
        if not any(mark in strings for mark, _ in _PLACES):
            source.seek(0)
            return source
        target = BytesIO()
        with ZipFile(target, "w", ZIP_STORED) as copy:
            for name in names:
                content = _RUN.sub(_put, strings) if name == _STRINGS else archive.read(name)
                copy.writestr(name, content)
    target.seek(0)
    return target


def _put(run: re.Match[bytes]) -> bytes:
    """The run with its text as it stands."""
    for mark, put in _PLACES:
        if mark in run[1]:
            text = put(run[3].decode("utf-8", "replace")).encode()
            return b"<r>" + run[1] + b"<t" + run[2] + b">" + text + b"</t></r>"
    return run[0]
