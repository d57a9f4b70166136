from __future__ import annotations

from typing import Any

import pytest

from docrag.api import PluginNotFound, SettingsError
from docrag.judges.http import HttpJudge
from docrag.judges.llm import LlmJudge
from docrag.modelparts import judge_of
from docrag.registry import Registry
from docrag.settings import Settings
from docrag.testing.judges import WordLLM


def test_nobody_is_asked_by_default() -> None:
    assert judge_of(Settings(), Registry(), WordLLM()) is None


def test_judge_is_built_with_its_options() -> None:
    settings = Settings(judge="http", judge_options={"url": "http://127.0.0.1:9"})
    assert isinstance(judge_of(settings, Registry(), None), HttpJudge)


@pytest.mark.parametrize(
    ("options", "prompt"), [({}, "judge.en.v1"), ({"language": "tr"}, "judge.tr.v1")]
)
def test_judge_is_handed_model_and_language(options: dict[str, Any], prompt: str) -> None:
    settings = Settings(judge="llm", judge_options=options, language="en")
    judge = judge_of(settings, Registry(), WordLLM("YES" if not options else "EVET"))
    assert isinstance(judge, LlmJudge)
    assert judge.prompt_id == prompt
    assert judge.judge([("Işık yeterli.", "Işık yeterli.")]) == [1.0]


def test_judge_that_asks_a_model_needs_one() -> None:
    with pytest.raises(SettingsError, match="DOCRAG_JUDGE is 'llm'.*DOCRAG_LLM is 'none'"):
        judge_of(Settings(judge="llm"), Registry(), None)


def test_wrong_option_of_a_judge_is_named() -> None:
    with pytest.raises(SettingsError, match="options of judge 'http'.*url"):
        judge_of(Settings(judge="http"), Registry(), None)


def test_unknown_judge_names_the_installed_ones() -> None:
    with pytest.raises(PluginNotFound, match="'yok' in docrag.judges; installed: http, llm"):
        judge_of(Settings(judge="yok"), Registry(), None)
