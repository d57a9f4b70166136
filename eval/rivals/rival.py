"""What a competing system must do to be measured."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from eval.filtered import Cell, FilteredSet, Floats


class Rival(Protocol):
    """A vector store, set up as its own documentation says."""

    def load(self, data: FilteredSet) -> None:
        """Take in all chunks with their roles; chunk ``i`` is found again as ``i``."""
        ...

    def search(self, vector: Floats, cell: Cell, k: int) -> list[int]:
        """At most ``k`` chunks that the cell's roles may read, best first."""
        ...


class MakeRival(Protocol):
    """Makes a rival in an empty database or folder; it takes what it needs of the two."""

    def __call__(self, url: str, folder: Path) -> Rival:
        """A rival without data.

        :param url: SQLAlchemy address of an empty database on the server that docrag runs on.
        :param folder: an empty folder.
        """
        ...
