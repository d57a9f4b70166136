"""``docrag reindex``: an operator changes the embedding model from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from docrag import samples
from docrag.cli import main

Docrag: TypeAlias = Callable[..., Result]
NEXT = {"DOCRAG_NEXT_EMBEDDER": "hashing", "DOCRAG_NEXT_EMBEDDER_OPTIONS": '{"dim": 48}'}


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database with one document, with the next model named."""
    env = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
        **NEXT,
    }
    (tmp_path / "forklift.txt").write_bytes(samples.read("forklift_is_talimati.txt"))

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env=env)

    assert run("role", "create", "uretim").exit_code == 0
    assert run("ingest", str(tmp_path / "forklift.txt"), "--role", "uretim").exit_code == 0
    return run


def states(docrag: Docrag) -> dict[str, tuple[str, bool]]:
    """Model and readiness of each space."""
    rows = json.loads(docrag("reindex", "status", "--json").stdout)
    return {row["state"]: (row["model"], row["ready"]) for row in rows}


def test_model_is_changed_and_changed_back(docrag: Docrag) -> None:
    assert "reindex switch" in docrag("reindex", "start").stderr
    assert states(docrag)["building"] == ("hashing-48", False)
    early = docrag("reindex", "switch")
    assert early.exit_code == 1
    assert "'forklift'" in early.stderr
    assert docrag("worker", "--once").exit_code == 0
    assert "searches read hashing-48" in docrag("reindex", "switch", "--wait").stderr
    assert states(docrag) == {"active": ("hashing-48", True), "before": ("hashing-256", True)}
    assert docrag("search", "forklift hızı", "--role", "uretim").exit_code == 0
    assert "searches read hashing-256" in docrag("reindex", "back").stderr
    assert "removed hashing-48" in docrag("reindex", "drop").stderr
    assert states(docrag) == {"active": ("hashing-256", True)}


@pytest.mark.parametrize("verb", ["switch", "back"])
def test_nothing_is_switched_to_nothing(docrag: Docrag, verb: str) -> None:
    result = docrag("reindex", verb)
    assert result.exit_code == 1
    assert "docrag reindex start" in result.stderr
