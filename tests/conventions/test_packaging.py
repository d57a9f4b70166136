from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from setuptools import find_packages

import docrag
from tests.conventions.tree import PACKAGE, ROOT, lines_of, setup_cfg, tracked


def data_files() -> list[Path]:
    """Files of the package that are no modules."""
    return [path for path in tracked() if path.is_relative_to(PACKAGE) and path.suffix != ".py"]


def is_shipped(path: Path) -> bool:
    """True if ``package_data`` takes the file into the wheel."""
    for package, patterns in setup_cfg()["options.package_data"].items():
        folder = ROOT / package.replace(".", "/")
        if path.is_relative_to(folder):
            inside = path.relative_to(folder).as_posix()
            if any(fnmatch(inside, pattern.strip()) for pattern in patterns.split(",")):
                return True
    return False


def test_every_package_is_listed() -> None:
    found = set(find_packages(str(ROOT), include=["docrag", "docrag.*"]))
    migrations = {"docrag.migrations", "docrag.migrations.versions"}
    assert set(lines_of("options", "packages")) == found | migrations


def test_every_data_file_is_shipped() -> None:
    assert [path for path in data_files() if not is_shipped(path)] == []


def test_forgotten_data_file_is_noticed() -> None:
    assert not is_shipped(PACKAGE / "samples" / "forgotten.xyz")


def test_version_is_one() -> None:
    assert setup_cfg()["metadata"]["version"] == docrag.__version__
