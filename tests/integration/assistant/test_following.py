"""A watched folder: what is taken in, when, and as which version."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from docrag.api import ADMIN_ROLE, Access, StoreError, StoreUnavailable
from docrag.assistant import Assistant
from docrag.cli.following import Follower
from docrag.cli.taking import Outcome, Taking
from docrag.settings import Settings
from docrag.store.records import Document, DocumentState

ADMIN = Access.of([ADMIN_ROLE])


@pytest.fixture(scope="module")
def shared(
    shared_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Assistant]:
    """An assistant that searches by words, for all of these tests."""
    settings = Settings(
        instance=tmp_path_factory.mktemp("instance"),
        database_url=shared_database_url,
        embedder="none",
    )
    with Assistant.open(settings) as assistant:
        assistant.store.roles.create("isg")
        yield assistant


@pytest.fixture
def assistant(shared: Assistant) -> Assistant:
    """The same, without documents."""
    with shared.store._sessions.engine.begin() as connection:
        connection.execute(text("TRUNCATE documents, terms CASCADE"))
    return shared


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that is watched."""
    made = tmp_path / "belgeler"
    made.mkdir()
    return made


@pytest.fixture
def told() -> list[Outcome]:
    """What was told."""
    return []


@pytest.fixture
def follower(folder: Path, told: list[Outcome]) -> Follower:
    """Watches the folder."""
    taking = Taking(roles=frozenset({"isg"}))
    return Follower(folders=[folder], taking=taking, tell=told.append)


Look = Callable[[], list[str]]


@pytest.fixture
def look(follower: Follower, assistant: Assistant, told: list[Outcome]) -> Look:
    """Looks twice, as it takes for a file that lies still; what was told meanwhile."""

    def looks() -> list[str]:
        told.clear()
        follower.look(assistant)
        follower.look(assistant)
        return [f"{item.state} {item.file}" for item in told]

    return looks


def write(file: Path, words: str, *, age: int = 0) -> None:
    """A file with these words, whose time differs from that of another age."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(words)
    os.utime(file, (1_500_000_000 + age, 1_500_000_000 + age))


def stored(assistant: Assistant) -> list[Document]:
    """Documents, oldest first."""
    return assistant.documents(access=ADMIN)[::-1]


def test_new_file_is_taken_in_once(look: Look, assistant: Assistant, folder: Path) -> None:
    write(folder / "alt" / "İzin.txt", "Yıllık izin on dört gündür.")
    assert look() == ["ready belgeler/alt/İzin.txt"]
    assert look() == []
    [document] = stored(assistant)
    assert (document.source, document.roles) == ("belgeler/alt/İzin.txt", ("isg",))


def test_changed_file_becomes_a_version(
    look: Look, assistant: Assistant, follower: Follower, folder: Path
) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    write(folder / "izin.txt", "Yıllık izin yirmi gündür.", age=60)
    assert look() == ["ready belgeler/izin.txt"]
    old, new = stored(assistant)
    assert (old.series, old.in_force, old.version) == (new.series, False, 1)
    assert (new.in_force, new.version, new.title) == (True, 2, "izin")
    assert (follower.new, follower.changed) == (1, 1)


def test_changed_roles_stay(look: Look, assistant: Assistant, folder: Path) -> None:
    assistant.store.roles.create("ik")
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    assistant.store.documents.set_roles(stored(assistant)[0].id, ["ik"], access=ADMIN)
    write(folder / "izin.txt", "Yıllık izin yirmi gündür.", age=60)
    look()
    assert stored(assistant)[1].roles == ("ik",)


def test_touched_file_is_unchanged(look: Look, assistant: Assistant, folder: Path) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    write(folder / "izin.txt", "Yıllık izin on dört gündür.", age=60)
    assert look() == ["unchanged belgeler/izin.txt"]
    assert len(stored(assistant)) == 1


def test_growing_file_waits(
    follower: Follower, assistant: Assistant, folder: Path, told: list[Outcome]
) -> None:
    for size in (1, 2, 3):
        write(folder / "izin.txt", "Yıllık izin. " * size, age=size)
        follower.look(assistant)
    assert told == []
    follower.look(assistant)
    assert [item.state for item in told] == ["ready"]


def test_mistake_is_told_once_a_content(look: Look, folder: Path) -> None:
    write(folder / "bos.txt", "")
    assert look() == ["failed belgeler/bos.txt"]
    assert look() == []
    write(folder / "bos.txt", "Yıllık izin on dört gündür.", age=60)
    assert look() == ["ready belgeler/bos.txt"]


def test_failed_version_leaves_the_old_one(look: Look, assistant: Assistant, folder: Path) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    write(folder / "izin.txt", "   ", age=60)
    assert look() == ["failed belgeler/izin.txt"]
    old, new = stored(assistant)
    assert (old.in_force, new.state) == (True, DocumentState.FAILED)


def test_deleted_file_is_reported_and_its_document_stays(
    look: Look, assistant: Assistant, folder: Path
) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    (folder / "izin.txt").unlink()
    assert look() == ["gone belgeler/izin.txt"]
    assert look() == []
    assert stored(assistant)[0].in_force


def test_folder_that_is_away_is_not_deleted(look: Look, folder: Path) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    moved = folder.rename(folder.with_name("yok"))
    assert look() == []
    moved.rename(folder)
    assert look() == []


def test_second_run_goes_on(
    look: Look, follower: Follower, assistant: Assistant, folder: Path, told: list[Outcome]
) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    look()
    write(folder / "izin.txt", "Yıllık izin yirmi gündür.", age=60)
    second = Follower(folders=[folder], taking=follower.taking, tell=told.append)
    second.look(assistant)
    second.look(assistant)
    assert [item.version for item in stored(assistant)] == [1, 2]


def test_file_that_came_in_another_way_is_known(
    look: Look, assistant: Assistant, folder: Path
) -> None:
    assistant.ingest("Yıllık izin on dört gündür.".encode(), filename="x.txt", roles=["isg"])
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    assert look() == ["unchanged belgeler/izin.txt"]
    write(folder / "izin.txt", "Yıllık izin yirmi gündür.", age=60)
    look()
    assert [item.version for item in stored(assistant)] == [1, 2]


def test_going_back_to_an_old_content_is_told(look: Look, follower: Follower, folder: Path) -> None:
    for age, days in enumerate(["on dört", "yirmi", "on dört"]):
        write(folder / "izin.txt", f"Yıllık izin {days} gündür.", age=age)
        told = look()
    assert told == ["failed belgeler/izin.txt"]
    assert "version 1 of 'izin', which is not in force" in follower.last["belgeler/izin.txt"].reason


def test_lost_database_is_tried_again(
    look: Look, follower: Follower, assistant: Assistant, folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as patch, pytest.raises(StoreUnavailable):
        patch.setattr(assistant.store.documents, "create", away)
        look()
    assert look() == ["ready belgeler/izin.txt"]


def test_document_that_a_lost_database_left_is_read(
    look: Look, follower: Follower, assistant: Assistant, folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """It was stored before the database went away, and its job still waits."""
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as patch, pytest.raises(StoreUnavailable):
        patch.setattr(assistant, "await_ready", away)
        look()
    assert look() == ["ready belgeler/izin.txt"]
    assert [item.state for item in stored(assistant)] == [DocumentState.READY]


def test_nobody_waits_if_told_so(
    look: Look, follower: Follower, assistant: Assistant, folder: Path
) -> None:
    follower.taking = replace(follower.taking, wait=False)
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    assert look() == ["queued belgeler/izin.txt"]
    assert stored(assistant)[0].state is DocumentState.QUEUED


FORCE = list[tuple[str, int, bool]]


def in_force(assistant: Assistant) -> FORCE:
    """Source, version and force of each document."""
    return sorted((item.source, item.version, item.in_force) for item in stored(assistant))


def test_renamed_file_keeps_its_document_when_its_old_name_is_used_again(
    look: Look, assistant: Assistant, folder: Path
) -> None:
    write(folder / "a.txt", "Yıllık izin on dört gündür.")
    look()
    (folder / "a.txt").rename(folder / "b.txt")
    assert look() == ["gone belgeler/a.txt", "unchanged belgeler/b.txt"]
    write(folder / "a.txt", "Yangın tüpleri altı ayda bir kontrol edilir.", age=60)
    assert look() == ["ready belgeler/a.txt"]
    assert in_force(assistant) == [("belgeler/a.txt", 1, True), ("belgeler/b.txt", 1, True)]


@pytest.mark.parametrize("changed", ["a.txt", "b.txt"])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_changed_copy_becomes_a_document_of_its_own(
    look: Look, follower: Follower, assistant: Assistant, folder: Path, changed: str,
    is_restarted: bool,
) -> None:  # fmt: skip
    for name in ("a.txt", "b.txt"):
        write(folder / name, "Yıllık izin on dört gündür.")
    look()
    if is_restarted:
        follower._done.clear()
        follower._seen.clear()
    for days in ("yirmi", "otuz"):
        write(folder / changed, f"Yıllık izin {days} gündür.", age=len(days))
        look()
    other = "b.txt" if changed == "a.txt" else "a.txt"
    assert in_force(assistant) == sorted(
        [(f"belgeler/{other}", 1, True), (f"belgeler/{changed}", 1, False),
         (f"belgeler/{changed}", 2, True)]
    )  # fmt: skip


def test_refusals_of_one_file_end_no_watch_and_are_tried_again(
    look: Look, assistant: Assistant, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")

    def refuse(*_: object, **__: object) -> None:
        raise StoreError("refused")

    with monkeypatch.context() as patch:
        patch.setattr(assistant.store.documents, "create", refuse)
        assert look() == ["failed belgeler/izin.txt"]
        assert look() == []
    assert look() == ["ready belgeler/izin.txt"]


def test_retired_role_ends_no_watch(
    look: Look, follower: Follower, assistant: Assistant, folder: Path
) -> None:
    follower.taking = replace(follower.taking, roles=frozenset({"gecici"}))
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    assert look() == ["failed belgeler/izin.txt"]
    assert "gecici" in follower.last["belgeler/izin.txt"].reason


def test_file_that_is_stored_for_others_is_told(
    look: Look, follower: Follower, assistant: Assistant, folder: Path
) -> None:
    assistant.ingest("Yıllık izin on dört gündür.".encode(), filename="x.txt", roles=["isg"])
    assistant.store.roles.create("gece")
    follower.taking = replace(follower.taking, roles=frozenset({"gece"}))
    write(folder / "izin.txt", "Yıllık izin on dört gündür.")
    assert look() == ["unchanged belgeler/izin.txt"]
    assert "stored for isg; gece cannot read it" in follower.last["belgeler/izin.txt"].reason


def test_name_of_turkish_windows_is_taken_in(
    look: Look, assistant: Assistant, folder: Path
) -> None:
    write(folder / os.fsdecode(b"\xfc\xf0.txt"), "Yıllık izin on dört gündür.")
    assert look() == ["ready belgeler/üğ.txt"]
    assert stored(assistant)[0].filename == "üğ.txt"
