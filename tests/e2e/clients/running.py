"""The clients as programs of their own: what each can do, and how it is started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.e2e.clients.plan import CHAT, OPENAI, RESPONSES, Case, only

#: What a client told of each case, by the case's name.
Told: TypeAlias = dict[str, dict[str, Any]]

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
SCRIPTS: Final = HERE / "scripts"
MODULES: Final = HERE / "node_modules"
#: Interpreter of the environment that `make test-clients` makes.
PYTHON: Final = Path(os.environ.get("CLIENTS_PYTHON", ROOT / ".venv/clients/bin/python"))
#: Seconds that all cases of one client may take.
PATIENCE: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Client(ABC):
    """A client and what it can be asked to do."""

    name: str
    cases: tuple[Case, ...]

    @property
    @abstractmethod
    def missing(self) -> str:
        """Why it cannot run here; empty if it can."""

    @abstractmethod
    def run(self, url: str, key: str) -> Told:
        """Do every case.

        :param url: address of the API, ending in ``/v1``.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Script(Client):
    """A library, driven by a script that reads the cases and writes what happened."""

    script: str
    arguments: tuple[str, ...] = ()

    @property
    def missing(self) -> str:
        """Why it cannot run here; empty if it can."""
        return node_missing() if self.script.endswith(".mjs") else python_missing()

    @property
    def command(self) -> list[str]:
        """The program and its arguments."""
        if self.script.endswith(".mjs"):
            return [shutil.which("node") or "node", str(SCRIPTS / self.script), *self.arguments]
        module = f"tests.e2e.clients.scripts.{self.script}"
        return [str(PYTHON), "-m", module, *self.arguments]

    def run(self, url: str, key: str) -> Told:
        """Do every case in one process."""
        plan = json.dumps({"url": url, "key": key, "cases": self.cases})
        done = subprocess.run(
            self.command, input=plan, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        told: Told = json.loads(done.stdout)
        return told


class LlmCommand(Client):
    """The command ``llm``, one process a case."""

    __slots__ = ()

    @property
    def missing(self) -> str:
        """Why it cannot run here; empty if it can."""
        return python_missing()

    def run(self, url: str, key: str) -> Told:
        """Do every case."""
        with ThreadPoolExecutor(3) as threads:
            told = list(threads.map(lambda case: self._one(url, key, case), self.cases))
        return dict(zip((case["case"] for case in self.cases), told, strict=True))

    def _one(self, url: str, key: str, case: Case) -> dict[str, Any]:
        options = ["--model", "here", "--usage", "--no-log"]
        options += [] if case["how"] == "stream" else ["--no-stream"]
        options += ["--schema", "metres int, reason"] if case["how"] == "parse" else []
        # A folder for each, since its database is made at the start and locked meanwhile.
        with tempfile.TemporaryDirectory() as folder:
            _configure(Path(folder), url, case.get("key", key), case["model"])
            done = subprocess.run(
                [str(PYTHON.with_name("llm")), "prompt", case["content"], *options],
                env={**os.environ, "LLM_USER_PATH": folder},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        failed = {"message": done.stderr} if done.returncode else None
        return {"text": done.stdout.strip(), "error": failed, "usage": done.stderr}


def _configure(folder: Path, url: str, key: str, model: str) -> None:
    """Write ``extra-openai-models.yaml``, in YAML's JSON form, and the key."""
    entry = {"model_id": "here", "model_name": model, "api_base": url, "api_key_name": "docrag"}
    listed = [{**entry, "supports_schema": True, "supports_tools": True}]
    (folder / "extra-openai-models.yaml").write_text(json.dumps(listed), "utf-8")
    (folder / "keys.json").write_text(json.dumps({"docrag": key}), "utf-8")


def python_missing() -> str:
    """Why the Python clients cannot run here; empty if they can."""
    return "" if PYTHON.is_file() else "CLIENTS ABSENT: run make test-clients, which installs them"


def node_missing() -> str:
    """Why the Node clients cannot run here; empty if they can."""
    if shutil.which("node") is None:
        return "NODE ABSENT: the JavaScript clients are not tried on this machine"
    return "" if MODULES.is_dir() else "CLIENTS ABSENT: run make test-clients, which installs them"


#: What libraries other than OpenAI's can do.
_COMMON: Final = tuple(only(CHAT, "create", "stream", "parse"))
#: A process each, so no more than what differs from OpenAI's library below it.
_COMMAND: Final = tuple(
    case
    for case in _COMMON
    if case["case"].partition("_")[0] in ("whole", "stream", "cut", "slow", "structured", "wrong")
)
#: Clients that speak the newer API, as n8n and Jan do unless told otherwise.
_NEWER: Final = (
    Script(
        name="langchain-responses",
        cases=RESPONSES,
        script="langchain_node.mjs",
        arguments=("responses",),
    ),
    Script(
        name="ai-responses", cases=RESPONSES, script="ai_sdk.mjs", arguments=("openai-responses",)
    ),
)

CLIENTS: Final = {
    client.name: client
    for client in (
        Script(name="openai-python", cases=OPENAI, script="openai_python"),
        Script(name="langchain-python", cases=_COMMON, script="langchain_python"),
        LlmCommand(name="llm", cases=_COMMAND),
        Script(name="openai-node", cases=OPENAI, script="openai_node.mjs"),
        Script(name="langchain-node", cases=_COMMON, script="langchain_node.mjs"),
        Script(name="ai-openai", cases=_COMMON, script="ai_sdk.mjs", arguments=("openai",)),
        Script(
            name="ai-compatible",
            cases=_COMMON,
            script="ai_sdk.mjs",
            arguments=("openai-compatible",),
        ),
        Script(name="continue", cases=tuple(only(CHAT, "stream")), script="continue_fetch.mjs"),
        *_NEWER,
    )
}
