"""LangChain for Python with its package for OpenAI."""

from __future__ import annotations

from typing import Any

from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from tests.e2e.clients.scripts.telling import Json, tell


class Distance(BaseModel):
    """What the model is asked to answer with."""

    metres: int
    reason: str


def chat(server: Json, case: Json) -> Any:  # noqa: ANN401 - a library of its own environment
    """A chat model that never tries twice, with the case's tools."""
    found = ChatOpenAI(
        base_url=server["url"],
        api_key=SecretStr(server["key"]),
        model=case["model"],
        max_retries=0,
        timeout=60,
        stream_usage=True,
    )
    return found.bind_tools(case["tools"], tool_choice="required") if case.get("tools") else found


def create(server: Json, case: Json, told: Json) -> None:
    """A whole answer."""
    message(chat(server, case).invoke(case["content"]), told)


def stream(server: Json, case: Json, told: Json) -> None:
    """An answer in chunks, added up as the library does."""
    total: Any = None
    for chunk in chat(server, case).stream(case["content"]):
        total = chunk if total is None else total + chunk
        told["text"] = total.text
    message(total, told)


def parse(server: Json, case: Json, told: Json) -> None:
    """An answer in a wanted form."""
    model = chat(server, case).with_structured_output(Distance, method="json_schema")
    told["data"] = model.invoke(case["content"]).model_dump()


def message(found: Any, told: Json) -> None:  # noqa: ANN401 - the library's models
    """Tell a message."""
    told.update(
        text=found.text,
        finish=found.response_metadata.get("finish_reason"),
        tools=[{"function": {"name": c["name"]}, "arguments": c["args"]} for c in found.tool_calls],
        usage=dict(found.usage_metadata) if found.usage_metadata else None,
    )


if __name__ == "__main__":
    tell({"create": create, "stream": stream, "parse": parse})
