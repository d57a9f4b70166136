from __future__ import annotations

import pytest

from docrag.llms.listing import told_of
from docrag.llms.window import Told


def listed(**keys: object) -> dict[str, object]:
    return {"object": "list", "data": [{"id": "m", **keys}, {"id": "öteki", "max_model_len": 1}]}


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"max_model_len": 4096}, Told(most=4096, chosen=4096)),
        ({"meta": {"n_ctx": 2048, "n_ctx_train": 32_768}}, Told(most=2048, chosen=2048)),
        ({"meta": {"n_ctx_train": 32_768}}, Told(most=32_768)),
        ({"loaded_context_length": 4096, "max_context_length": 9}, Told(most=4096, chosen=4096)),
        ({"max_input_tokens": 200_000}, Told(most=200_000, chosen=200_000)),
        ({"max_model_len": "4096", "meta": None}, Told()),
        ({}, Told()),
    ],
)
def test_list_tells_window(keys: dict[str, object], told: Told) -> None:
    assert told_of(listed(**keys), "m") == told


def test_single_model_may_have_another_name() -> None:
    models = {"data": [{"id": "/models/büyük.gguf", "meta": {"n_ctx": 512}}]}
    assert told_of(models, "m") == Told(most=512, chosen=512)


@pytest.mark.parametrize("body", [{}, {"data": None}, {"data": ["m"]}, listed()])
def test_list_without_the_model_tells_nothing(body: dict[str, object]) -> None:
    assert told_of(body, "yok") == Told()
