"""The ZIP that an Office file is, checked before any library unpacks it."""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from docrag.api import LoaderError

#: Most parts of a file: a talk of 10,000 slides has 20,000.
MAX_PARTS: Final = 50_000
#: Bytes with which each part is listed in the directory.
_LISTED = b"PK\x01\x02"
#: Ends of the names of parts that hold text; all others are pictures, fonts, macros and the like.
_TEXT = (".xml", ".rels", ".vml", "mimetype")
#: First bytes of the file that old Office versions and password protection make.
_OLE = b"\xd0\xcf\x11\xe0"
#: Names of the stricter form of the standard, which is the same but for them.
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAMES = tuple(
    (_STRICT + strict.encode(), b"http://schemas.openxmlformats.org/" + usual.encode())
    for strict, usual in (
        ("officeDocument/relationships", "officeDocument/2006/relationships"),
        ("wordprocessingml/main", "wordprocessingml/2006/main"),
        ("presentationml/main", "presentationml/2006/main"),
        ("spreadsheetml/main", "spreadsheetml/2006/main"),
        ("drawingml/main", "drawingml/2006/main"),
    )
)
#: Bytes without an element in them that show a text which no program writes: a cell holds 32,767
#: letters. What libraries do with it takes several times its size.
_ENDLESS = 2 << 20
_TOO_LONG = "a single text in it is longer than any program writes; split it"
#: Declarations inside the file; a mere name of a document type outside of it is never looked up.
_DECLARED = re.compile(rb"<!ENTITY|<!DOCTYPE[^>\[]*\[")
_DAMAGED = "the file is damaged or incomplete; open it in its program and save it again"
_PASSWORD = "it is protected with a password; save a copy without one"  # noqa: S105 - text
_ENTITIES = "it holds a document type with entities, which no Office program writes"


def light(data: bytes, *, kind: str, most: int, marks: int | None = None) -> BytesIO:
    """The same file with its text parts unpacked and everything else in it emptied.

    No text part has a document type, so that no entity can grow or name another file.

    :param kind: what the file should be, for messages: ``"a Word file (.docx)"``.
    :param most: MiB that its text may unpack to.
    :param marks: elements and attributes that its text may have; ``None`` for any number.
    :raises LoaderError: it is no such file, damaged, protected, or unpacks to too much.
    """
    if data.startswith(_OLE):
        encrypted = "EncryptedPackage".encode("utf-16-le") in data
        raise LoaderError(_PASSWORD if encrypted else f"it is an old Office file, not {kind}")
    if not data.startswith(b"PK"):
        raise LoaderError(f"it is not {kind}")
    if data.count(_LISTED) > MAX_PARTS:
        raise LoaderError(f"it has more than {MAX_PARTS} parts; split it into smaller files")
    try:
        with ZipFile(BytesIO(data)) as archive:
            return _copied(archive, most, marks)
    except (BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error) as exc:
        raise LoaderError(_DAMAGED) from exc


def _copied(archive: ZipFile, most: int, marks: int | None) -> BytesIO:
    parts = {part.filename: part for part in archive.infolist()}
    _check([part for part in parts.values() if _is_text(part)], most)
    target = BytesIO()
    found = 0
    with ZipFile(target, "w", ZIP_STORED) as copy:
        for name, part in parts.items():
            content = _content(archive, part) if _is_text(part) else b""
            found += content.count(b"<") + content.count(b"=")
            if marks is not None and found > marks:
                raise LoaderError(
                    f"it has more than {marks} elements and attributes; split it into smaller files"
                )
            copy.writestr(name, content)
    target.seek(0)
    return target


def _is_text(part: ZipInfo) -> bool:
    name = part.filename.lower()
    return name.endswith(_TEXT) and not (name.startswith("customxml/") and "_rels" not in name)


def _check(texts: list[ZipInfo], most: int) -> None:
    """:raises LoaderError: the parts are protected, packed in a strange way, or too large."""
    if any(part.flag_bits & 1 for part in texts):
        raise LoaderError(_PASSWORD)
    if any(part.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for part in texts):
        raise LoaderError(_DAMAGED)
    size = sum(part.file_size for part in texts)
    if size > most << 20:
        raise LoaderError(
            f"its text unpacks to {size >> 20} MiB, more than the {most} MiB that are read; split "
            "it into smaller files"
        )


def _content(archive: ZipFile, part: ZipInfo) -> bytes:
    """The bytes of a text part, never more than the directory says."""
    content = archive.read(part)
    plain = content.replace(b"\0", b"") if b"\0" in content[:4] else content  # UTF-16
    if _DECLARED.search(plain):
        raise LoaderError(_ENTITIES)
    if part.filename == "META-INF/manifest.xml" and b"encryption-data" in content:
        raise LoaderError(_PASSWORD)
    places = range(0, len(content) - _ENDLESS, _ENDLESS)
    if any(content.find(b"<", place, place + _ENDLESS) < 0 for place in places):
        raise LoaderError(_TOO_LONG)
    if _STRICT in content:
        for strict, usual in _STRICT_NAMES:
            content = content.replace(strict, usual)
    return content
