"""Texts of the boxes and shapes that lie on the sheets of an Excel file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import unescape
from zipfile import ZipFile

_TARGET = re.compile(rb'Target="([^"]{1,200}/drawing[^"/]{1,100}\.xml)"')
_WORDS = re.compile(rb"<a:t\b[^<>]*>([^<]*)</a:t>")


def boxes(archive: ZipFile, sheet: str) -> Iterator[str]:
    """The lines of all text boxes of a sheet, in the order of the file.

    :param sheet: name of the sheet's part.
    """
    folder, name = posixpath.split(sheet)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return
    for target in _TARGET.findall(archive.read(relations)):
        path = posixpath.join("/", folder, target.decode("utf-8", "replace"))
        part = posixpath.normpath(path).lstrip("/")
        if part in archive.namelist():
            yield from _lines(archive.read(part))


def _lines(drawing: bytes) -> Iterator[str]:
    for paragraph in drawing.split(b"</a:p>"):
        text = b"".join(_WORDS.findall(paragraph)).decode("utf-8", "replace")
        line = " ".join(unescape(text).split())
        if line:
            yield line
