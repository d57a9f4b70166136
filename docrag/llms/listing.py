"""A server's list of models, and what it tells there of their windows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from docrag.llms.window import Told, count

#: Keys for the window that the server was started with, or that its model has: vLLM, LM Studio,
#: Groq, OpenRouter and others, Anthropic.
_WINDOWS: Final = (
    "max_model_len", "loaded_context_length", "context_window", "context_length",
    "max_input_tokens",
)  # fmt: skip


def told_of(listed: Mapping[str, Any], model_id: str) -> Told:
    """What a list tells of a model's window.

    :param listed: answer of ``GET /models``.
    :param model_id: a server of a single model may call it by another name.
    """
    data = listed.get("data")
    models = [model for model in data if isinstance(model, dict)] if isinstance(data, list) else []
    named = [model for model in models if model.get("id") == model_id]
    found = named or (models if len(models) == 1 else [])
    return _window(found[0]) if found else Told()


def _window(model: Mapping[str, Any]) -> Told:
    meta = model.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    running = [count(model.get(key)) for key in _WINDOWS] + [count(meta.get("n_ctx"))]
    window = next((number for number in running if number), None)
    if window:
        return Told(most=window, chosen=window)
    # What a model was trained with is a bound; llama.cpp is often started with less.
    trained = [count(meta.get("n_ctx_train")), count(model.get("max_context_length"))]
    return Told(most=next((number for number in trained if number), None))
