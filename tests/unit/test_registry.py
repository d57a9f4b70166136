"""Every row of the registry's table, with plugins that are really discovered on the path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docrag.api import DuplicatePlugin, PluginError, PluginNotFound, SettingsError
from docrag.registry import Registry

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a one-module distribution with entry points on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(distribution: str, module: str, source: str, entries: str) -> None:
        (tmp_path / f"{module}.py").write_text(source)
        info = tmp_path / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(entries)

    return put


GOOD = "class Csv:\n    def __init__(self, *, comma: str = ','):\n        self.comma = comma\n"


def test_builtins_are_listed_by_kind() -> None:
    assert {"docx", "html", "md", "pdf", "pptx", "txt", "xlsx"} <= set(Registry().names("loaders"))
    assert {"dense", "lexical"} <= set(Registry().names("retrievers"))


def test_unknown_name_lists_the_installed_ones() -> None:
    with pytest.raises(PluginNotFound, match=r"'dwg'.*loaders.*md, .*pdf, .*txt") as caught:
        Registry().load("loaders", "dwg")
    assert {"md", "pdf", "txt"} <= set(caught.value.installed)


def test_installed_plugin_is_built_with_options(install: Install) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    assert Registry().build("loaders", "csv", {"comma": ";"}).comma == ";"


def test_duplicate_name_is_refused_naming_both(install: Install) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    install("csv-two", "csv_two", GOOD, "[docrag.loaders]\ncsv = csv_two:Csv\n")
    with pytest.raises(DuplicatePlugin, match="csv-one and csv-two"):
        Registry().load("loaders", "csv")


def test_duplicate_name_is_settled_by_choice(install: Install) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    install("csv-two", "csv_two", GOOD, "[docrag.loaders]\ncsv = csv_two:Csv\n")
    chosen = Registry(choice=["loaders.csv=csv_two"]).load("loaders", "csv")
    assert chosen.__module__ == "csv_two"


def test_duplicate_of_a_builtin_is_no_silent_winner(install: Install) -> None:
    install("my-pdf", "my_pdf", GOOD, "[docrag.loaders]\npdf = my_pdf:Csv\n")
    with pytest.raises(DuplicatePlugin, match="docrag and my-pdf"):
        Registry().load("loaders", "pdf")


def test_choice_of_an_absent_distribution_is_refused(install: Install) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    with pytest.raises(SettingsError, match="csv-nine.*csv-one"):
        Registry(choice=["loaders.csv=csv-nine"]).load("loaders", "csv")


def test_broken_import_fails_alone_with_its_cause(install: Install) -> None:
    install("broken", "broken", "raise RuntimeError('boom')", "[docrag.loaders]\nbad = broken:X\n")
    registry = Registry()
    with pytest.raises(PluginError, match="'bad'.*broken.*boom") as caught:
        registry.load("loaders", "bad")
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert registry.load("loaders", "txt") is not None


def test_missing_attribute_is_a_plugin_error(install: Install) -> None:
    install("empty", "empty_mod", "", "[docrag.loaders]\nbad = empty_mod:Nothing\n")
    with pytest.raises(PluginError, match="Nothing"):
        Registry().load("loaders", "bad")


def test_wrong_option_is_found_before_the_call(install: Install) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    with pytest.raises(SettingsError, match="loader 'csv'.*'sep'.*comma"):
        Registry().build("loaders", "csv", {"sep": ";"})


def test_refused_option_value_is_a_settings_error(install: Install) -> None:
    source = "def make(*, n: int):\n    raise ValueError(f'n is {n}, must be 1')\n"
    install("picky", "picky", source, "[docrag.loaders]\npicky = picky:make\n")
    with pytest.raises(SettingsError, match="n is 3"):
        Registry().build("loaders", "picky", {"n": 3})


@pytest.mark.parametrize(
    ("allowed", "found"), [(None, True), ((), False), (("CSV_One",), True), (("other",), False)]
)
def test_allow_list_decides_what_is_seen(
    install: Install, allowed: tuple[str, ...] | None, found: bool
) -> None:
    install("csv-one", "csv_one", GOOD, "[docrag.loaders]\ncsv = csv_one:Csv\n")
    names = Registry(allowed=allowed).names("loaders")
    assert ("csv" in names) is found
    assert "pdf" in names


def test_module_is_not_imported_before_first_use(install: Install) -> None:
    install("broken", "broken", "raise RuntimeError", "[docrag.loaders]\nbad = broken:X\n")
    assert "bad" in [plugin.name for plugin in Registry().plugins("loaders")]


@pytest.mark.parametrize("text", ["loaders.csv", "csv=one", "loader.csv=one", "loaders.=x", "="])
def test_choice_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_PLUGIN_CHOICE"):
        Registry(choice=[text])
