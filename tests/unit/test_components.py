"""Models as the settings name them."""

from __future__ import annotations

import pytest

from docrag.api import PluginNotFound, SettingsError
from docrag.modelparts import models_of
from docrag.registry import Registry
from docrag.settings import Settings

OLLAMA = {"llm": "ollama", "options": {"model": "qwen", "context_window": 2048}}


def test_models_have_their_names_and_options() -> None:
    settings = Settings(
        llm="ollama",
        llm_options={"model": "a"},
        llm_aliases={"H2": OLLAMA, "v1.5": {"llm": "ollama", "options": {"model": "x"}}},
        fallback_llm="ollama",
        fallback_llm_options={"model": "b"},
    )
    models = models_of(settings, Registry())
    assert models.default and models.default.model_id == "a"
    assert models.fallback and models.fallback.model_id == "b"
    assert models.chosen("H2").model_id == "qwen"  # type: ignore[union-attr] # it is there
    assert models.chosen("v1.5").model_id == "x"  # type: ignore[union-attr] # it is there


def test_nothing_is_built_that_nobody_names() -> None:
    models = models_of(Settings(), Registry())
    assert (models.default, models.fallback, dict(models.aliases)) == (None, None, {})


@pytest.mark.parametrize(
    ("alias", "told", "said"),
    [
        ("h", "ollama", "write"),
        ("h", {}, "llm must name"),
        ("h", {"llm": "none"}, "llm must name"),
        ("h", {"llm": 5}, "llm must name"),
        ("h", {"llm": "ollama", "option": {}}, "write"),
        ("h", {"llm": "ollama", "options": []}, "options must be"),
        ("h", {"llm": "yok"}, "no plugin 'yok'"),
        ("h", {"llm": "ollama", "options": {"modell": "x"}}, "modell"),
        ("h", {"llm": "ollama", "options": {"url": "ftp://x"}}, "url of Ollama"),
        ("", OLLAMA, "letters"),
        ("a b", OLLAMA, "letters"),
        ("a/b", OLLAMA, "letters"),
        ("plain", OLLAMA, "without documents"),
        ("h-plain", OLLAMA, "without documents"),
    ],
)
def test_wrong_alias_is_named(alias: str, told: object, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        models_of(Settings(llm_aliases={alias: told}), Registry())
    assert str(caught.value).startswith(f"DOCRAG_LLM_ALIASES, alias {alias!r}: ")


def test_wrong_fallback_is_named() -> None:
    with pytest.raises(SettingsError, match="DOCRAG_FALLBACK_LLM: no plugin 'yok'"):
        models_of(Settings(fallback_llm="yok"), Registry())


def test_wrong_default_model_is_what_it_was() -> None:
    with pytest.raises(PluginNotFound):
        models_of(Settings(llm="yok"), Registry())
