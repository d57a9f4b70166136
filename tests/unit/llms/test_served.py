"""Options that every model on a server takes, and what is refused before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from docrag.api import SettingsError
from docrag.llms.anthropic import AnthropicLLM
from docrag.llms.ollama import OllamaLLM
from docrag.llms.openai import OpenAILLM
from docrag.llms.served import ServedLLM

KINDS = (AnthropicLLM, OllamaLLM, OpenAILLM)


def built(kind: type[ServedLLM], **options: Any) -> ServedLLM:  # noqa: ANN401 - wrong ones too
    made: Any = kind
    llm: ServedLLM = made(**({"model": "m", "url": "http://127.0.0.1:9/v1"} | options))
    return llm


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "url", ["", "localhost:11434", "file:///etc/passwd", "http://", "http://u:p@", "http://a b", 5]
)
def test_address_that_is_not_http_is_refused(kind: type[ServedLLM], url: object) -> None:
    with pytest.raises(SettingsError, match="^url of (Ollama|the model's server) must start with"):
        built(kind, url=url)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", ["gizli\r\nX: y", "şifre", 5])
def test_key_that_cannot_be_sent_is_refused(kind: type[ServedLLM], key: object) -> None:
    with pytest.raises(SettingsError, match="^api_key of ") as caught:
        built(kind, api_key=key)
    assert str(key) not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "value"), [("timeout", 0), ("connect_timeout", "5"), ("context_window", 1.5)]
)
def test_wrong_number_is_named(kind: type[ServedLLM], name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=f"^{name} must be a .*, not {value!r}$"):
        built(kind, **{name: value})


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_shown_holds_the_key(kind: type[ServedLLM]) -> None:
    llm = built(kind, api_key="cok-gizli")
    assert "gizli" not in f"{llm!r} {vars(llm)!r}"
