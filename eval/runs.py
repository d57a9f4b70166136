"""Run files and qrels: what a retriever found, and what it should have found.

One JSON object a line, since scoring reads files and never a retriever: a run line has
``question``, ``chunks`` (best first) and ``scores``; a qrels line ``question`` and ``relevant``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from eval import report
from eval.report import RESULTS

FOLDER: Final = RESULTS / "runs"


def write(name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a run or qrels; an earlier one of this name is replaced when all of it is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    whole = FOLDER / f"{name}.part"
    with whole.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    whole.replace(FOLDER / f"{name}.jsonl")


def read(name: str) -> dict[str, dict[str, Any]]:
    """Lines of a run or qrels by question.

    :raises FileNotFoundError: the retrieval step has not written it.
    """
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as file:
        return {row["question"]: row for row in map(json.loads, file)}


def describe(part: str, settings: Mapping[str, object]) -> None:
    """Keep commit, date and settings of the runs that are about to be written.

    :param part: what the names of the runs begin with.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    report.write(f"{FOLDER.name}/{part}-settings", settings, [])


def about(part: str) -> dict[str, Any]:
    """What :func:`describe` kept; empty if nothing was."""
    path = FOLDER / f"{part}-settings.json"
    if not path.is_file():
        return {}
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {name: kept[name] for name in ("commit", "date", "settings")}
