"""Reads the pages of a PDF with pypdf; runs in the child process and imports nothing of docrag."""

from __future__ import annotations

import logging
from io import BytesIO
from typing import TYPE_CHECKING

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_PASSWORD = "it is protected with a password; save a copy without protection"  # noqa: S105 - text
_DAMAGED = "the PDF is damaged or incomplete; export it again from its source"


def read(data: bytes, *, max_pages: int) -> Iterator[dict[str, str]]:
    """One record a physical page, or one ``error`` for a refusal.

    A page's record has its ``text``, a ``warning`` and ``picture`` ("yes" or "") for one with
    pictures.

    A page that cannot be read is a record without text; if that is so for all, the file is refused.
    """
    logging.disable(logging.CRITICAL)  # pypdf reports every oddity of a file
    problem = _other_kind(data)
    if problem:
        yield {"error": problem}
        return
    try:
        reader = _open(data)
        count = len(reader.pages)
    except MemoryError:
        raise
    except Exception as exc:  # noqa: BLE001 - pypdf raises many types for a damaged file
        marked = b"%PDF" in data[:HEADER_LENGTH]
        yield {"error": _reason(exc) if marked else "it is not a PDF"}
        return
    if not 1 <= count <= max_pages:
        yield {"error": _wrong_count(count, max_pages)}
        return
    yield from _pages(reader, count)


def _other_kind(data: bytes) -> str:
    """What these bytes are if they are plainly no PDF, else empty."""
    start = data[:HEADER_LENGTH].lstrip(b"\xef\xbb\xbf \t\r\n\0").lower()
    if not start:
        return "the file is empty"
    kind = next((kind for mark, kind in OTHER_KINDS if start.startswith(mark)), "")
    return f"it is not a PDF but {kind}" if kind else ""


def _open(data: bytes) -> pypdf.PdfReader:
    """A reader that can give text; an empty password opens files that only forbid copying."""
    reader = pypdf.PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileNotDecryptedError
    return reader


def _wrong_count(count: int, max_pages: int) -> str:
    if count == 0:
        return "it has no pages"
    return f"it has {count} pages, more than the {max_pages} allowed; split it"


def _pages(reader: pypdf.PdfReader, count: int) -> Iterator[dict[str, str]]:
    failures: list[Exception] = []
    for index in range(count):
        try:
            page = reader.pages[index]
            yield {"text": page.extract_text(), "warning": "", "picture": _picture(page)}
        except MemoryError:
            raise
        except Exception as exc:  # noqa: BLE001 - one bad page must not lose the others
            failures.append(exc)
            warning = f"page {index + 1} could not be read: {_reason(exc)}"
            yield {"text": "", "warning": warning, "picture": ""}
    if len(failures) == count:
        yield {"error": f"no page of it could be read: {_reason(failures[0])}"}


def _picture(page: pypdf.PageObject) -> str:
    """``yes`` if the page's resources hold a picture, without unpacking it."""
    try:
        drawn = page["/Resources"]["/XObject"].values()  # type: ignore[index]  # any PDF object
        kinds = [item.get_object().get("/Subtype") for item in drawn]
    except Exception:  # noqa: BLE001 - absent or damaged resources: no picture that counts
        return ""
    return "yes" if "/Image" in kinds else ""


def _reason(exc: Exception) -> str:
    """A failure of pypdf in words for a clerk."""
    if isinstance(exc, FileNotDecryptedError):
        return _PASSWORD
    if isinstance(exc, DependencyError):
        return "it is protected or encrypted; save a copy without a password and protection"
    if isinstance(exc, LimitReachedError | RecursionError):
        return "its content unpacks to an unreasonable size; print it to a new PDF"
    return _DAMAGED
