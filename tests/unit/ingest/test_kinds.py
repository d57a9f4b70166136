"""What a file is, by its content."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest

from docrag.ingest.kinds import NAMES, kind_of


def zipped(*names: str) -> bytes:
    target = BytesIO()
    with ZipFile(target, "w") as archive:
        for name in names:
            archive.writestr(name, "application/vnd.oasis.opendocument.spreadsheet")
    return target.getvalue()


def ole(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0" + b"\0" * 508 + stream.encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\r\n%PDF-1.4", "pdf"),
        (b"<!DOCTYPE html><p>x", "html"),
        ("<html>ş".encode("utf-16"), "html"),
        ("<html>ş".encode("utf-16-be"), "html"),
        (b"\xef\xbb\xbf <?xml version='1.0'?>", "html"),
        ("Işık".encode("utf-16"), "text"),
        ("Işık".encode("cp1254"), "text"),
        (b"\x00\x01\x02\x03", "text"),
        (b"{\\rtf1", "rtf"),
        (b"\x89PNG\r\n", "png"),
        (zipped("[Content_Types].xml", "word/document2.xml"), "docx"),
        (zipped("ppt/presentation.xml", "ppt/embeddings/a.xlsx"), "pptx"),
        (zipped("xl/workbook.xml"), "xlsx"),
        (zipped("mimetype", "content.xml"), "ods"),
        (zipped("a.txt"), "zip"),
        (zipped("word/document.xml")[:-10], "zip"),
        (b"PK\x03\x04" + b"PK\x01\x02" * 60_000, "zip"),
        (ole("WordDocument"), "doc"),
        (ole("Workbook"), "xls"),
        (ole("PowerPoint Document"), "ppt"),
        (ole("EncryptedPackage"), "encrypted"),
        (ole(""), "ole"),
    ],
)
def test_kind_is_seen(data: bytes, kind: str) -> None:
    assert kind_of(data) == kind
    assert NAMES[kind]
