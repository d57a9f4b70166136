"""Arguments of a tool call that stands in a conversation, as an object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from docrag.api import LLMRefused


def arguments_of(call: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name of the function and its arguments.

    :param call: a call in OpenAI's form, its arguments JSON text; an empty text means none.
    :raises LLMRefused: not a call of a function, or its arguments are no JSON object.
    """
    function = call.get("function")
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        raise LLMRefused("a tool call of the conversation names no function")
    arguments = function.get("arguments") or "{}"
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, Mapping):
        raise LLMRefused(
            f"the arguments of a call of {name!r:.80} in the conversation are no JSON object"
        )
    return name, dict(value)
