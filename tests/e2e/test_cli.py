from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result

from docrag import Assistant, samples
from docrag.api import Access
from docrag.cli import main
from docrag.settings import Settings
from docrag.store.records import DocumentState

Docrag: TypeAlias = Callable[..., Result]


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database of its own that knows three roles."""
    env = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }

    def run(*arguments: str, **more: Any) -> Result:  # noqa: ANN401 - options of the runner
        return CliRunner().invoke(main, arguments, env=env, **more)

    assert run("role", "create", "isg", "ik", "uretim").exit_code == 0
    return run


@pytest.fixture
def forklift(tmp_path: Path) -> Path:
    """A sample file in a folder, beside a file that no loader reads."""
    folder = tmp_path / "belgeler"
    folder.mkdir()
    (folder / "forklift.txt").write_bytes(samples.read("forklift_is_talimati.txt"))
    (folder / "resim.xyz").write_bytes(b"\x00\x01")
    return folder


QUESTION = "Forklift bina içinde en fazla kaç km hızla gidebilir?"


def test_ingested_folder_answers(docrag: Docrag, forklift: Path) -> None:
    assert docrag("ingest", str(forklift), "--role", "uretim").exit_code == 0
    result = docrag("ask", QUESTION, "--role", "uretim")
    assert result.exit_code == 0
    assert "6 km/s" in result.stdout
    assert "[1] forklift.txt" in result.stdout


def test_ask_gives_json(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    answer = json.loads(docrag("ask", QUESTION, "--role", "uretim", "--json").stdout)
    assert answer["citations"][0]["filename"] == "forklift.txt"
    assert answer["abstention"] is None


def test_ask_abstains_for_another_role(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    result = docrag("ask", QUESTION, "--role", "ik")
    assert result.exit_code == 3
    assert "km" not in result.stdout


def test_ask_goes_by_the_roles_of_a_user(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    docrag("user", "create", "ışıl", "--role", "uretim", "--generate")
    assert docrag("ask", QUESTION, "--user", "ışıl").exit_code == 0


def test_search_gives_permitted_passages(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    found = json.loads(docrag("search", "forklift hız", "--role", "uretim", "--json").stdout)
    assert {hit["chunk"]["filename"] for hit in found} == {"forklift.txt"}
    nothing = docrag("search", "forklift hız", "--role", "ik", "--json")
    assert (json.loads(nothing.stdout), nothing.exit_code) == ([], 3)


def test_ingest_skips_what_is_stored(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    again = docrag("ingest", str(forklift), "--role", "uretim", "--json")
    assert again.exit_code == 0
    assert [row["state"] for row in json.loads(again.stdout)] == ["unchanged"]


def test_ingest_goes_on_after_a_failure(docrag: Docrag, forklift: Path) -> None:
    (forklift / "bos.txt").write_bytes(b"")
    result = docrag("ingest", str(forklift), "--role", "uretim", "--json")
    assert result.exit_code == 1
    states = {Path(row["file"]).name: row["state"] for row in json.loads(result.stdout)}
    assert states == {"bos.txt": "failed", "forklift.txt": "ready"}


def test_ingest_refuses_an_unknown_role(docrag: Docrag, forklift: Path) -> None:
    result = docrag("ingest", str(forklift), "--role", "üretim")
    assert result.exit_code == 1
    assert result.stderr.startswith("docrag: error: no role 'üretim'; known: ")
    assert json.loads(docrag("documents", "list", "--json").stdout) == []


def test_document_is_deleted(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    (listed,) = json.loads(docrag("documents", "list", "--json").stdout)
    assert docrag("documents", "delete", listed["id"]).exit_code == 0
    assert json.loads(docrag("documents", "list", "--json").stdout) == []


def test_documents_are_listed_as_a_role_sees_them(docrag: Docrag, forklift: Path) -> None:
    docrag("ingest", str(forklift), "--role", "uretim")
    assert json.loads(docrag("documents", "list", "--role", "ik", "--json").stdout) == []


def test_key_of_a_user_is_made_and_revoked(docrag: Docrag) -> None:
    docrag("user", "create", "ayşe", "--role", "isg", "--generate")
    made = json.loads(docrag("key", "create", "ayşe", "--name", "masaüstü", "--json").stdout)
    assert made["key"].startswith("dk-")
    (listed,) = json.loads(docrag("key", "list", "--json").stdout)
    assert (listed["user"], listed["name"]) == ("ayşe", "masaüstü")
    assert made["key"] not in json.dumps(listed)
    assert docrag("key", "revoke", str(listed["id"])).exit_code == 0
    assert json.loads(docrag("key", "list", "--json").stdout) == []


def test_user_changes_roles_and_leaves(docrag: Docrag) -> None:
    docrag("user", "create", "ayşe", "--password-stdin", input="uzun bir parola\n")
    docrag("user", "set-roles", "ayşe", "isg,ik")
    docrag("user", "deactivate", "ayşe")
    (user,) = json.loads(docrag("user", "list", "--json").stdout)
    assert (user["roles"], user["active"]) == (["ik", "isg"], False)


def test_short_password_is_wrong_usage(docrag: Docrag) -> None:
    result = docrag("user", "create", "ayşe", "--password-stdin", input="kısa\n")
    assert result.exit_code == 2
    assert "8 to 1024 characters" in result.stderr


def test_role_is_renamed_and_retired(docrag: Docrag) -> None:
    docrag("role", "rename", "isg", "işgüvenliği")
    docrag("role", "retire", "işgüvenliği")
    roles = {
        row["name"]: row["retired"] for row in json.loads(docrag("role", "list", "--json").stdout)
    }
    assert roles == {"admin": False, "ik": False, "uretim": False, "işgüvenliği": True}


def test_doctor_is_content(docrag: Docrag) -> None:
    result = docrag("doctor", "--json")
    found = {row["check"]: row["ok"] for row in json.loads(result.stdout)}
    assert result.exit_code == 0
    assert found == dict.fromkeys(
        ["settings", "plugins", "database", "pgvector", "schema", "embedder", "reranker", "llm"]
        + ["judge", "ocr", "disk"],
        True,
    )


def test_worker_works_off_the_queue(database_url: str, tmp_path: Path) -> None:
    env = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_INSTANCE": str(tmp_path),
    }
    with Assistant.open(Settings.load(env)) as assistant:
        assistant.store.roles.create("uretim")
        data = samples.read("forklift_is_talimati.txt")
        document, _ = assistant.upload(data, filename="forklift.txt", roles=["uretim"])
        # A process of its own, since a worker makes itself less urgent and takes signals.
        command = [sys.executable, "-m", "docrag.cli", "worker", "--once"]
        subprocess.run(command, env=env, check=True, capture_output=True)
        access = Access.of(["uretim"])
        assert assistant.document(document.id, access=access).state is DocumentState.READY


def test_migrate_tells_the_revision(docrag: Docrag) -> None:
    assert "database is up to date" in docrag("migrate").stderr


def test_unreachable_database_is_one_line(tmp_path: Path) -> None:
    env = {"DATABASE_URL": "postgresql://u:gizli@127.0.0.1:1/x", "DOCRAG_INSTANCE": str(tmp_path)}
    command = [sys.executable, "-m", "docrag.cli", "documents", "list"]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("docrag: error: ")
    assert "gizli" not in line


def test_doctor_finds_an_unreachable_database(tmp_path: Path) -> None:
    env = {
        "DATABASE_URL": "postgresql://u:gizli@127.0.0.1:1/x",
        "DOCRAG_EMBEDDER": "hashing",
        "DOCRAG_INSTANCE": str(tmp_path),
    }
    result = CliRunner().invoke(main, ["doctor", "--json"], env=env)
    found = {row["check"]: row["ok"] for row in json.loads(result.stdout)}
    assert result.exit_code == 1
    assert found["database"] is False
    assert "gizli" not in result.output


def test_unmigrated_database_says_what_to_do(empty_database_url: str, tmp_path: Path) -> None:
    env = {"DATABASE_URL": empty_database_url, "DOCRAG_INSTANCE": str(tmp_path)}
    result = CliRunner().invoke(main, ["documents", "list"], env=env)
    assert result.exit_code == 1
    assert "docrag migrate" in result.stderr


def test_serve_refuses_to_start_without_a_secret(database_url: str, tmp_path: Path) -> None:
    env = {"DATABASE_URL": database_url, "DOCRAG_INSTANCE": str(tmp_path)}
    result = CliRunner().invoke(main, ["serve"], env=env)
    assert result.exit_code == 1
    assert "SECRET_KEY" in result.stderr
