from __future__ import annotations

import pytest

from docrag.api import LLMUnavailable
from eval.llamacpp import server


def test_small_model_is_served_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LLM", raising=False)
    with server.wished() as small:
        assert small is None


def test_missing_environment_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM", "llamacpp")
    monkeypatch.setenv("LLAMACPP_PYTHON", "/yok/python")
    with pytest.raises(LLMUnavailable, match="make eval-answers LLM=llamacpp"), server.wished():
        pass


def test_unknown_model_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM", "llama.cpp")
    with pytest.raises(LLMUnavailable, match="named by DOCRAG_LLM"), server.wished():
        pass
