"""Re-embedding with another model or chunker: filled between jobs, switched at once, taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docrag.api import Access, EmbedderError, SettingsError, StoreError, Vectors
from docrag.assistant import Assistant
from docrag.embedders.hashing import HashingEmbedder
from docrag.ingest import filling

from .conftest import Opener

ADMIN = Access.of(["admin"])
NEXT: dict[str, Any] = {"next_embedder": "hashing", "next_embedder_options": {"dim": 48}}
CUT: dict[str, Any] = {"next_chunker": "fixed", "next_chunker_options": {"size": 90, "overlap": 0}}
QUESTIONS = ("yıllık izin kaç gün", "yangın tüpü", "Iğdır şubesi", "maaş bordrosu")
TEXTS = (
    "Yıllık izin on dört gündür. Kullanılmayan izin devreder. İzin formu amire verilir, "
    "amir de insan kaynaklarına iletir. Bayram günleri izinden sayılmaz.",
    "Yangın tüpleri altı ayda bir kontrol edilir. Tüplerin yeri krokide gösterilir. Iğdır "
    "şubesinde kontrolü itfaiye yapar. Kontrol kartı tüpün üzerine asılır.",
    "Maaş bordrosu her ayın beşinde verilir. İtiraz süresi yedi gündür. Bordro e-posta ile "
    "de gönderilir. Ek ödemeler ayrı satırda gösterilir.",
)
Found = list[tuple[str, str, float]]


def fill(assistant: Assistant, texts: Sequence[str] = TEXTS) -> list[str]:
    """Documents of these texts; their ids."""
    names = {role.name for role in assistant.store.roles.list()}
    if "ik" not in names:
        assistant.store.roles.create("ik")
    return [
        assistant.ingest(words.encode(), filename=f"belge{n}.txt", roles=["ik"]).id
        for n, words in enumerate(texts)
    ]


def work(assistant: Assistant) -> None:
    """Do everything that waits."""
    while assistant.work_once():
        pass


def answers(assistant: Assistant) -> dict[str, Found]:
    """What each question finds."""
    return {
        question: [
            (item.chunk.filename, item.chunk.text, round(item.score, 6))
            for item in assistant.search(question, access=ADMIN, k=10)
        ]
        for question in QUESTIONS
    }


def model(assistant: Assistant) -> str:
    """The model that is searched."""
    active = assistant.store.spaces.active()
    return active.model_id if active else ""


@pytest.fixture
def fresh(
    database_url: str, make_database: Callable[[str], str], migrated_template: str, tmp_path: Any  # noqa: ANN401 - a path
) -> Callable[..., dict[str, Found]]:  # fmt: skip
    """What the same documents answer in a database that never had another model."""

    def build(**settings: Any) -> dict[str, Found]:  # noqa: ANN401 - values of settings
        values = {"embedder": "hashing", **settings}
        url = make_database(migrated_template)
        with Assistant.open(instance=tmp_path, database_url=url, **values) as assistant:
            fill(assistant)
            return answers(assistant)

    return build


@pytest.mark.parametrize("changed", [NEXT, NEXT | CUT], ids=["model", "both"])
def test_switched_documents_answer_as_a_fresh_build_and_back(
    open_assistant: Opener, fresh: Callable[..., dict[str, Found]], changed: dict[str, Any]
) -> None:
    assistant = open_assistant(**changed)
    fill(assistant)
    before = answers(assistant)
    space = assistant.reindex.start()
    work(assistant)
    assert answers(assistant) == before
    assistant.reindex.switch(space)
    after = answers(assistant)
    assert after != before
    settings = {name.removeprefix("next_"): value for name, value in changed.items()}
    assert after == fresh(**settings)
    for expected in (before, after):
        assistant.reindex.switch(assistant.reindex.before())
        assert answers(assistant) == expected


@pytest.mark.parametrize("changed", [NEXT, NEXT | CUT], ids=["model", "both"])
def test_questions_are_answered_throughout(open_assistant: Opener, changed: dict[str, Any]) -> None:
    assistant = open_assistant(**changed)
    readers = [assistant, open_assistant(**changed)]
    fill(assistant)
    stop, seen = threading.Event(), [0, 0]

    def read(number: int) -> int:
        while not stop.is_set():
            found = readers[number].search("izin", access=ADMIN, k=3)
            assert len(found) == 3
            seen[number] += 1
        return seen[number]

    with ThreadPoolExecutor(2) as pool:
        reading = [pool.submit(read, number) for number in range(2)]
        space = assistant.reindex.start()
        work(assistant)
        assistant.reindex.switch(space)
        for _ in range(3):
            assistant.reindex.switch(assistant.reindex.before())
        stop.set()
        assert all(future.result() > 0 for future in reading)


def test_nothing_is_switched_while_a_document_is_missing(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant)
    space = assistant.reindex.start()
    with pytest.raises(StoreError, match=r"3 documents .*hashing-48.*'belge0'.*docrag worker"):
        assistant.reindex.switch(space)
    assert model(assistant) == "hashing-256"


def test_changes_meanwhile_are_filled_too(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    first, second, _ = fill(assistant)
    assistant.store.roles.create("uretim")
    space = assistant.reindex.start()
    assert assistant.work_once()
    assistant.delete(first, access=ADMIN)
    assistant.store.documents.set_roles(second, ["uretim"], access=ADMIN)
    assistant.ingest("Yeni gelen belge: ışıklandırma.".encode(), filename="yeni.txt", roles=["ik"])
    work(assistant)
    assistant.reindex.switch(space)
    found = assistant.search("yangın", roles=["uretim"], k=9)
    assert [item.chunk.document_id for item in found] == [second]
    assert second not in {i.chunk.document_id for i in assistant.search("x yangın", roles=["ik"])}
    new = assistant.search("ışıklandırma", roles=["ik"], k=1)[0]
    assert new.chunk.filename == "yeni.txt"
    assert {leg.name for leg in new.legs} >= {"dense", "lexical"}


def test_new_documents_go_where_is_searched(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT, **CUT)
    fill(assistant)
    space = assistant.reindex.start()
    work(assistant)
    assistant.reindex.switch(space)
    new = assistant.ingest((TEXTS[0] + " Yeni.").encode(), filename="yeni.txt", roles=["ik"])
    assert new.chunks > 1
    assert {len(i.chunk.text) <= 90 for i in assistant.search("izin", access=ADMIN)} == {True}
    back = assistant.reindex.before()
    with pytest.raises(StoreError, match="'yeni'"):
        assistant.reindex.switch(back)
    work(assistant)
    assistant.reindex.switch(back)
    assert assistant.document(new.id, access=ADMIN).chunks == 1


def test_document_that_is_embedded_during_the_switch_is_embedded_again(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant)
    space = assistant.reindex.start()
    work(assistant)
    embed, dims = HashingEmbedder.embed_documents, []

    def switched_meanwhile(self: HashingEmbedder, texts: Sequence[str]) -> Vectors:
        found = embed(self, texts)
        dims.append(self.dim)
        if len(dims) == 1:
            assistant.reindex.switch(space)
        return found

    monkeypatch.setattr(HashingEmbedder, "embed_documents", switched_meanwhile)
    assistant.ingest("Işıklandırma planı.".encode(), filename="yeni.txt", roles=["ik"])
    assert dims == [256, 48]
    assert {i.state: i.progress.missing for i in assistant.reindex.status()} == {
        "active": 0, "before": 1,
    }  # fmt: skip


def test_other_process_follows_without_restart(open_assistant: Opener) -> None:
    assistant, other = open_assistant(**NEXT), open_assistant(**NEXT)
    fill(assistant)
    before = answers(other)
    space = assistant.reindex.start()
    work(other)
    assistant.reindex.switch(space)
    assert answers(other) == answers(assistant) != before


def test_settings_follow_at_leisure(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant)
    space = assistant.reindex.start()
    work(assistant)
    assistant.reindex.switch(space)
    moved = open_assistant(embedder_options={"dim": 48})
    assert answers(moved) == answers(assistant)
    assert moved.ingest(b"Yeni belge.", filename="yeni.txt", roles=["ik"]).chunks == 1


def test_wrong_settings_say_what_to_do(open_assistant: Opener) -> None:
    fill(open_assistant())
    changed = open_assistant(embedder_options={"dim": 48})
    with pytest.raises(EmbedderError, match=r"hashing-256.*hashing-48.*docrag reindex start"):
        changed.search("izin", access=ADMIN)
    with pytest.raises(SettingsError, match="docrag reindex start"):
        changed.ingest(b"Yeni belge.", filename="yeni.txt", roles=["ik"])
    assert changed.store.spaces.building() is None


def test_dropped_space_leaves_nothing(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant)
    space = assistant.reindex.start()
    work(assistant)
    assistant.reindex.switch(space)
    after = answers(assistant)
    assert [item.model_id for item in assistant.reindex.drop()] == ["hashing-256"]
    assert [item.state for item in assistant.reindex.status()] == ["active"]
    with pytest.raises(StoreError, match="no space from before is kept"):
        assistant.reindex.before()
    assert answers(assistant) == after
    assert assistant.reindex.drop() == []


def test_start_needs_something_to_change_to(open_assistant: Opener) -> None:
    assistant = open_assistant()
    fill(assistant)
    with pytest.raises(SettingsError, match="DOCRAG_NEXT_EMBEDDER"):
        assistant.reindex.start()
    same = open_assistant(next_embedder="hashing", next_embedder_options={"dim": 256})
    with pytest.raises(StoreError, match="already"):
        same.reindex.start()


def test_status_counts_documents_and_chunks(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant)
    assistant.reindex.start()
    states = {item.state: item.progress for item in assistant.reindex.status()}
    assert (states["active"].documents, states["active"].missing) == (3, 0)
    assert (states["building"].documents, states["building"].chunks) == (0, 0)
    assistant.work_once()
    work(assistant)
    done = {item.state: item.progress for item in assistant.reindex.status()}["building"]
    assert (done.documents, done.missing, done.chunks, done.all_chunks) == (3, 0, 3, 3)
    assert done.rate > 0


def test_documents_read_by_words_are_embedded_later(open_assistant: Opener) -> None:
    fill(open_assistant(embedder="none"))
    assistant = open_assistant()
    assert assistant.reindex.start() == assistant.store.spaces.active()
    work(assistant)
    found = assistant.search("izin", access=ADMIN, k=9)
    assert all("dense" in {leg.name for leg in item.legs} for item in found)


class Picky(HashingEmbedder):
    """Refuses texts with one word, cannot take long ones, and is away if told so."""

    away = False

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors, or an error that names what is wrong."""
        if Picky.away:
            raise EmbedderError("the server cannot be reached")
        bad = [place for place, text in enumerate(texts) if "bordro" in text or len(text) > 120]
        long = [place for place in bad if len(texts[place]) > 120]
        if bad:
            raise EmbedderError("refused", indices=bad, too_long=long)
        return super().embed_documents(texts)


@pytest.fixture
def picky(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hashing embedder of 48 numbers is a picky one."""
    from docrag.registry import Registry

    build = Registry.build

    def built(self: Registry, kind: str, name: str, options: Any = None, **given: Any) -> Any:  # noqa: ANN401 - as the method
        if kind == "embedders" and dict(options or {}).get("dim") == 48:
            return Picky(dim=48)
        return build(self, kind, name, options, **given)

    monkeypatch.setattr(Registry, "build", built)


@pytest.mark.usefixtures("picky")
def test_refused_chunks_are_named_and_found_by_words(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    ids = fill(assistant, (*TEXTS[:2], "Maaş bordrosu ayın beşinde verilir."))
    space = assistant.reindex.start()
    work(assistant)
    assert {i.state: i.progress.refused for i in assistant.reindex.status()}["building"] == 1
    assistant.reindex.switch(space)
    document = assistant.document(ids[2], access=ADMIN)
    assert document.state == "ready_with_warnings"
    assert document.warnings == (
        "chunk 1 could not be embedded by hashing-48 and is found by its words only",
    )
    assert assistant.search("bordrosu", access=ADMIN, k=1)[0].chunk.document_id == ids[2]
    assistant.reindex.switch(assistant.reindex.before())
    assert assistant.document(ids[2], access=ADMIN).state == "ready"


@pytest.mark.usefixtures("picky")
def test_chunk_too_long_for_the_next_model_is_found_by_it(open_assistant: Opener) -> None:
    assistant = open_assistant(**NEXT)
    fill(assistant, TEXTS[:2])
    space = assistant.reindex.start()
    work(assistant)
    assistant.reindex.switch(space)
    best = assistant.search("yangın tüpleri", access=ADMIN, k=1)[0]
    assert best.chunk.text == TEXTS[1]
    assert {leg.name: leg.score for leg in best.legs}["dense"] > 0.3


@pytest.mark.usefixtures("picky")
def test_embedder_that_is_away_is_waited_for(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "FAILED_REST", 0.0)
    assistant = open_assistant(**NEXT)
    fill(assistant)
    assistant.reindex.start()
    monkeypatch.setattr(Picky, "away", True)
    assert not assistant.work_once()
    monkeypatch.setattr(Picky, "away", False)
    work(assistant)
    assert assistant.reindex.status()[1].progress.missing == 0


def test_changed_release_is_followed_by_start_and_switch(open_assistant: Opener) -> None:
    """Another chunker than the stored one, without DOCRAG_NEXT_*, and an upload that waits."""
    with open_assistant(chunker="recursive") as old:
        fill(old)
    assistant = open_assistant(chunker="fixed", chunker_options=CUT["next_chunker_options"])
    late, _ = assistant.upload(b"Servis saatleri panoda.", filename="servis.txt", roles=["ik"])
    with pytest.raises(SettingsError, match="run `docrag reindex start`, uploads wait"):
        work(assistant)
    space = assistant.reindex.start()
    with pytest.raises(SettingsError):
        work(assistant)
    assert assistant.store.switches.progress(space).missing == 0
    assistant.reindex.switch(space)
    work(assistant)
    assert assistant.document(late.id, access=ADMIN).in_force
    with pytest.raises(SettingsError, match="nothing to change to"):
        assistant.reindex.start()
