"""The parts of a Word file that hold its text, unpacked but not parsed."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.pkgreader import PackageReader
from docx.oxml.parser import parse_xml

from docrag.api import LoaderError
from docrag.loaders.archive import light
from docrag.loaders.numbering import Element

#: MiB of text parts that are read: a book of 1,000 pages has 10.
MAX_TEXT: Final = 40
#: Elements and attributes of all text parts; each takes about 150 bytes as a tree.
MAX_MARKS: Final = 3_000_000
KIND: Final = "a Word file (.docx)"


class WordParts:
    """The main part of a Word file, and those that belong to it."""

    def __init__(self, data: bytes) -> None:
        """Unpack.

        :raises LoaderError: not a Word file, damaged, protected, or unpacks to too much.
        """
        checked = light(data, kind=KIND, most=MAX_TEXT, marks=MAX_MARKS)
        # python-docx's reader of packages, since its Document would parse each part twice.
        main, related, blobs = _read(checked)
        if not main:
            raise LoaderError(f"it is not {KIND}")
        self._main, self._related, self._blobs = main, related, blobs

    def main(self) -> Element:
        """The root of the main part."""
        return parse_xml(self._blobs[self._main])

    def related(self, kind: str) -> Element | None:
        """The root of a part that belongs to the main one; ``None`` if there is none.

        :param kind: a relationship type, of ``docx.opc.constants``.
        """
        name = self._related.get(kind)
        return None if name is None else parse_xml(self._blobs[name])


def _read(checked: BytesIO) -> tuple[str, dict[str, str], dict[str, bytes]]:
    """Name of the main part, names of the parts related to it by kind, and all parts by name."""
    try:
        reader = PackageReader.from_file(checked)  # type: ignore[no-untyped-call]  # untyped library
    except KeyError:  # a part that every Office file has, or that another one names, is not there
        return "", {}, {}
    parts = {str(name): (kind, blob) for name, kind, _, blob in reader.iter_sparts()}
    main = ""
    related: dict[str, str] = {}
    for source, relation in reader.iter_srels():
        if relation.is_external:
            continue
        target = str(relation.target_partname)
        if relation.reltype == RELATIONSHIP_TYPE.OFFICE_DOCUMENT and str(source) == "/":
            main = target if _is_word(parts.get(target, ("", b""))[0]) else ""
        elif main and str(source) == main and target in parts:
            related.setdefault(relation.reltype, target)
    return main, related, {name: blob for name, (_, blob) in parts.items()}


def _is_word(content_type: str) -> bool:
    """True for documents and templates, with macros too."""
    return "wordprocessingml" in content_type or "ms-word" in content_type
