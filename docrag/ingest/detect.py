"""What kind of file this is: by its name, checked against its first bytes."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from docrag.api import DocumentError, UnsupportedDocument

#: Bytes at the start within which a PDF header may stand (ISO 32000-1, annex H.3, note 13).
HEADER = 1024
#: First bytes of formats that often carry a wrong suffix, and what they are called.
_SIGNATURES = (
    (b"PK\x03\x04", "a ZIP or Office file"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
)
#: What the built-in loaders' files hold; other suffixes are left to their loader.
_EXPECTED = {"pdf": {"pdf"}, "txt": {"text", "html"}, "md": {"text", "html"}}


def clean_filename(filename: str) -> str:
    """The bare name of an uploaded file, without folders and control characters.

    :raises DocumentError: nothing is left of the name.
    """
    bare = PurePosixPath(filename.replace("\\", "/")).name
    kept = "".join(sign for sign in bare if sign.isprintable()).strip()
    if not kept or kept in (".", ".."):
        raise DocumentError("the file has no name; give it one, with a suffix such as .pdf")
    return kept[:255]


def suffix_of(filename: str) -> str:
    """Lower-case suffix without its dot; empty if there is none."""
    return PurePosixPath(filename).suffix.lower().lstrip(".")


def check(data: bytes, *, filename: str, known: Collection[str]) -> str:
    """The suffix whose loader will read the file.

    :param data: the whole file, bytes.
    :param known: suffixes that have a loader.
    :raises DocumentError: the file is empty.
    :raises UnsupportedDocument: no loader for the suffix, or the content is of another kind.
    """
    suffix = suffix_of(filename)
    if suffix not in known:
        kinds = ", ".join(sorted(known))
        raise UnsupportedDocument(f"{filename!r} cannot be read; docrag reads: {kinds}")
    if not data:
        raise DocumentError(f"{filename!r} is empty")
    actual = _content(data)
    if actual not in _EXPECTED.get(suffix, {actual}):
        raise UnsupportedDocument(
            f"{filename!r} is named .{suffix} but holds {_named(actual)}; save it as what it is"
        )
    return suffix


def _content(data: bytes) -> str:
    """``pdf``, ``html``, ``text``, or the name of a binary format."""
    if b"%PDF-" in data[:HEADER]:
        return "pdf"
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return name
    start = data[:HEADER].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return "html"
    return "text"


def _named(actual: str) -> str:
    return {"pdf": "a PDF", "html": "an HTML page", "text": "no PDF header"}.get(actual, actual)
