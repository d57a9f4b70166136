"""Ingest, ask and search through the library, over a real database."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from docrag import samples
from docrag.api import (
    Access,
    AccessDenied,
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    PluginNotFound,
    SettingsError,
    StoreError,
    UnknownName,
    UnsupportedDocument,
)
from docrag.assistant import Assistant
from docrag.embedders.hashing import HashingEmbedder
from docrag.settings import Settings
from docrag.store import make_engine
from docrag.store.migrate import downgrade
from docrag.store.records import DocumentState, Job
from docrag.testing.ollama import FakeOllama
from tests.integration.assistant.conftest import Opener

SAFETY = samples.manifest()[0]
ADMIN = Access.of(["admin"])
RULE = "Depoda baret takmak zorunludur. Baret her vardiyada kontrol edilir."


def ingest_text(assistant: Assistant, text: str = RULE, name: str = "baret.txt") -> str:
    """The id of a short document for ``isg``."""
    return assistant.ingest(text.encode(), filename=name, roles={"isg"}).id


def test_sample_pdf_is_ready_and_answers_with_its_page(assistant: Assistant) -> None:
    data = samples.read(SAFETY.filename)
    document = assistant.ingest(data, filename=SAFETY.filename, roles=SAFETY.roles)
    assert document.state == DocumentState.READY
    question = SAFETY.questions[0]
    answer = assistant.ask(question.text, roles={"isg"})
    assert question.page in [citation.page_first for citation in answer.citations]
    assert question.must_contain[0] in answer.text


def test_ingest_of_a_path_reports_progress(assistant: Assistant, tmp_path: Path) -> None:
    path = tmp_path / "baret.txt"
    path.write_text(RULE, encoding="utf-8")
    seen: list[Job] = []
    document = assistant.ingest(path, roles=["isg", "personel"], progress=seen.append)
    assert [job.stage for job in seen][-1] == "index"
    assert {"load", "chunk", "embed"} <= {job.stage for job in seen}
    assert (document.title, document.roles) == ("baret", ("isg", "personel"))


def test_upload_is_searchable_only_after_the_worker(assistant: Assistant) -> None:
    document, _ = assistant.upload(RULE.encode(), filename="baret.txt", roles={"isg"})
    assert document.state == DocumentState.QUEUED
    assert assistant.search("baret", roles={"isg"}) == []
    assert assistant.work_once() and not assistant.work_once()
    assert [found.chunk.document_id for found in assistant.search("baret", roles={"isg"})] == [
        document.id
    ]


@pytest.mark.parametrize("roles", [{"ik"}, set(), {"ISG"}, {"isg'; --"}])
def test_other_roles_find_nothing_and_get_the_fallback(
    assistant: Assistant, roles: set[str]
) -> None:
    ingest_text(assistant)
    assert assistant.search("baret", roles=roles) == []
    answer = assistant.ask("Depoda baret zorunlu mu?", roles=roles)
    assert answer.text == "Bu bilgi belgelerde bulunmuyor."
    assert answer.context == ()


def test_admin_reads_every_document(assistant: Assistant) -> None:
    document_id = ingest_text(assistant)
    assert [document.id for document in assistant.documents(access=ADMIN)] == [document_id]
    assert assistant.search("baret", access=ADMIN)


def test_every_answer_has_one_audit_row(assistant: Assistant) -> None:
    ingest_text(assistant)
    before = assistant.store.answers.count()
    answer = assistant.ask("Depoda baret zorunlu mu?", roles={"isg"})
    assistant.ask("Depoda baret zorunlu mu?", roles={"ik"})
    assert assistant.store.answers.count() == before + 2
    row = assistant.store.answers.get(answer.id)
    assert list(row.context_chunk_ids) == [c.chunk_id for c in answer.context[0].chunks]


def test_same_bytes_twice_are_refused(assistant: Assistant) -> None:
    document_id = ingest_text(assistant)
    with pytest.raises(DuplicateDocument) as caught:
        ingest_text(assistant, name="baska_ad.txt")
    assert caught.value.document_id == document_id


def test_failed_document_keeps_its_reason_and_may_come_again(assistant: Assistant) -> None:
    for _ in range(2):
        with pytest.raises(DocumentError, match="kirik"):
            assistant.ingest(b"%PDF-1.7\nkirik", filename="kirik.pdf", roles={"isg"})
    documents = assistant.documents(access=ADMIN)
    assert [document.state for document in documents] == [DocumentState.FAILED] * 2
    assert all(document.error for document in documents)


@pytest.mark.parametrize(
    ("data", "filename", "roles", "error"),
    [
        (b"", "a.txt", {"isg"}, DocumentError),
        (b"x", "a.docx", {"isg"}, UnsupportedDocument),
        (b"<!doctype html>", "a.pdf", {"isg"}, UnsupportedDocument),
        (b"x", "a.txt", {"yok"}, UnknownName),
        (b"x", "a.txt", set(), DocumentError),
    ],
)
def test_bad_upload_is_refused_and_leaves_nothing(
    assistant: Assistant, data: bytes, filename: str, roles: set[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        assistant.upload(data, filename=filename, roles=roles)
    assert assistant.documents(access=ADMIN) == []


def test_file_over_the_limit_names_the_setting(open_assistant: Opener) -> None:
    assistant = open_assistant(upload_limit=1)
    with pytest.raises(DocumentError, match="DOCRAG_UPLOAD_LIMIT"):
        assistant.upload(b"x" * (1024 * 1024 + 1), filename="a.txt", roles={"admin"})


def test_deleted_document_answers_no_more(assistant: Assistant) -> None:
    document_id = ingest_text(assistant)
    with pytest.raises(AccessDenied):
        assistant.delete(document_id, access=Access.of(["isg"]))
    assistant.delete(document_id, access=ADMIN)
    assert assistant.ask("Depoda baret zorunlu mu?", roles={"isg"}).citations == ()
    with pytest.raises(DocumentNotFound):
        assistant.delete(document_id, access=ADMIN)


def test_model_sees_only_permitted_text(open_assistant: Opener) -> None:
    with FakeOllama() as ollama:
        options = {"url": ollama.url, "model": "m"}
        assistant = open_assistant(llm="ollama", llm_options=options)
        for role in ("isg", "ik"):
            assistant.store.roles.create(role)
        ingest_text(assistant)
        assistant.ingest(
            b"Depoda baret payi on liradir, sir 8461.", filename="ucret.txt", roles={"ik"}
        )
        answer = assistant.ask("Depoda baret zorunlu mu?", roles={"isg"})
        assert answer.citations[0].filename == "baret.txt"
        assert "8461" not in str(ollama.requests)


def test_words_alone_suffice_without_an_embedder(open_assistant: Opener) -> None:
    assistant = open_assistant(embedder="none", retriever="lexical")
    assistant.store.roles.create("isg")
    ingest_text(assistant)
    assert assistant.ask("Depoda BARET takmak zorunlu mu?", roles={"isg"}).citations


def test_dense_retriever_without_embedder_is_refused(open_assistant: Opener) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_RETRIEVER"):
        open_assistant(embedder="none", retriever="dense").warm_up()


def test_other_chunking_than_the_stored_one_is_refused(
    assistant: Assistant, open_assistant: Opener
) -> None:
    ingest_text(assistant)
    other = open_assistant(chunk_size=500)
    with pytest.raises(SettingsError, match="DOCRAG_CHUNK_SIZE"):
        other.ingest(b"Baska bir talimat.", filename="b.txt", roles={"isg"})
    assert assistant.documents(access=ADMIN)[0].state == DocumentState.QUEUED
    assert assistant.work_once()
    assert assistant.documents(access=ADMIN)[0].state == DocumentState.READY


@pytest.mark.parametrize(
    "setting",
    [{"llm": "nope"}, {"embedder": "hashin"}, {"chunker": "x"}, {"reranker": "x"}],
    ids=lambda setting: next(iter(setting)),
)
def test_check_refuses_an_unknown_component(
    open_assistant: Opener, setting: dict[str, str]
) -> None:
    with pytest.raises(PluginNotFound, match="installed: "):
        open_assistant(**setting).check()


def test_check_loads_no_model(open_assistant: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HashingEmbedder, "embed_query", pytest.fail)
    open_assistant().check()


@pytest.mark.timeout(10)
@pytest.mark.parametrize(("kind", "said"), [("fifo", "no regular file"), ("large", "1.0 MiB")])
def test_file_is_judged_before_it_is_read(
    open_assistant: Opener, tmp_path: Path, kind: str, said: str
) -> None:
    path = tmp_path / "boru.txt"
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.touch()
        os.truncate(path, 1024 * 1024 + 1)
    assistant = open_assistant(upload_limit=1)
    with pytest.raises(DocumentError, match=said):
        assistant.ingest(path, roles={"isg"})


@pytest.mark.timeout(10)
def test_endless_device_is_not_read(assistant: Assistant) -> None:
    with pytest.raises(UnsupportedDocument, match="'zero' cannot be read"):
        assistant.ingest("/dev/zero", roles={"isg"})
    with pytest.raises(DocumentError, match="no regular file"):
        assistant.ingest("/dev/zero", filename="a.txt", roles={"isg"})


def test_database_of_a_newer_docrag_says_what_to_do(open_assistant: Opener, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="migrated by a newer docrag"):
        open_assistant()


def test_unmigrated_database_says_what_to_do(database_url: str, tmp_path: Path) -> None:
    downgrade(database_url, "base")
    settings = Settings(instance=tmp_path, database_url=database_url, embedder="hashing")
    with pytest.raises(StoreError, match="docrag migrate"):
        Assistant.open(settings)


def test_roles_or_access_must_be_given(assistant: Assistant) -> None:
    with pytest.raises(ValueError, match="either roles or access"):
        assistant.ask("Soru?")
    with pytest.raises(TypeError, match="collection of role names"):
        assistant.search("Soru?", roles="isg")


def test_shared_engine_is_used(database_url: str, tmp_path: Path) -> None:
    engine = make_engine(database_url)
    settings = Settings(instance=tmp_path, database_url=database_url, embedder="hashing")
    with Assistant.open(settings, engine=engine) as assistant:
        assert assistant.store.is_empty()
    engine.dispose()


def test_document_deleted_while_it_is_read_is_no_warning(
    assistant: Assistant, caplog: pytest.LogCaptureFixture
) -> None:
    document, job = assistant.upload(RULE.encode(), filename="baret.txt", roles={"isg"})

    def remove(_: Job) -> None:
        if assistant.documents(access=ADMIN):
            assistant.delete(document.id, access=ADMIN)

    with assistant.store.jobs.claim_one(job.id) as claimed, caplog.at_level(logging.INFO):
        assert claimed is not None
        assistant._worker.run(claimed, remove)
    levels = {record.levelname for record in caplog.records if "docrag.ingest" in record.name}
    assert levels == {"INFO"}
