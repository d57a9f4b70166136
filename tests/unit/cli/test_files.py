"""Which files a command line means."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from docrag.cli.files import folder_files, named_files

SUFFIXES = ["docx", "pdf", "txt"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files that are read, and files that are not."""
    for name in (
        "İzin.txt", "alt/b.PDF", "alt/c.txt", "resim.png", ".gizli.txt", ".alt/d.txt",
        "~$izin.docx", "kopya.txt.part", "yarım.tmp", "indirme.pdf.crdownload",
    ):  # fmt: skip
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("metin")
    return tmp_path


def test_folder_gives_what_a_loader_reads(folder: Path) -> None:
    found = [file.relative_to(folder).as_posix() for file in folder_files(folder, SUFFIXES)]
    assert sorted(found) == ["alt/b.PDF", "alt/c.txt", "İzin.txt"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [("*.txt", {"İzin.txt"}), ("**/*.txt", {"İzin.txt", "c.txt"}), ("alt/*", {"b.PDF", "c.txt"})],
)
def test_pattern_gives_what_it_matches(folder: Path, pattern: str, names: set[str]) -> None:
    found = named_files([str(folder / pattern)], SUFFIXES)
    assert {file.name for file in found} == names


def test_named_file_is_taken_as_it_is(folder: Path) -> None:
    assert list(named_files([str(folder / "resim.png")], SUFFIXES)) == [folder / "resim.png"]


def test_name_with_signs_of_a_pattern_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "izin [2015].txt"
    file.write_text("metin")
    assert list(named_files([str(file)], SUFFIXES)) == [file]


@pytest.mark.parametrize("name", ["yok.pdf", "*.xyz"])
def test_what_is_not_there_is_wrong_usage(folder: Path, name: str) -> None:
    with pytest.raises(click.UsageError, match="does not exist|matches no file"):
        list(named_files([str(folder / name)], SUFFIXES))


def test_linked_file_is_given_once(folder: Path) -> None:
    (folder / "alt" / "kök").symlink_to(folder)
    (folder / "alt" / "bağ.txt").symlink_to(folder / "İzin.txt")
    found = [file.relative_to(folder).as_posix() for file in folder_files(folder, SUFFIXES)]
    assert sorted(found) == ["alt/b.PDF", "alt/c.txt", "İzin.txt"]
    assert len(list(named_files([str(folder / "**" / "*.txt")], SUFFIXES))) == 2
