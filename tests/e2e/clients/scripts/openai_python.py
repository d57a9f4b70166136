"""OpenAI's Python library."""

from __future__ import annotations

from typing import Any

from openai import OpenAI
from pydantic import BaseModel

from tests.e2e.clients.scripts.telling import Json, tell


class Distance(BaseModel):
    """What the model is asked to answer with."""

    metres: int
    reason: str


def client(server: Json) -> OpenAI:
    """A client that never tries twice."""
    return OpenAI(base_url=server["url"], api_key=server["key"], max_retries=0, timeout=60)


def asked(case: Json) -> Json:
    """The arguments of a chat call."""
    tools = {"tools": case["tools"], "tool_choice": "required"} if case.get("tools") else {}
    messages = [{"role": "user", "content": case["content"]}]
    return {"model": case["model"], "messages": messages, **tools}


def create(server: Json, case: Json, told: Json) -> None:
    """A whole answer."""
    whole(client(server).chat.completions.create(**asked(case)), told)


def whole(completion: Any, told: Json) -> None:  # noqa: ANN401 - the library's models
    """Tell a completion."""
    choice = completion.choices[0]
    message = choice.message.to_dict()
    told.update(
        text=choice.message.content or "",
        finish=choice.finish_reason,
        reasoning=message.get("reasoning_content") or "",
        sources=message.get("annotations") or [],
        tools=message.get("tool_calls") or [],
        usage=completion.usage.to_dict() if completion.usage else None,
        data=completion.to_dict(),
    )


def stream(server: Json, case: Json, told: Json) -> None:
    """An answer in chunks, as a program reads them that knows only ``choices``."""
    told["data"] = []
    for chunk in client(server).chat.completions.create(
        **asked(case), stream=True, stream_options={"include_usage": True}
    ):
        told["data"].append(chunk.to_dict())
        told["usage"] = chunk.usage.to_dict() if chunk.usage else told["usage"]
        for choice in chunk.choices:
            delta = choice.delta.to_dict()
            told["text"] += delta.get("content") or ""
            told["reasoning"] += delta.get("reasoning_content") or ""
            told["sources"] += delta.get("annotations") or []
            told["tools"] += delta.get("tool_calls") or []
            told["finish"] = choice.finish_reason or told["finish"]


def helper(server: Json, case: Json, told: Json) -> None:
    """The library's own collector of chunks."""
    with client(server).chat.completions.stream(**asked(case)) as events:
        whole(events.get_final_completion(), told)


def parse(server: Json, case: Json, told: Json) -> None:
    """An answer in a wanted form."""
    found = client(server).chat.completions.parse(**asked(case), response_format=Distance)
    whole(found, told)
    parsed = found.choices[0].message.parsed
    told["data"] = parsed.model_dump() if parsed else None


def models(server: Json, case: Json, told: Json) -> None:
    """The list of models."""
    told["data"] = [model.to_dict() for model in client(server).models.list()]


def model(server: Json, case: Json, told: Json) -> None:
    """One model."""
    told["data"] = client(server).models.retrieve(case["model"]).to_dict()


def embeddings(server: Json, case: Json, told: Json) -> None:
    """Vectors of two texts, in the form that the library asks for by default or another."""
    form = {"encoding_format": case["encoding"]} if "encoding" in case else {}
    found = client(server).embeddings.create(
        model=case["model"], input=["ışık", case["content"]], **form
    )
    told["data"] = [row.embedding for row in found.data]
    told["usage"] = found.usage.to_dict()


def responses(server: Json, case: Json, told: Json) -> None:
    """A whole answer of the newer API."""
    found = client(server).responses.create(model=case["model"], input=case["content"])
    _response(found, told)


def responses_stream(server: Json, case: Json, told: Json) -> None:
    """An answer of the newer API in events."""
    kinds: list[str] = []
    told["data"] = {"events": kinds}
    with client(server).responses.stream(model=case["model"], input=case["content"]) as events:
        for event in events:
            kinds.append(event.type)
            told["text"] += event.delta if event.type == "response.output_text.delta" else ""
        _response(events.get_final_response(), told)
    told["data"]["events"] = kinds


def _response(found: Any, told: Json) -> None:  # noqa: ANN401 - the library's models
    body = found.to_dict()
    parts = [part for item in body["output"] for part in item.get("content") or []]
    told.update(
        text=found.output_text,
        finish=found.status,
        sources=[mark for part in parts for mark in part.get("annotations") or []],
        usage=body.get("usage"),
        error=body.get("error"),
        data=body,
    )


if __name__ == "__main__":
    tell(
        {
            "create": create,
            "stream": stream,
            "helper": helper,
            "parse": parse,
            "models": models,
            "model": model,
            "embeddings": embeddings,
            "responses": responses,
            "responses_stream": responses_stream,
        }
    )
