from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conventions.tree import ROOT, name_of, tracked

#: Folders of one person's machine, and hosts of package registries; joined here so that this file
#: does not hold what it forbids.
FORBIDDEN = re.compile(
    "|".join(
        [
            r"(?<![\w.-])/" + r"(?:work|home|farm|Users)/\w",
            r"(?<![\w.-])/" + r"tmp/\w",
            r"files\." + "python" + "hosted",
            "registry" + r"\.npm",
            "pypi" + r"\.org/simple",
        ]
    )
)
#: Text is looked at; pictures, PDF files and the like are not.
BINARY = {".pdf", ".png", ".docx", ".gguf", ".npy"}


def texts() -> list[Path]:
    return [path for path in tracked() if path.suffix not in BINARY]


@pytest.mark.parametrize("path", texts(), ids=name_of)
def test_file_names_no_machine(path: Path) -> None:
    text = path.read_text("utf-8", errors="replace")
    assert [found.group() for found in FORBIDDEN.finditer(text)] == []


def test_machine_path_is_noticed() -> None:
    assert FORBIDDEN.search("see /" + "work/main and more")
    assert FORBIDDEN.search("cd /" + "tmp/x")
    assert not FORBIDDEN.search("tmpfs: [/tmp] and a/" + "work/b")


def test_ci_script_is_executable() -> None:
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


@pytest.mark.parametrize(
    "path", [path for path in sorted((ROOT / "changes").glob("*.md")) if path.name != "README.md"],
    ids=name_of,
)  # fmt: skip
def test_change_note_has_its_form(path: Path) -> None:
    assert re.fullmatch(r"\d{4}-[\w-]+", path.stem)
    first = path.read_text("utf-8").split(":")[0]
    assert first in {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
