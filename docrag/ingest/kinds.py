"""What a file is, by what it holds, however it is named."""

from __future__ import annotations

from io import BytesIO
from typing import Final
from zipfile import BadZipFile, ZipFile

#: Bytes at the start within which a PDF header may stand (ISO 32000-1, annex H.3, note 13).
HEADER: Final = 1024
#: Most parts of a ZIP that are listed to see what it is; more are left to the loader.
_MAX_PARTS: Final = 50_000
#: First bytes of formats that often carry a wrong suffix.
_SIGNATURES = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"{\\rtf", "rtf"),
)
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
#: Streams in an OLE container, and what they show; the first counts, for others may be embedded.
_STREAMS = (
    ("EncryptedPackage", "encrypted"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
#: Folders in an Office file's ZIP.
_FOLDERS = (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx"))
#: Ends of the media types that OpenDocument files begin with.
_OPEN_DOCUMENT = (
    (b"opendocument.spreadsheet", "ods"),
    (b"opendocument.text", "odt"),
    (b"opendocument.presentation", "odp"),
)
#: What people call the kinds.
NAMES: Final = {
    "pdf": "a PDF",
    "html": "an HTML page",
    "text": "plain text",
    "png": "a PNG image",
    "jpeg": "a JPEG image",
    "rtf": "an RTF file",
    "docx": "a Word file (.docx)",
    "pptx": "a PowerPoint file (.pptx)",
    "xlsx": "an Excel file (.xlsx)",
    "ods": "an OpenDocument spreadsheet (.ods)",
    "odt": "an OpenDocument text (.odt)",
    "odp": "an OpenDocument presentation (.odp)",
    "zip": "a ZIP or Office file",
    "doc": "an old Word file (.doc)",
    "ppt": "an old PowerPoint file (.ppt)",
    "xls": "an old Excel file (.xls)",
    "ole": "an old Office file",
    "encrypted": "an Office file that is protected with a password",
}


def kind_of(data: bytes) -> str:
    """A key of :data:`NAMES`; ``text`` for what nothing else is known of.

    :param data: the whole file, bytes.
    """
    if b"%PDF-" in data[:HEADER]:
        return "pdf"
    if data.startswith(_ZIP):
        return _zip(data)
    if data.startswith(_OLE):
        return _ole(data)
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    return "html" if _is_html(data) else "text"


def _is_html(data: bytes) -> bool:
    # Without its zero bytes and mark, UTF-16 reads as plain letters do.
    start = data[:HEADER].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<?xml"))


def _zip(data: bytes) -> str:
    """What a ZIP holds; ``zip`` for one that is damaged or holds something else."""
    if b"mimetype" in data[:HEADER]:
        for mark, kind in _OPEN_DOCUMENT:
            if mark in data[:HEADER]:
                return kind
    if data.count(b"PK\x01\x02") > _MAX_PARTS:
        return "zip"
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, NotImplementedError, ValueError, OSError):
        return "zip"
    for folder, kind in _FOLDERS:
        if any(name.startswith(folder) for name in names):
            return kind
    return "zip"


def _ole(data: bytes) -> str:
    for stream, kind in _STREAMS:
        if stream.encode("utf-16-le") in data:
            return kind
    return "ole"
