"""The Response object: what stays the same in one answer, and its states."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from docrag.api import Usage
from docrag.web.openai.responses_schema import function_tools

Json = dict[str, Any]

#: Most bytes of one field that is said back, so that no line of a stream reaches 64 KiB.
ECHO_BYTES: Final = 8 * 1024
#: What may be said back as effort; the official schema knows no other.
EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
#: Why an answer is incomplete, by its finish reason; other reasons are complete.
INCOMPLETE: Final = {"length": "max_output_tokens", "content_filter": "content_filter"}


#: Fields of a Response that are the same whatever was asked: docrag keeps nothing and counts on
#: the model's server for the rest. Open Responses asks for some that OpenAI leaves open.
UNUSED: Final[Mapping[str, Any]] = {
    "background": False,
    "frequency_penalty": 0,
    "max_tool_calls": None,
    "parallel_tool_calls": True,
    "presence_penalty": 0,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "safety_identifier": None,
    "service_tier": "default",
    "store": False,
    "top_logprobs": 0,
    "truncation": "disabled",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What every state of one Response shares."""

    id: str
    #: Seconds since 1970.
    created_at: int
    #: What :func:`echo` gives.
    echo: Mapping[str, Any]

    def body(self, status: str, output: Sequence[Json] = (), **more: Any) -> Json:  # noqa: ANN401 - JSON
        """The Response in a state.

        :param status: ``in_progress``, ``completed``, ``incomplete`` or ``failed``.
        :param more: fields that differ from those of a fresh Response.
        """
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created_at,
            "status": status,
            "completed_at": None,
            "error": None,
            "incomplete_details": None,
            **self.echo,
            "output": list(output),
            # Nothing was counted yet; some clients want the field from the first event on.
            "usage": usage_object(Usage()),
            **more,
        }


def echo(request: Mapping[str, Any], *, temperature: float) -> Json:
    """What every state of the Response says back of its request, and what docrag sets itself.

    :param request: what :class:`ResponseRequestSchema` loaded.
    :param temperature: where the request wishes none.
    """
    form = (request["text"] or {}).get("format")
    effort = (request["reasoning"] or {}).get("effort")
    tools = [_tool(tool) for tool in function_tools(request["tools"])]
    choice = _small(request["tool_choice"], None) if tools else None
    heat = request["temperature"]
    return {
        **UNUSED,
        "instructions": _small(request["instructions"], None),
        "max_output_tokens": request["max_output_tokens"],
        "metadata": _small(_metadata(request["metadata"]), {}),
        "model": request["model"],
        "reasoning": {"effort": effort if effort in EFFORTS else None, "summary": None},
        "temperature": temperature if heat is None else heat,
        "text": {"format": _small(form, None) or {"type": "text"}},
        "tool_choice": choice or "auto",
        "tools": _small(tools, []),
        "top_p": 1 if request["top_p"] is None else request["top_p"],
    }


def usage_object(usage: Usage) -> Json:
    """Token counts under the names of the Responses API."""
    return {
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def _tool(tool: Json) -> Json:
    """A function tool with the fields that the official schema asks for."""
    return {"parameters": None, "strict": None, **tool}


def _metadata(metadata: Mapping[str, Any] | None) -> dict[str, str]:
    """The texts of the metadata; the official schema knows nothing else there."""
    return {key: text for key, text in (metadata or {}).items() if isinstance(text, str)}


def _small(value: Any, instead: Any) -> Any:  # noqa: ANN401 - JSON
    """The value, unless it is too large to be said back in several events."""
    fits = len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) <= ECHO_BYTES
    return value if fits else instead
