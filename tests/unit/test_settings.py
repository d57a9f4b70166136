"""Settings: sources, types, bounds, and secrets that stay hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrag.api import SettingsError
from docrag.settings import Settings, documented


def load(tmp_path: Path, config: str = "", **env: str) -> Settings:
    """Settings of a fresh instance folder with this ``config.py`` and environment."""
    if config:
        (tmp_path / "config.py").write_text(config, encoding="utf-8")
    return Settings.load({"DOCRAG_INSTANCE": str(tmp_path), **env})


def test_defaults_hold_without_any_source(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert (settings.llm, settings.chunk_size, settings.plugins) == ("none", 1000, None)


def test_environment_wins_over_the_file(tmp_path: Path) -> None:
    settings = load(tmp_path, "DOCRAG_TOP_K = 7\nDOCRAG_LANGUAGE = 'en'\n", DOCRAG_TOP_K="3")
    assert (settings.top_k, settings.language) == (3, "en")


def test_folder_may_be_a_text(tmp_path: Path) -> None:
    assert Settings.load({}, instance=str(tmp_path)).instance == tmp_path


def test_override_wins_over_the_environment(tmp_path: Path) -> None:
    env = {"DOCRAG_INSTANCE": str(tmp_path), "DOCRAG_TOP_K": "3"}
    assert Settings.load(env, top_k=4).top_k == 4


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("DOCRAG_LLM_OPTIONS", '{"model": "qwen"}', {"model": "qwen"}),
        ("DOCRAG_SAMPLES", "no", False),
        ("DOCRAG_PLUGINS", "", ()),
        ("DOCRAG_PLUGINS", "a, b", ("a", "b")),
        ("DOCRAG_EVIDENCE", "0.25", 0.25),
        ("PORT", "8080", 8080),
    ],
)
def test_text_is_parsed_by_declared_type(
    tmp_path: Path, name: str, text: str, value: object
) -> None:
    field = {"PORT": "port"}.get(name, name.removeprefix("DOCRAG_").lower())
    assert getattr(load(tmp_path, **{name: text}), field) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DOCRAG_TOP_K", "five"),
        ("DOCRAG_TOP_K", "0"),
        ("DOCRAG_EVIDENCE", "1.5"),
        ("DOCRAG_EVIDENCE", "nan"),
        ("DOCRAG_SAMPLES", "perhaps"),
        ("DOCRAG_LLM_OPTIONS", "[1]"),
        ("DOCRAG_LANGUAGE", "de"),
        ("DOCRAG_LOG_LEVEL", "LOUD"),
        ("PORT", "70000"),
    ],
)
def test_wrong_value_names_the_setting(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load(tmp_path, **{name: text})


@pytest.mark.parametrize(("size", "overlap"), [("200", "200"), ("200", "199"), ("200", "-1")])
def test_overlap_near_the_size_is_refused(tmp_path: Path, size: str, overlap: str) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_CHUNK_OVERLAP"):
        load(tmp_path, DOCRAG_CHUNK_SIZE=size, DOCRAG_CHUNK_OVERLAP=overlap)


def test_unknown_variable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_TOPK"):
        load(tmp_path, DOCRAG_TOPK="3")


def test_unknown_name_in_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"DOCRAG_TOPK in config\.py"):
        load(tmp_path, "DOCRAG_TOPK = 3\n")


def test_broken_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"config\.py.*ZeroDivisionError"):
        load(tmp_path, "x = 1 / 0\n")


def test_wrong_type_in_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DOCRAG_TOP_K is True"):
        load(tmp_path, "DOCRAG_TOP_K = True\n")


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        SECRET_KEY="ğizli-1",
        DATABASE_URL="postgresql://u:gizli-2@h/d",
        DOCRAG_LLM_OPTIONS='{"api_key": "gizli-3"}',
        DOCRAG_RERANKER_OPTIONS='{"api_key": "gizli-4"}',
    )
    assert "izli-" not in repr(settings)


def test_wrong_options_do_not_show_their_text(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, DOCRAG_LLM_OPTIONS='{"api_key": "gizli"')
    assert "gizli" not in str(caught.value)


def test_every_setting_says_what_it_does() -> None:
    assert all(effect.endswith(".") for _, _, effect in documented())
    assert len({name for name, _, _ in documented()}) == len(documented())


@pytest.mark.parametrize("code", ["raise SystemExit(7)", "import sys; sys.exit()"])
def test_config_that_exits_is_an_error(tmp_path: Path, code: str) -> None:
    with pytest.raises(SettingsError, match="config.py in the instance folder failed: SystemExit"):
        load(tmp_path, code)


@pytest.mark.parametrize("name", ["dosya", "/dev/null", "dosya/null"])
def test_instance_that_is_no_folder_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "dosya").touch()
    with pytest.raises(SettingsError, match="DOCRAG_INSTANCE is '(dosya|null)', which is no fol"):
        Settings.load({"DOCRAG_INSTANCE": str(tmp_path / name)})


def test_closed_instance_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(SettingsError, match="cannot be used: Permission denied") as caught:
        load(tmp_path)
    assert str(tmp_path) not in str(caught.value)


def test_removed_setting_names_its_successor(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"DOCRAG_EVIDENCE_COVERAGE was removed.*DOCRAG_EVIDENCE"
    ):
        load(tmp_path, DOCRAG_EVIDENCE_COVERAGE="0.6")
