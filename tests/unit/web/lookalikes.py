"""Questions that people ask in the form of a background task, and tasks in other words."""

from __future__ import annotations

from typing import Any, Final

JSON = dict[str, Any]

_TALK: Final = "User: Forklift hızı nedir?\nAI: Saatte 8 km."
_SUMMARY: Final = "<previous-summary>\nForklift hızı konuşuldu.\n</previous-summary>"
_BEFORE: Final = (
    {"role": "user", "content": "Forklift?"},
    {"role": "assistant", "content": "Saatte 8 km [1]."},
)


def _ask(text: str, *before: JSON, **more: object) -> JSON:
    return {"messages": [*before, {"role": "user", "content": text}], **more}


def _form(*names: str) -> JSON:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}


def _tool(*names: str) -> JSON:
    schema = _form(*names)["json_schema"]["schema"]
    function = {"type": "function", "function": {"name": "x", "parameters": schema}}
    return {"tools": [function], "tool_choice": "required"}


#: What stands beside the model: searched for, as every question.
LOOKALIKES: Final[dict[str, JSON]] = {
    "question_above_a_transcript": _ask(
        "Aşağıdaki görüşmede geçen başlıklı madde doğru mu, forklift en fazla kaç km hızla "
        f"gidebilir?\n{_TALK}"
    ),
    "question_below_a_transcript": _ask(
        f"Başlığı 'Forklift' olan görüşme:\n{_TALK}\n\nYasaya göre bu doğru mu?"
    ),
    "question_right_below_a_transcript": _ask(
        f"Başlığı 'Forklift' olan görüşme:\n{_TALK}\nYasaya göre bu doğru mu? Kısaca yaz."
    ),
    "english_question_below_a_transcript": _ask(
        f"A talk with the title 'Forklift':\n\n{_TALK}\n\nIs that right by the law?\nBe brief."
    ),
    "title_as_json": _ask("Forklift hız kuralının başlığı nedir?", response_format=_form("title")),
    "title_as_json_in_a_talk": _ask(
        "Kuralın başlığını ver.", *_BEFORE, response_format=_form("title")
    ),
    "title_by_a_function": _ask("What is the title of the safety policy?", **_tool("title")),
    "emojis_and_a_quoted_question": _ask(
        'emoji 😀😁 ile yanıtla\n\nSoru: """Forklift en fazla kaç km hızla gidebilir?"""'
    ),
    "emojis_and_a_fenced_question": _ask(
        "Her maddeye emoji koy: 😀 olumlu, 😡 yasak, 😊 serbest.\n\n"
        "Soru: ```Forklift en fazla kaç km hızla gidebilir?```"
    ),
    "question_below_a_summary": _ask(f"{_SUMMARY}\n\nForklift en fazla kaç km?", *_BEFORE),
    "wish_below_a_summary": _ask(f"{_SUMMARY} Forklift hız kuralını yaz.", *_BEFORE),
    "question_and_headings_below_a_summary": _ask(
        f"{_SUMMARY}\n## Soru\nForklift en fazla kaç km hızla gidebilir?", *_BEFORE
    ),
    "heading_that_asks_below_a_summary": _ask(f"{_SUMMARY}\n## Forklift kaç km?", *_BEFORE),
    "question_below_a_checkpoint": _ask(
        "## Checkpoint\n## A\n## B\n## C\n## D\n\nBu form hangi belgede?", *_BEFORE
    ),
}

#: What stands beside the model: never searched for.
FURTHER_TASKS: Final[dict[str, JSON]] = {
    "transcript_of_paragraphs": _ask(
        f"Write a title.\n\nConversation:\n{_TALK}\n\nBaşka sorunuz var mı?\n\n- Forkliftler [1]."
    ),
    "transcript_of_assistant": _ask(
        "Kısa bir başlık yaz:\nUser: Forklift?\nAssistant: 8 km\nUser: Emin misin?"
    ),
    "title_of_a_transcript": _ask(f"Name this.\n\n{_TALK}", response_format=_form("title")),
    "title_of_a_talk_that_asks": _ask(
        "Name this.\n\nUser: Forklift?\nAI: Hangisi?", response_format=_form("title")
    ),
    "title_without_a_talk": _ask("Name: forklift", **_tool("title")),
    "title_and_language": _ask("Forklift hızı nedir?", response_format=_form("title", "language")),
    "summary_with_headings": _ask(
        f"Bring it up to date.\n\n{_SUMMARY}\n\n## Aim\n…\n\n## Rules\n...\n", *_BEFORE
    ),
}
