"""What a file that is named ``.pdf`` is instead, seen at its first bytes."""

from __future__ import annotations

#: Bytes at the start among which the PDF mark must stand (ISO 32000-1, annex H.3, note 13).
HEADER_LENGTH = 1024
#: Starts of files that are often named ``.pdf`` by mistake, and what they are.
OTHER_KINDS = (
    (b"<!doctype", "a web page (HTML)"),
    (b"<html", "a web page (HTML)"),
    (b"pk\x03\x04", "an Office or ZIP file"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"{\\rtf", "an RTF file"),
)


def other_kind(data: bytes) -> str:
    """Why these bytes are plainly no PDF, for a clerk; empty if they may be one."""
    start = data[:HEADER_LENGTH].lstrip(b"\xef\xbb\xbf \t\r\n\0").lower()
    if not start:
        return "the file is empty"
    kind = next((kind for mark, kind in OTHER_KINDS if start.startswith(mark)), "")
    return f"it is not a PDF but {kind}" if kind else ""


def marked(data: bytes) -> bool:
    """True if the mark of a PDF stands where readers look for it."""
    return b"%PDF" in data[:HEADER_LENGTH]
