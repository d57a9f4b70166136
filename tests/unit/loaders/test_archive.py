"""Office files that attack: bombs, entities, lies in the directory."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZipFile

import pytest

from docrag.api import Loader, LoaderError
from docrag.loaders.archive import light
from docrag.loaders.docx import DocxLoader
from docrag.loaders.pptx import PptxLoader
from docrag.loaders.xlsx import SpreadsheetLoader
from tests.unit.loaders.office import changed, zipped

LAUGHS = b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'x'><!ENTITY c '&b;&b;'>]><a>&c;</a>"
OUTSIDE = b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
MAIN = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
LOADERS: dict[str, tuple[type[Loader], str]] = {
    "docx": (DocxLoader, "kkd_talimati.docx"),
    "pptx": (PptxLoader, "isg_oryantasyon.pptx"),
    "xlsx": (SpreadsheetLoader, "kkd_stok.xlsx"),
}


def opened(data: bytes) -> ZipFile:
    return ZipFile(light(data, kind="a Word file (.docx)", most=1))


def refused(data: bytes) -> str:
    with pytest.raises(LoaderError) as caught:
        opened(data)
    return str(caught.value)


@pytest.mark.parametrize("kind", LOADERS)
@pytest.mark.parametrize(
    "attack",
    [LAUGHS, OUTSIDE, LAUGHS.decode().encode("utf-16")],
    ids=["laughs", "outside", "utf16"],
)
def test_entities_are_refused(fixtures: Path, kind: str, attack: bytes) -> None:
    loader, name = LOADERS[kind]
    data = changed((fixtures / name).read_bytes(), MAIN[kind], lambda _: attack)
    with pytest.raises(LoaderError, match=r"'a\.b' was refused: it holds a document type"):
        loader().load(data, filename="a.b")


@pytest.mark.parametrize(("kind", "size"), [("docx", 41), ("pptx", 41), ("xlsx", 129)])
def test_bomb_is_refused(fixtures: Path, kind: str, size: int) -> None:
    loader, name = LOADERS[kind]
    bomb = changed((fixtures / name).read_bytes(), MAIN[kind], lambda _: b"<a/>" * (size << 18))
    with pytest.raises(LoaderError, match=f"unpacks to {size} MiB, more than the"):
        loader().load(bomb, filename="a.b")


@pytest.mark.parametrize("kind", LOADERS)
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_truncated_file_is_refused(fixtures: Path, kind: str, share: float) -> None:
    loader, name = LOADERS[kind]
    data = (fixtures / name).read_bytes()
    with pytest.raises(LoaderError, match="damaged or incomplete"):
        loader().load(data[: int(share * len(data))], filename="a.b")


def test_pictures_are_emptied_and_text_is_kept() -> None:
    with opened(zipped({"a.xml": b"<a/>", "b.png": b"x" * (2 << 20)})) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a.xml": b"<a/>",
            "b.png": b"",
        }


def test_endless_text_is_refused() -> None:
    with pytest.raises(LoaderError, match="a single text in it is longer"):
        light(zipped({"a.xml": b"<a>" + b"x" * (5 << 20)}), kind="a file", most=8)


def test_directory_that_lies_about_a_size_is_noticed() -> None:
    data = bytearray(zipped({"a.xml": b"x" * (5 << 20)}))
    listed = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, listed + 24, 10)
    assert "damaged" in refused(bytes(data))


def test_protected_part_is_named_so() -> None:
    data = bytearray(zipped({"a.xml": b"<a/>"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "password" in refused(bytes(data))


def test_other_packing_is_refused() -> None:
    target = BytesIO()
    with ZipFile(target, "w", ZIP_BZIP2) as archive:
        archive.writestr("a.xml", b"x" * 1000)
    assert "damaged" in refused(target.getvalue())


def test_many_parts_are_refused() -> None:
    assert "more than 50000 parts" in refused(b"PK\x03\x04" + b"PK\x01\x02" * 50_001)
