"""What every client is asked to do, as JSON that a script in any language can read."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

#: One thing to do: ``case`` (its name), ``how`` (which call of the client), ``model``, ``content``
#: and whatever that call needs besides.
Case: TypeAlias = dict[str, Any]

#: A question that page 3 of the sample document answers.
QUESTION: Final = "Yangın söndürme tüpleri arasında en fazla kaç metre olabilir?"
#: What is in each answer to it: the model quotes the first sentence of the page.
EXPECTED: Final = "en yakın ihbar düğmesine basar"
TOOL: Final = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


def _case(case: str, how: str, model: str = "docrag", **more: Any) -> Case:  # noqa: ANN401 - JSON
    return {"case": case, "how": how, "model": model, "content": QUESTION, **more}


#: What a chat library of any kind can do.
CHAT: Final = (
    _case("whole", "create"),
    _case("stream", "stream"),
    _case("plain", "create", "docrag-plain"),
    _case("plain_stream", "stream", "docrag-plain"),
    _case("cut", "create", "docrag-cut"),
    _case("cut_stream", "stream", "docrag-cut"),
    _case("error", "create", "docrag-error"),
    _case("error_stream", "stream", "docrag-error"),
    _case("endless", "create", "docrag-endless"),
    _case("endless_stream", "stream", "docrag-endless"),
    _case("odd", "create", "docrag-odd"),
    _case("odd_stream", "stream", "docrag-odd"),
    _case("busy", "create", "docrag-busy"),
    _case("busy_stream", "stream", "docrag-busy"),
    _case("slow_stream", "stream", "docrag-slow"),
    _case("thoughts", "create", "docrag-thinking"),
    _case("thoughts_stream", "stream", "docrag-thinking"),
    _case("tools", "create", "docrag-plain", tools=[TOOL]),
    _case("tools_stream", "stream", "docrag-plain", tools=[TOOL]),
    _case("structured", "parse", "docrag-plain"),
    _case("unknown_model", "create", "gpt-4o"),
    _case("wrong_key", "create", key="dk-yanlis"),
    _case("no_question", "create", content=""),
)
#: What those can do that speak the newer API, ``/v1/responses``.
RESPONSES: Final = tuple(
    case
    for case in CHAT
    if case["case"].removesuffix("_stream") in ("whole", "stream", "cut", "plain", "slow")
)
#: What OpenAI's own libraries can do besides.
OPENAI: Final = (
    *CHAT,
    _case("helper", "helper"),
    _case("helper_cut", "helper", "docrag-cut"),
    _case("helper_slow", "helper", "docrag-slow"),
    _case("helper_tools", "helper", "docrag-plain", tools=[TOOL]),
    _case("models", "models"),
    _case("model", "model"),
    _case("embeddings", "embeddings"),
    _case("embeddings_float", "embeddings", encoding="float"),
    _case("embeddings_base64", "embeddings", encoding="base64"),
    _case("responses", "responses"),
    _case("responses_stream", "responses_stream"),
    _case("responses_cut", "responses", "docrag-cut"),
    _case("responses_cut_stream", "responses_stream", "docrag-cut"),
)


def only(cases: tuple[Case, ...], *hows: str) -> list[Case]:
    """The cases that need no other calls than these."""
    return [case for case in cases if case["how"] in hows]
