from __future__ import annotations

import pytest

from docrag.loaders.pdfkind import marked, other_kind


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\0", "empty"),
        (b"\xef\xbb\xbf<!DOCTYPE html>", "web page"),
        (b"PK\x03\x04", "Office or ZIP"),
        (b"{\\rtf1", "RTF"),
    ],
)
def test_other_kind_is_named(data: bytes, reason: str) -> None:
    assert reason in other_kind(data)


def test_pdf_is_no_other_kind() -> None:
    assert other_kind(b"x\n%PDF-1.7") == ""
    assert marked(b"x\n%PDF-1.7")
    assert not marked(b"x" * 2000 + b"%PDF-1.7")
