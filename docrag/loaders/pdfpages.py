"""Reads the pages of a PDF with pypdf; runs in the child process and imports nothing of docrag."""

from __future__ import annotations

import logging
from io import BytesIO
from typing import TYPE_CHECKING

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PASSWORD = "it is protected with a password; save a copy without protection"  # noqa: S105 - text
_DAMAGED = "the PDF is damaged or incomplete; export it again from its source"


def read(
    data: bytes, *, max_pages: int, first: int = 1, numbers: Sequence[int] = ()
) -> Iterator[dict[str, str]]:
    """One record a physical page, or one with ``refused``, the reason in words for a clerk.

    A page's record has its ``number``, the number of all pages (``of``), its ``text`` and a
    ``warning`` if it could not be read.

    :param first: page from 1 at which to begin.
    :param numbers: the only pages wanted; all from ``first`` on if empty.
    """
    logging.disable(logging.CRITICAL)  # pypdf reports every oddity of a file
    try:
        reader = _open(data)
        count = len(reader.pages)
    except MemoryError:
        raise
    except Exception as exc:  # noqa: BLE001 - pypdf raises many types for a damaged file
        yield {"refused": _reason(exc)}
        return
    if not 1 <= count <= max_pages:
        yield {"refused": _wrong_count(count, max_pages)}
        return
    wanted = range(first, count + 1)
    for number in wanted if not numbers else (each for each in numbers if each in wanted):
        yield {"number": str(number), "of": str(count), **_page(reader, number)}


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


def _page(reader: pypdf.PdfReader, number: int) -> dict[str, str]:
    """Text of a page, or why it has none."""
    try:
        return {"text": reader.pages[number - 1].extract_text(), "warning": ""}
    except MemoryError:
        raise
    except Exception as exc:  # noqa: BLE001 - one bad page must not lose the others
        return {"text": "", "warning": _reason(exc)}


def _reason(exc: Exception) -> str:
    """A failure of pypdf in words for a clerk."""
    if isinstance(exc, FileNotDecryptedError):
        return _PASSWORD
    if isinstance(exc, DependencyError):
        return "it is protected or encrypted; save a copy without a password and protection"
    if isinstance(exc, LimitReachedError | RecursionError):
        return "its content unpacks to an unreasonable size; print it to a new PDF"
    return _DAMAGED
