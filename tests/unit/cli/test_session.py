from __future__ import annotations

from pathlib import Path

import pytest

from docrag.cli import session
from docrag.cli.session import Session, split_names
from docrag.settings import Settings


def settings(monkeypatch: pytest.MonkeyPatch, folder: Path, *, installed: bool) -> Settings:
    """What a command reads where the bundled embedder is installed, or is not."""
    monkeypatch.setattr(session, "find_spec", lambda _: object() if installed else None)
    return Session(instance=folder).settings


def test_missing_embedder_means_search_by_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read = settings(monkeypatch, tmp_path, installed=False)
    assert (read.embedder, read.retriever) == ("none", "lexical")


def test_installed_embedder_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    read = settings(monkeypatch, tmp_path, installed=True)
    assert (read.embedder, read.retriever) == ("e5", "dense")


@pytest.mark.parametrize("name", ["e5", "ollama"])
def test_chosen_embedder_is_never_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("DOCRAG_EMBEDDER", name)
    assert settings(monkeypatch, tmp_path, installed=False).embedder == name


def test_instance_folder_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert Session(instance=Path("örnek")).settings.instance == tmp_path / "örnek"


def test_names_are_split_and_each_is_kept_once() -> None:
    assert split_names(None, None, ["isg, ik", "isg", "", "üretim,"]) == ("isg", "ik", "üretim")  # type: ignore[arg-type] # click's own arguments are not looked at
