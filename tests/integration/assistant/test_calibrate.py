from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from docrag.assistant import Assistant
from docrag.cli.group import main
from tests.integration.assistant.conftest import Opener

Calibrate = Callable[..., Result]

TEXTS = {
    "izin.txt": "Yıllık izin on dört gündür. İzin yazılı istenir.",
    "baret.txt": "Depoda baret takılır. Bareti olmayan depoya giremez.",
    "forklift.txt": "Forklift bina içinde saatte on kilometreyi geçemez.",
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

    def run(*options: str) -> Result:
        wanted = options if "--reset" in options else (str(file), *options)
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
    assert calibrate("--reset").exit_code == 0
    assert filled.store.chunks.cosine_weight() is None
