"""What opening makes, or refuses to make, where there is no database yet."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from docrag import Assistant
from docrag.api import StoreError
from docrag.settings import Settings


@pytest.fixture
def empty() -> Iterator[Path]:
    """A folder that, unlike root's tmp_path, the account of the database may enter."""
    with tempfile.TemporaryDirectory(prefix="docrag-open-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "örnek"


def test_open_refuses_an_empty_folder_when_told(empty: Path) -> None:
    with pytest.raises(StoreError, match=r"no docrag database in the instance folder 'örnek'"):
        Assistant.open(instance=empty, create=False)
    assert not empty.exists()


@pytest.mark.embedded
def test_open_warns_of_what_it_makes_once(empty: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "docrag.database")
    settings = Settings(instance=empty, embedder="hashing")
    for create in (None, False):
        with Assistant.open(settings, create=create) as assistant:
            assert assistant.store.users.list() == []
    (said,) = [record for record in caplog.records if record.name == "docrag.database"]
    assert said.levelno == logging.WARNING
    assert f"there was no docrag in the folder {empty}" in said.getMessage()
