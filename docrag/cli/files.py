"""Which files a command line means: named ones, those of folders, those of globs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from glob import glob
from pathlib import Path
from typing import Final

import click

#: Signs that make a name a pattern.
MAGIC: Final = frozenset("*?[")
#: Names of files that a program has not finished, or keeps beside one that is open.
UNFINISHED: Final = ("~$*", "*.part", "*.partial", "*.tmp", "*.crdownload", "*.filepart")


def named_files(names: Sequence[str], suffixes: Collection[str]) -> Iterator[Path]:
    """Named files as they are; of folders and patterns, what a loader reads, in order.

    :param names: paths of files and folders, and patterns such as ``raporlar/**/*.pdf``.
    :param suffixes: lower-case suffixes that have a loader.
    :raises click.UsageError: a path that does not exist, or a pattern that matches nothing.
    """
    for name in names:
        path = Path(name)
        if path.is_dir():
            yield from folder_files(path, suffixes)
        elif path.exists():
            yield path
        elif MAGIC & set(name):
            yield from _matching(name, suffixes)
        else:
            raise click.UsageError(f"Path {name!r} does not exist.")


def folder_files(folder: Path, suffixes: Collection[str]) -> Iterator[Path]:
    """Files of a folder and its folders that a loader reads, by path; hidden ones are left out.

    One that several paths lead to, by links, is given once: by the shortest.
    """
    found = (
        file
        for file in folder.rglob("*")
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and _is_readable(file, suffixes)
    )
    yield from _once_each(found)


def _matching(pattern: str, suffixes: Collection[str]) -> Iterator[Path]:
    found = [Path(match) for match in sorted(glob(pattern, recursive=True))]
    if not found:
        raise click.UsageError(f"{pattern!r} matches no file.")
    yield from _once_each(path for path in found if _is_readable(path, suffixes))


def _once_each(paths: Iterable[Path]) -> list[Path]:
    """The paths in order, of those that lead to one file only the shortest."""
    chosen: dict[Path, Path] = {}
    for path in sorted(paths, key=lambda path: (len(path.parts), path)):
        chosen.setdefault(path.resolve(), path)
    return sorted(chosen.values())


def _is_readable(file: Path, suffixes: Collection[str]) -> bool:
    unfinished = any(fnmatch(file.name.lower(), pattern) for pattern in UNFINISHED)
    return not unfinished and file.suffix[1:].lower() in suffixes and file.is_file()
