"""Run one rival: load it, ask it, and write what it found and how long it took.

``python -m eval.rivals NAME SET.npz URL FOLDER OUT.json``
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

from eval.asking import ask
from eval.filtered import CELLS, Cell, FilteredSet, Floats, K
from eval.rivals.rival import MakeRival, Rival

#: Module, class and distribution of each rival; modules load one at a time, since one that cannot
#: be installed must not take the others with it.
RIVALS: Final = {
    "langchain": ("langchain_pgvector", "LangchainPgvector", "langchain-postgres"),
    "llamaindex": (
        "llamaindex_pgvector",
        "LlamaindexPgvector",
        "llama-index-vector-stores-postgres",
    ),
    "chroma": ("chroma", "Chroma", "chromadb"),
}


def main(name: str, kept: str, url: str, folder: str, out: str) -> None:
    """Measure a rival and write ``{"system", "load_s", "cells"}``."""
    module, maker, distribution = RIVALS[name]
    make: MakeRival = getattr(importlib.import_module(f"eval.rivals.{module}"), maker)
    data = FilteredSet.load(Path(kept))
    rival = make(url, Path(folder))
    started = time.perf_counter()
    rival.load(data)
    result = {
        "system": f"{distribution} {version(distribution)}",
        "load_s": round(time.perf_counter() - started, 1),
        "cells": {cell.name: ask(_search(rival, cell), data.queries).plain() for cell in CELLS},
    }
    Path(out).write_text(json.dumps(result), encoding="utf-8")


def _search(rival: Rival, cell: Cell) -> Callable[[Floats], list[int]]:
    """A rival's search for one asker."""
    return lambda vector: rival.search(vector, cell, K)


if __name__ == "__main__":
    main(*sys.argv[1:])
