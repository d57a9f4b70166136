"""``docrag user``, ``role``, ``group`` and ``key``: who may ask, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result

from docrag.cli import main

Docrag: TypeAlias = Callable[..., Result]


@pytest.fixture
def docrag(database_url: str, tmp_path: Path) -> Docrag:
    """Runs a command on a database of its own that knows two roles and a user."""
    env = {
        "DATABASE_URL": database_url,
        "DOCRAG_EMBEDDER": "none",
        "DOCRAG_RETRIEVER": "lexical",
        "DOCRAG_INSTANCE": str(tmp_path / "instance"),
    }

    def run(*arguments: str, **more: Any) -> Result:  # noqa: ANN401 - options of the runner
        return CliRunner().invoke(main, arguments, env=env, **more)

    assert run("role", "create", "isg", "ik").exit_code == 0
    made = run("user", "create", "ışık", "--role", "isg,ik", "--email", "I@X.example", "--generate")
    assert made.exit_code == 0, made.output
    return run


def rows(docrag: Docrag, *arguments: str) -> list[dict[str, Any]]:
    """What a listing command prints as JSON."""
    found: list[dict[str, Any]] = json.loads(docrag(*arguments, "--json").stdout)
    return found


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--role", "ik"], ("user", None, ["ik"])),
        (["--kind", "frontend", "--method", "jwt"], ("frontend", "jwt", [])),
        (["--kind", "service", "--role", "isg,ik"], ("service", None, ["ik", "isg"])),
    ],
)
def test_key_of_each_kind_is_made(docrag: Docrag, arguments: list[str], shown: object) -> None:
    made = docrag("key", "create", "ışık", "--name", "deneme", "--days", "9", *arguments)
    assert made.exit_code == 0, made.output
    assert made.stdout.startswith("dk-")
    (key,) = rows(docrag, "key", "list")
    assert (key["kind"], key["method"], key["roles"]) == shown
    assert key["expires_at"] is not None


@pytest.mark.parametrize(
    "arguments",
    [
        ["--kind", "frontend"],
        ["--method", "jwt"],
        ["--kind", "service"],
        ["--kind", "root"],
        ["--kind", "frontend", "--method", "cookie"],
    ],
)
def test_contradictory_key_is_wrong_usage(docrag: Docrag, arguments: list[str]) -> None:
    assert docrag("key", "create", "ışık", "--name", "x", *arguments).exit_code == 2
    assert rows(docrag, "key", "list") == []


@pytest.mark.parametrize("name", ["Ayşe", "\u0430li", "a,b", "a'b", "işik"])
def test_strange_or_look_alike_user_is_refused(docrag: Docrag, name: str) -> None:
    result = docrag("user", "create", name, "--generate")
    assert result.exit_code == 1
    assert result.stderr.startswith("docrag: error: ")
    assert len(rows(docrag, "user", "list")) == 1


def test_user_is_changed(docrag: Docrag) -> None:
    assert rows(docrag, "user", "list")[0]["email"] == "i@x.example"
    for arguments in (
        ["set-email", "ışık", "yeni@x.example"],
        ["set-roles", "ışık", "ik"],
        ["link", "ışık", "open-webui", "kimlik-1"],
        ["deactivate", "ışık"],
        ["activate", "ışık"],
    ):
        assert docrag("user", *arguments).exit_code == 0
    changed = docrag("user", "set-password", "ışık", "--password-stdin", input="yepyeni parola\n")
    assert changed.exit_code == 0
    (user,) = rows(docrag, "user", "list")
    assert (user["email"], user["roles"], user["active"]) == ("yeni@x.example", ["ik"], True)
    docrag("user", "set-email", "ışık")
    assert rows(docrag, "user", "list")[0]["email"] is None


def test_group_is_mapped_and_unmapped(docrag: Docrag) -> None:
    assert docrag("group", "set", "open-webui", "g-1", "isg", "ik").exit_code == 0
    shown = [{"issuer": "open-webui", "group": "g-1", "roles": ["ik", "isg"]}]
    assert rows(docrag, "group", "list") == shown
    assert docrag("group", "set", "open-webui", "g-2", "admin").exit_code == 1
    assert docrag("group", "delete", "open-webui", "g-1").exit_code == 0
    assert docrag("group", "delete", "open-webui", "g-1").exit_code == 1
    assert rows(docrag, "group", "list") == []


def test_last_administrator_cannot_be_deactivated(docrag: Docrag) -> None:
    docrag("user", "create", "yönetici", "--role", "admin", "--generate")
    for arguments in (["deactivate", "yönetici"], ["set-roles", "yönetici", "isg"]):
        result = docrag("user", *arguments)
        assert result.exit_code == 1
        assert result.stderr == (
            "docrag: error: 'yönetici' is the last active administrator; "
            "make another user one first\n"
        )


def test_citations_of_a_key_are_set_and_changed(docrag: Docrag) -> None:
    made = docrag("key", "create", "ışık", "--name", "betik", "--citations", "footer")
    assert made.exit_code == 0, made.output
    (key,) = rows(docrag, "key", "list")
    assert key["citations"] == "footer"
    assert docrag("key", "set", str(key["id"]), "--citations", "events").exit_code == 0
    assert rows(docrag, "key", "list")[0]["citations"] == "events"
    assert docrag("key", "set", "99999", "--citations", "auto").exit_code == 1


@pytest.mark.parametrize("more", [[], ["--citations", "links"]])
def test_wrong_citations_are_wrong_usage(docrag: Docrag, more: list[str]) -> None:
    assert docrag("key", "set", "1", *more).exit_code == 2
