from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import compose_spec
import pytest
import yaml

from tests.conventions.tree import ROOT

COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text("utf-8"))
    return loaded


@pytest.fixture(scope="module")
def resolved(compose: dict[str, Any]) -> str:
    """The file as Compose reads it, as JSON: merge keys and variables resolved."""
    return re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", r"\1", json.dumps(compose))


def test_compose_follows_the_specification(resolved: str) -> None:
    compose_spec.PyCompose.from_json(resolved).to_spec()


def test_wrong_compose_is_noticed(resolved: str) -> None:
    wrong = resolved.replace("service_healthy", "service_happy")
    with pytest.raises(ValueError, match="service_happy"):
        compose_spec.PyCompose.from_json(wrong)


def test_compose_has_its_services(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"db", "migrate", "web", "worker", "ollama"}
    assert compose["services"]["ollama"]["profiles"] == ["ollama"]


def test_only_web_publishes_a_port(compose: dict[str, Any]) -> None:
    published = [name for name, service in compose["services"].items() if "ports" in service]
    assert published == ["web"]


def test_secrets_have_no_default() -> None:
    uses = re.findall(r"\$\{(\w*(?:SECRET|PASSWORD)\w*)(:\?)?", COMPOSE.read_text("utf-8"))
    assert {name for name, _ in uses} == {"SECRET_KEY", "POSTGRES_PASSWORD"}
    assert all(required for _, required in uses)


@pytest.mark.parametrize("name", ["web", "worker"])
def test_service_waits_for_the_migration(compose: dict[str, Any], name: str) -> None:
    needs = compose["services"][name]["depends_on"]
    assert needs["migrate"]["condition"] == "service_completed_successfully"
    assert needs["db"]["condition"] == "service_healthy"


def test_database_has_the_embedded_locale(compose: dict[str, Any]) -> None:
    arguments = compose["services"]["db"]["environment"]["POSTGRES_INITDB_ARGS"]
    assert "--locale-provider=builtin --builtin-locale=C.UTF-8" in arguments


def test_compose_passes_yamllint() -> None:
    rules = "{extends: default, rules: {line-length: {max: 120}, document-start: disable}}"
    command = (sys.executable, "-m", "yamllint", "--strict", "-d", rules, str(COMPOSE))
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout == ""
    assert result.returncode == 0


def test_dockerfile_passes_hadolint() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        pytest.skip("hadolint has no build for this machine")
    command = (hadolint, "--no-color", str(ROOT / "Dockerfile"))
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout == ""
    assert result.returncode == 0


def test_image_runs_without_root() -> None:
    users = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert users[-1:] == ["10001"]


def test_image_checks_its_health_without_curl() -> None:
    check = DOCKERFILE.partition("HEALTHCHECK")[2].split("ENTRYPOINT")[0]
    assert "/healthz" in check
    assert "curl" not in DOCKERFILE


def test_image_is_built_from_named_files_only() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    taken = {line[1:] for line in ignored if line.startswith("!")}
    copied = re.findall(r"^COPY ((?!--)[^\n]+) \S+$", DOCKERFILE, re.MULTILINE)
    assert "*" in ignored
    assert {name for names in copied for name in names.split()} == taken
