from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from docrag.api import Loader, LoaderError
from docrag.registry import Registry
from docrag.testing.loaders import LoaderContract
from tests.conventions.tree import ROOT

FOLDER = ROOT / "plugins/docrag-example-csv"
SAMPLE = "Görev,Sıklık\nYangın tüpü kontrolü,altı ayda bir\nIzgara temizliği,haftalık\n".encode()


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    """The plugin's module, as if it were installed."""
    spec = spec_from_file_location("docrag_example_csv", FOLDER / "docrag_example_csv.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


class TestCsvLoader(LoaderContract):
    @pytest.fixture
    def loader(self, example: ModuleType) -> Loader:
        made: Loader = example.CsvLoader()
        return made

    @pytest.fixture
    def sample(self) -> bytes:
        return SAMPLE


def test_csv_rows_become_sections(example: ModuleType) -> None:
    pages = list(example.CsvLoader().load(SAMPLE, filename="bakim.csv"))
    assert [page.section for page in pages] == ["satır 1", "satır 2"]
    assert pages[1].text == "Görev: Izgara temizliği; Sıklık: haftalık"


def test_csv_without_rows_is_refused(example: ModuleType) -> None:
    with pytest.raises(LoaderError, match=r"bos\.csv"):
        list(example.CsvLoader().load(b"a,b\n", filename="bos.csv"))


def test_registry_finds_the_plugin(example: ModuleType, tmp_path: Path) -> None:
    """What pip would install: metadata and the entry points of the plugin's setup.cfg."""
    info = tmp_path / "docrag_example_csv-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: docrag-example-csv\nVersion: 0.1.0\n"
    )
    points = (FOLDER / "setup.cfg").read_text("utf-8").partition("[options.entry_points]")[2]
    name, target = points.partition("docrag.loaders =")[2].split("=")
    text = f"[docrag.loaders]\n{name.strip()} = {target.strip()}\n"
    (info / "entry_points.txt").write_text(text)
    registry = Registry(found=PathDistribution(info).entry_points)
    assert registry.load("loaders", "csv") is example.CsvLoader


def test_readme_shows_the_plugin() -> None:
    """Each line of the README's loader stands in the plugin, the signature's types aside."""
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = readme.partition("class CsvLoader:")[2].partition("```")[0].splitlines()
    source = (FOLDER / "docrag_example_csv.py").read_text("utf-8")
    body = [line.strip() for line in shown if line.strip() and "def load" not in line]
    assert len(body) >= 6
    assert [line for line in body if line not in source] == []
