"""What the models behind the server say: the form that was asked for, or a tool, or a passage."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from docrag.testing.chat import Reply, quote

#: An instance of each plain type of a JSON schema.
EXAMPLES: Mapping[str, Any] = {
    "string": "Talimat",
    "integer": 25,
    "number": 25,
    "boolean": True,
    "array": [],
}
#: What a thinking model thinks.
THOUGHT = "Önce düşünelim."


def speak(request: Mapping[str, Any]) -> Reply:
    """The answer of a model that obeys: it calls the first tool that it may call."""
    tools = request.get("tools") or ()
    turns = request.get("messages") or [{}]
    if tools and request.get("tool_choice") != "none" and turns[-1].get("role") != "tool":
        function = tools[0]["function"]
        return Reply(tool_calls=((function["name"], example(function.get("parameters") or {})),))
    form = request.get("response_format") or {}
    if form.get("type") == "json_schema":
        return Reply(text=json.dumps(example(form["json_schema"]["schema"]), ensure_ascii=False))
    return Reply(text=quote(request))


def think(request: Mapping[str, Any]) -> Reply:
    """The same answer, thought over before."""
    return Reply(text=quote(request), reasoning=THOUGHT)


def example(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """A value that fits a simple schema, with all its properties."""
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {name: example(part) for name, part in schema["properties"].items()}
    return EXAMPLES.get(str(schema.get("type")), {})
