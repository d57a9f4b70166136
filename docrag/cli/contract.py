"""The contract tests of a plugin kind, run over one installed plugin."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from docrag import samples
from docrag.api import LLM, PluginError, SettingsError
from docrag.registry import Registry
from docrag.settings import Settings

#: Test module of a kind. ``build`` is a function of the options that docrag itself hands over.
_MODULES: Final = {
    "loaders": """
class TestLoader(loaders.LoaderContract):
    @pytest.fixture
    def loader(self):
        return build()

    @pytest.fixture
    def sample(self):
        return pathlib.Path(SAMPLE).read_bytes()
""",
    "chunkers": """
TAKEN = inspect.signature(REGISTRY.load("chunkers", NAME)).parameters

class TestChunker(chunkers.ChunkerContract):
    max_length = MAX_LENGTH or (TAKEN["size"].default if "size" in TAKEN else 1000)

    @pytest.fixture
    def chunker(self):
        return build(**({"embedder": vectors.CountingEmbedder()} if "embedder" in TAKEN else {}))
""",
    "embedders": """
class TestEmbedder(embedders.EmbedderContract):
    built = None

    def embedder(self):
        type(self).built = self.built or build()
        return self.built
""",
    "retrievers": """
class TestRetriever(retrievers.RetrieverContract):
    def retriever(self, store, embedder):
        return build(store=store, embedder=embedder)
""",
    "rerankers": """
class TestReranker(rerankers.RerankerContract):
    def reranker(self):
        return build()
""",
    "judges": """
TAKEN = inspect.signature(REGISTRY.load("judges", NAME)).parameters

class TestJudge(judges.JudgeContract):
    def judge(self):
        return build(**({"llm": judges.WordLLM()} if "llm" in TAKEN else {}))
""",
}
#: What every generated module begins with.
_HEAD: Final = """
import inspect
import pathlib
import pytest
from docrag.registry import Registry
from docrag.testing import vectors, {kind}

NAME, SAMPLE, MAX_LENGTH = {name!r}, {sample!r}, {max_length!r}
REGISTRY = Registry(allowed={allowed!r}, choice={choice!r})

def build(**given):
    return REGISTRY.build({kind!r}, NAME, {options!r}, **given)
"""


def run_contract(
    settings: Settings, kind: str, name: str, options: Mapping[str, Any], sample: Path | None
) -> int:
    """Run the contract of a kind over a plugin, as its own pytest process.

    :param options: what the plugin is built with, besides what its contract hands over.
    :param sample: a good file for a loader; one of docrag's own samples if ``None``.
    :returns: exit code of pytest, 0 when the contract holds.
    :raises PluginError: pytest is missing, or a loader has no sample.
    """
    if kind == "llms":
        return _check_llm(settings, name, options)
    if find_spec("pytest") is None:
        raise PluginError(
            "the contract tests need pytest; run `python -m pip install pytest` with this Python"
        )
    with tempfile.TemporaryDirectory(prefix="docrag-contract-") as folder:
        file = Path(folder) / "test_contract.py"
        if kind == "loaders":
            sample = sample.absolute() if sample else _own_sample(Path(folder), name)
        file.write_text(_module(settings, kind, name, options, sample), "utf-8")
        quiet = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-c", "/dev/null")
        command = (sys.executable, "-m", "pytest", *quiet, "--rootdir", folder, str(file))
        return subprocess.run(command, cwd=folder, check=False).returncode  # noqa: S603 - ours


def options_of(settings: Settings, kind: str, name: str) -> Mapping[str, Any]:
    """The configured options of a plugin; none if another one of its kind is in use."""
    single = kind.removesuffix("s")
    if kind == "loaders" or getattr(settings, single) != name:
        return {}
    return settings.options(single)


def _module(
    settings: Settings, kind: str, name: str, options: Mapping[str, Any], sample: Path | None
) -> str:
    head = _HEAD.format(
        kind=kind,
        name=name,
        options=dict(options),
        sample=str(sample),
        max_length=options.get("size", 0),
        allowed=settings.plugins,
        choice=settings.plugin_choice,
    )
    return head + _MODULES[kind]


def _own_sample(folder: Path, suffix: str) -> Path:
    for sample in samples.manifest():
        if sample.filename.endswith(f".{suffix}"):
            file = folder / sample.filename
            file.write_bytes(samples.read(sample.filename))
            return file
    raise PluginError(f"docrag has no sample of {suffix!r}; name a good file with --sample")


def _check_llm(settings: Settings, name: str, options: Mapping[str, Any]) -> int:
    registry = Registry(allowed=settings.plugins, choice=settings.plugin_choice)
    llm = registry.build("llms", name, options)
    if not isinstance(llm, LLM):
        raise SettingsError(f"llm {name!r} lacks a method or an attribute of docrag.api.LLM")
    return 0
