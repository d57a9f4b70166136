"""Assistants over a fresh database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docrag.assistant import Assistant
from docrag.settings import Settings

Opener = Callable[..., Assistant]


@pytest.fixture
def open_assistant(database_url: str, tmp_path: Path) -> Iterator[Opener]:
    """Opens assistants on the test's database, with the hashing embedder unless told otherwise."""
    opened: list[Assistant] = []

    def open_one(**overrides: Any) -> Assistant:  # noqa: ANN401 - values of settings
        values: dict[str, Any] = {"embedder": "hashing", **overrides}
        settings = Settings(instance=tmp_path, database_url=database_url, **values)
        opened.append(Assistant.open(settings))
        return opened[-1]

    yield open_one
    for assistant in opened:
        assistant.close()


@pytest.fixture
def assistant(open_assistant: Opener) -> Assistant:
    """An assistant with the roles of the sample set."""
    assistant = open_assistant()
    for name in ("isg", "personel", "ik", "uretim"):
        assistant.store.roles.create(name)
    return assistant


@pytest.fixture
def data_folder() -> Path:
    """The shared test data; the test is skipped where it is absent."""
    folder = Path(os.environ.get("DATA", Path(__file__).parents[4] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"SHARED TEST DATA ABSENT: no folder {folder.name!r}; set DATA")
    return folder
