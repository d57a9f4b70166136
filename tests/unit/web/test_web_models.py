"""Models on offer, told from memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.settings import Settings

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A name of its own, and an alias."""
    aliases: dict[str, Any] = {"buyuk": {"llm": "ollama"}}
    return Settings(instance=tmp_path, model_name="kurum", llm_aliases=aliases)


def test_aliases_are_listed_after_the_plain_model(
    client: FlaskClient, reader: dict[str, str]
) -> None:
    body: Any = client.get("/v1/models", headers=reader).json
    assert [model["id"] for model in body["data"]] == ["kurum", "kurum-plain", "kurum-buyuk"]
    assert {model["object"] for model in body["data"]} == {"model"}
    assert {model["owned_by"] for model in body["data"]} == {"docrag"}


def test_listing_models_asks_no_model(
    client: FlaskClient, reader: dict[str, str], assistant: StandIn
) -> None:
    client.get("/v1/models", headers=reader)
    assert (assistant.asked, assistant.plainly) == ([], [])


@pytest.mark.parametrize(
    ("model", "alias"), [("kurum", ""), ("kurum-buyuk", "buyuk"), ("kurum-plain", "")]
)
def test_alias_is_handed_on(
    ask: Callable[..., TestResponse], assistant: StandIn, model: str, alias: str
) -> None:
    body: Any = ask(model=model).json
    assert body["model"] == model
    assert assistant.given[-1]["model"] == alias


@pytest.mark.parametrize("model", ["docrag", "kurum-", "buyuk", "kurum-kucuk", "KURUM"])
def test_other_model_is_not_found(ask: Callable[..., TestResponse], model: str) -> None:
    response = ask(model=model)
    assert response.status_code == 404
    assert response.json is not None
    assert response.json["error"]["code"] == "model_not_found"
