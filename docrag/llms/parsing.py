"""JSON objects that a model's server sends, whole or one a line."""

from __future__ import annotations

import json
from typing import Any

from docrag.api import LLMError


def parsed(data: bytes, label: str) -> dict[str, Any]:
    """The JSON object of a line or event, read as UTF-8 whatever the server declares.

    :param label: name and address of the server, for the message.
    :raises LLMError: not a JSON object.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise LLMError(f"{label} sent something that is not JSON in its stream") from exc
    if not isinstance(value, dict):
        raise LLMError(f"{label} sent JSON that is not an object in its stream")
    return value
