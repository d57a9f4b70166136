"""The project's files as the convention tests read them."""

from __future__ import annotations

import ast
import shutil
import subprocess
from configparser import ConfigParser
from functools import cache
from pathlib import Path

#: Root of the repository.
ROOT = Path(__file__).resolve().parents[2]
#: The importable package.
PACKAGE = ROOT / "docrag"


@cache
def modules() -> tuple[Path, ...]:
    """Every module of the package, sorted."""
    return tuple(sorted(PACKAGE.rglob("*.py")))


@cache
def tracked() -> tuple[Path, ...]:
    """Files that are, or would be, under version control."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return tuple(path for path in ROOT.rglob("*.*") if path.is_file() and _ours(path))
    command = (git, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = (ROOT / name for name in names.decode().split("\0") if name)
    return tuple(path for path in paths if path.is_file())


def _ours(path: Path) -> bool:
    """False for what is made, in a copy of the files without version control."""
    made = {"instance", "build", "dist", "htmlcov", "__pycache__"}
    folders = path.relative_to(ROOT).parts[:-1]
    return not any(part in made or part.endswith(".egg-info") for part in folders) and not any(
        part.startswith(".") and part != ".ci" for part in folders
    )


def name_of(path: Path) -> str:
    """Path below the root, for messages and test ids."""
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    """Syntax tree of a module."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


@cache
def setup_cfg() -> ConfigParser:
    """The packaging and tool configuration."""
    parser = ConfigParser(interpolation=None)
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def lines_of(section: str, key: str) -> list[str]:
    """Lines of a multi-line value of ``setup.cfg``, blanks and comments left out."""
    text = setup_cfg().get(section, key)
    return [line.strip() for line in text.splitlines() if line.strip()]
