"""What kind of file this is: by its name, checked against its first bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import PurePosixPath

from docrag.api import DocumentError, UnsupportedDocument
from docrag.ingest.kinds import NAMES, kind_of

#: What the built-in loaders' files hold; other suffixes are left to their loader. A ZIP of an
#: Office suffix is damaged, which its loader says.
_EXPECTED = {
    "pdf": {"pdf"},
    "txt": {"text", "html"},
    "md": {"text", "html"},
    "html": {"text", "html"},
    "htm": {"text", "html"},
    "docx": {"docx", "zip"},
    "pptx": {"pptx", "zip"},
    "xlsx": {"xlsx", "zip"},
    "xls": {"xls"},
    "ods": {"ods", "zip"},
}
#: Kinds that were saved by an old program, and the suffix of its new form.
_NEWER = {"doc": ".docx", "ppt": ".pptx", "odt": ".docx", "odp": ".pptx", "rtf": ".docx"}

#: Bytes of a file name that are no UTF-8, as Python keeps them.
_RAW = re.compile("[\udc80-\udcff]+")

#: Longest file name, characters; what file systems take.
LONGEST_NAME = 255
#: Longest title of a document and of a section, characters; they stand in lists and links.
LONGEST_TITLE, LONGEST_SECTION = 200, 300


#: Formats that are not read, and what the programs that make them can save instead.
SUCCESSORS = {
    "doc": "docx", "docm": "docx", "odt": "docx", "rtf": "docx", "ppt": "pptx", "odp": "pptx",
}  # fmt: skip


def clean_filename(filename: str) -> str:
    """The bare name of an uploaded file on one line; a long one is cut before its suffix.

    Folders are left out, and signs that are not seen: controls, direction marks, half surrogates.

    :raises DocumentError: nothing is left of the name.
    """
    bare = PurePosixPath(readable(filename).replace("\\", "/")).name
    kept = _printable(bare).strip()
    if not kept or kept in (".", ".."):
        raise DocumentError("the file has no name; give it one, with a suffix such as .pdf")
    if len(kept) <= LONGEST_NAME:
        return kept
    suffix = PurePosixPath(kept).suffix[:LONGEST_NAME]
    return kept[: LONGEST_NAME - len(suffix)] + suffix


def readable(filename: str) -> str:
    """A name of a file as people read it: bytes that are no UTF-8 are those of Turkish Windows."""
    return _RAW.sub(
        lambda raw: raw[0].encode("utf-8", "surrogateescape").decode("cp1254", "ignore"), filename
    )


def clean_title(title: str, *, filename: str) -> str:
    """The title of a document on one line; that of its file name, perhaps cut, if none is given.

    :param filename: a name that :func:`clean_filename` gave.
    :raises DocumentError: the given title is too long.
    """
    given = one_line(title)
    if len(given) > LONGEST_TITLE:
        raise DocumentError(f"the title has {len(given)} characters; shorten it to {LONGEST_TITLE}")
    return given or shortened(PurePosixPath(filename).stem, LONGEST_TITLE)


def one_line(text: str) -> str:
    """The text in NFC on one line, without signs that are not seen and blanks around it."""
    return _printable(" ".join(text.split())).strip()


def shortened(text: str, most: int) -> str:
    """The text, or its start with ``…``, in at most so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _printable(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    return "".join(sign for sign in composed if sign.isprintable())


def suffix_of(filename: str) -> str:
    """Lower-case suffix without its dot; empty if there is none."""
    return PurePosixPath(filename).suffix.lower().lstrip(".")


def check_suffix(filename: str, *, known: Collection[str]) -> str:
    """The suffix of a file name.

    :param known: suffixes that have a loader.
    :raises UnsupportedDocument: no loader for the suffix.
    """
    suffix = suffix_of(filename)
    if suffix not in known:
        kinds = ", ".join(sorted(known))
        better = SUCCESSORS.get(suffix, "")
        advice = f"save it as .{better}" if better in known else f"docrag reads: {kinds}"
        raise UnsupportedDocument(f"{filename!r} cannot be read; {advice}")
    return suffix


def check(data: bytes, *, filename: str, known: Collection[str]) -> str:
    """The suffix whose loader will read the file.

    :param data: the whole file, bytes.
    :param known: suffixes that have a loader.
    :raises DocumentError: the file is empty.
    :raises UnsupportedDocument: no loader for the suffix, or the content is of another kind.
    """
    suffix = check_suffix(filename, known=known)
    if not data:
        raise DocumentError(f"{filename!r} is empty")
    actual = kind_of(data)
    if actual not in _EXPECTED.get(suffix, {actual}):
        raise UnsupportedDocument(
            f"{filename!r} is named .{suffix} but holds {_named(actual, suffix)}; "
            f"{_advice(actual, known)}"
        )
    return suffix


def _named(actual: str, suffix: str) -> str:
    return "no PDF header" if (actual, suffix) == ("text", "pdf") else NAMES[actual]


def _advice(actual: str, known: Collection[str]) -> str:
    if actual == "encrypted":
        return "save a copy without the password"
    if actual in _NEWER and actual not in known:
        return f"open it in its program and save it as {_NEWER[actual]}"
    return "save it as what it is"
