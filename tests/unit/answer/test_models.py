"""Models by alias."""

from __future__ import annotations

import pytest

from docrag.answer.models import Models
from docrag.api import UnknownName
from tests.unit.answer.fakes import ScriptedLLM


def test_alias_chooses_its_model() -> None:
    default, fast = ScriptedLLM(), ScriptedLLM()
    models = Models(default=default, aliases={"hızlı": fast})
    assert models.chosen("") is default
    assert models.chosen("hızlı") is fast


def test_unknown_alias_names_the_known_ones() -> None:
    models = Models(aliases={"b": ScriptedLLM(), "a": ScriptedLLM()})
    with pytest.raises(UnknownName, match="no model 'c'; known: a, b"):
        models.chosen("c")
