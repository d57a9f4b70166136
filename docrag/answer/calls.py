"""Calls of tools in a model's answer: only those of tools that it was given, as text that holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from docrag.api import Delta, storable


def without_calls(delta: Delta) -> Delta:
    """The delta of a model that was given no tools: a call that it makes up reaches nobody."""
    reason = delta.finish_reason
    return replace(delta, tool_calls=(), finish_reason="stop" if reason == "tool_calls" else reason)


def cleaned(calls: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The pieces of calls with every text in them made storable."""
    return tuple(_storable(call) for call in calls)


def _storable(value: Any) -> Any:  # noqa: ANN401 - JSON, of the form that is given
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(item) for item in value]
    return value
