from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from docrag.api import Access
from docrag.assistant import Assistant
from docrag.cli.group import main
from tests.integration.assistant.conftest import Opener

Calibrate = Callable[..., Result]

TEXTS = {
    "izin.txt": "Yıllık izin on dört gündür. İzin yazılı istenir.",
    "baret.txt": "Depoda baret takılır. Bareti olmayan depoya giremez.",
    "forklift.txt": "Forklift bina içinde saatte en çok on kilometre hızla gidebilir, geçemez.",
}


@pytest.fixture
def filled(open_assistant: Opener) -> Assistant:
    """Three short documents, with vectors."""
    assistant = open_assistant(embedder="hashing", retriever="hybrid")
    assistant.store.roles.create("isg")
    for name, text in TEXTS.items():
        assistant.ingest(text.encode(), filename=name, roles={"isg"})
    return assistant


@pytest.fixture
def calibrate(filled: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calibrate:
    """Run the command over these questions."""
    settings = filled.settings
    monkeypatch.setenv("DATABASE_URL", settings.database_url)
    monkeypatch.setenv("SECRET_KEY", "s" * 32)
    monkeypatch.setenv("DOCRAG_EMBEDDER", "hashing")
    monkeypatch.setenv("DOCRAG_EMBEDDER_OPTIONS", json.dumps(dict(settings.embedder_options)))
    file = tmp_path / "sorular.jsonl"
    asked = [("Kaç gün izin var?", "izin.txt"), ("Baret nerede takılır?", "baret.txt")]
    rows = [{"question": question, "document": name} for question, name in asked]
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")

    def run(*options: str, asked: bool = True, text: str = "") -> Result:
        if text:
            file.write_text(text, "utf-8")
        wanted = (str(file), *options) if asked else options
        return CliRunner().invoke(main, ["eval", "calibrate", *wanted])

    return run


def test_every_weight_is_tried(calibrate: Calibrate, filled: Assistant) -> None:
    done = calibrate("--json", "--dry-run")
    assert done.exit_code == 0, done.output
    tried = json.loads(done.stdout)
    assert tried[0]["weight"] == "uncalibrated"
    assert [row["weight"] for row in tried[1:]] == sorted(row["weight"] for row in tried[1:])
    assert all(0 <= row["mrr@10"] <= 1 for row in tried)
    assert filled.store.chunks.cosine_weight() is None
    assert "20 or more are better" in done.stderr


def test_weight_is_kept_until_it_is_reset(calibrate: Calibrate, filled: Assistant) -> None:
    filled.store.spaces.calibrate(123.5, basis={"questions": 2})
    assert filled.store.chunks.cosine_weight() == 123.5
    assert filled.store.spaces.calibration() == {"questions": 2}
    assert calibrate("--reset", asked=False).exit_code == 0
    assert filled.store.chunks.cosine_weight() is None


def test_few_questions_change_nothing(calibrate: Calibrate, filled: Assistant) -> None:
    filled.store.spaces.calibrate(123.5, basis={"questions": 2})
    assert "20 questions are needed" in calibrate("--json").stderr
    assert filled.store.chunks.cosine_weight() == 123.5


def test_weight_that_does_worse_than_the_rule_is_forgotten(
    calibrate: Calibrate, filled: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docrag.cli.eval.FEW", 1)
    filled.store.spaces.calibrate(123.5, basis={"questions": 2})
    done = calibrate("--json")
    assert [row["weight"] for row in json.loads(done.stdout) if row["in_use"]] == [123.5]
    assert "123.5 is forgotten" in done.stderr
    assert filled.store.chunks.cosine_weight() is None


def test_without_questions_the_corpus_is_asked(calibrate: Calibrate, filled: Assistant) -> None:
    dry = calibrate("--json", "--dry-run", asked=False)
    (row,) = json.loads(dry.stdout)
    assert row["weight"] > 0
    assert row["before"] is None
    assert filled.store.chunks.cosine_weight() is None
    assert calibrate(asked=False).exit_code == 0
    assert filled.store.chunks.cosine_weight() == row["weight"]
    assert (filled.store.spaces.calibration() or {})["source"] == "sentences"


def test_questions_about_missing_documents_are_left_out(calibrate: Calibrate) -> None:
    known = json.dumps({"question": "Baret nerede takılır?", "document": "BARET.txt"})
    missing = json.dumps({"question": "Maaş ne zaman yatar?", "document": "maas.txt"})
    done = calibrate("--dry-run", text=f"{known}\n{missing}\n")
    assert done.exit_code == 0
    assert "not stored: 1 (question 2)" in done.stderr
    assert calibrate("--dry-run", text=missing).exit_code == 1


def test_nothing_embedded_is_told(calibrate: Calibrate, filled: Assistant) -> None:
    for document in filled.documents(access=Access.of(["admin"])):
        filled.delete(document.id, access=Access.of(["admin"]))
    done = calibrate(asked=False)
    assert done.exit_code == 1
    assert "no sentences" in done.stderr


def test_other_embedder_is_told(calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCRAG_EMBEDDER_OPTIONS", '{"dim": 64}')
    done = calibrate("--dry-run")
    assert done.exit_code == 1
    assert "docrag reindex start" in done.stderr


@pytest.mark.parametrize("dry_run", [True, False])
def test_enough_evidence_is_stored_where_it_does_better(
    calibrate: Calibrate, filled: Assistant, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    monkeypatch.setattr("docrag.cli.evidence.FEW", 1)
    asked = [
        {"question": "Deponun sorumlusu bareti kime verir acaba?", "document": "baret.txt"},
        {"question": "Maaş ne zaman yatar?", "answerable": False},
    ]
    text = "\n".join(json.dumps(row) for row in asked)
    done = calibrate(*(["--dry-run"] if dry_run else []), text=text)
    assert done.exit_code == 0, done.output
    assert "evidence: the usual threshold 0.50 declines" in done.stderr
    stored = filled.store.spaces.required()
    assert (stored is None) is dry_run
    assert stored is None or 0 < stored < 0.5


def test_enough_evidence_is_forgotten_with_the_weight(
    calibrate: Calibrate, filled: Assistant
) -> None:
    filled.store.spaces.require(0.25)
    assert filled.store.spaces.required() == 0.25
    assert calibrate("--reset", asked=False).exit_code == 0
    assert filled.store.spaces.required() is None


def test_stored_evidence_decides_what_is_answered(filled: Assistant) -> None:
    question = "Yıllık izin kaç gündür?"
    assert filled.ask(question, roles=["isg"]).abstention is None
    filled.store.spaces.require(1.0)
    declined = filled.ask(question, roles=["isg"]).abstention
    assert declined is not None and declined.evidence < 1.0
