"""Background tasks: never searched for, never cited; ordinary questions always are."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.web.openai.models import Model
from docrag.web.openai.schema import ChatRequestSchema, chat_call
from docrag.web.openai.tasks import TASK, USED, decide
from tests.unit.web.lookalikes import FURTHER_TASKS, LOOKALIKES
from tests.unit.web.recorded import LIBRECHAT, QUESTIONS, TASKS, librechat, open_webui, wrapped

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

Ask = Callable[..., TestResponse]
Post = Callable[..., TestResponse]
HEADER = "x-docrag-retrieval"
FORMS = pytest.mark.parametrize("form", [{}, {"stream": False}, {"stream": True}], ids=str)
TRACES = ("annotations", "search_results", "sources", "Kaynaklar", '"docrag":')


@pytest.fixture
def post(client: FlaskClient, reader: dict[str, str]) -> Post:
    """Posts a body with further headers."""

    def send(body: dict[str, Any], **headers: str) -> TestResponse:
        return client.post("/v1/chat/completions", json=body, headers={**reader, **headers})

    return send


def is_plain(response: TestResponse, assistant: StandIn, why: str = "skipped-task") -> bool:
    """True if nothing was searched or cited, and the answer says why."""
    text = response.get_data(as_text=True)
    return (
        response.status_code == 200
        and response.headers[HEADER] == why
        and (len(assistant.asked), len(assistant.plainly)) == (0, 1)
        and not any(trace in text for trace in TRACES)
        and not assistant.answers
    )


@FORMS
@pytest.mark.parametrize("task", TASKS)
def test_r11_task_of_open_webui_never_retrieves(
    post: Post, assistant: StandIn, task: str, form: dict[str, bool]
) -> None:
    assert is_plain(post(open_webui(task, **form)), assistant)


@FORMS
@pytest.mark.parametrize("task", LIBRECHAT)
def test_r11_task_of_librechat_never_retrieves(
    post: Post, assistant: StandIn, task: str, form: dict[str, bool]
) -> None:
    assert is_plain(post(librechat(task, **form)), assistant)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("question", QUESTIONS)
def test_r11_ordinary_question_retrieves(question: str, stream: bool) -> None:
    messages = [{"role": "user", "content": question}]
    body: Any = ChatRequestSchema().load(
        {"model": "docrag", "messages": messages, "stream": stream}
    )
    decided = decide(chat_call(body), model=Model(id="docrag"), marked=None, greets=lambda: False)
    assert decided == USED


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", LOOKALIKES)
def test_r11_question_with_the_looks_of_a_task_retrieves(name: str, stream: bool) -> None:
    body: Any = ChatRequestSchema().load({"model": "docrag", "stream": stream, **LOOKALIKES[name]})
    decided = decide(chat_call(body), model=Model(id="docrag"), marked=None, greets=lambda: False)
    assert decided == USED


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", FURTHER_TASKS)
def test_r11_task_in_other_words_is_known(name: str, stream: bool) -> None:
    body: Any = ChatRequestSchema().load(
        {"model": "docrag", "stream": stream, **FURTHER_TASKS[name]}
    )
    decided = decide(chat_call(body), model=Model(id="docrag"), marked=None, greets=lambda: False)
    assert decided == TASK


def test_r11_there_are_forty_ordinary_questions() -> None:
    assert len(set(QUESTIONS)) == 40


@pytest.mark.parametrize("stream", [False, True])
def test_r11_own_retrieval_of_open_webui_is_a_question(
    ask: Ask, assistant: StandIn, stream: bool
) -> None:
    rules = 'Answer as JSON: { "title": "…" }'
    assert ask(wrapped("Baret zorunlu mu?", rules=rules), stream=stream).headers[HEADER] == "used"


@pytest.mark.parametrize("stream", [False, True])
def test_r11_header_marks_a_task(post: Post, assistant: StandIn, stream: bool) -> None:
    body = {"model": "docrag", "messages": [{"role": "user", "content": "Soru"}], "stream": stream}
    assert is_plain(post(body, **{"X-Docrag-Task": "title_generation"}), assistant)


@pytest.mark.parametrize("value", ["", " ", "{{TASK}}", "x {{TASK}}"])
def test_r11_empty_or_unfilled_header_marks_nothing(
    post: Post, assistant: StandIn, value: str
) -> None:
    body = {"model": "docrag", "messages": [{"role": "user", "content": "Soru"}]}
    assert post(body, **{"X-Docrag-Task": value}).headers[HEADER] == "used"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"model": "docrag-plain"}, "skipped-plain"),
        ({"metadata": {"docrag": {"retrieval": "off"}}}, "skipped-off"),
        ({"metadata": {"docrag": {"retrieval": False}}}, "skipped-off"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_request_can_do_without_documents(
    ask: Ask, assistant: StandIn, more: dict[str, Any], why: str, stream: bool
) -> None:
    assert is_plain(ask(stream=stream, **more), assistant, why)


def test_metadata_on_overrules_the_form(post: Post) -> None:
    body = open_webui("title", metadata={"docrag": {"retrieval": "ON"}})
    assert post(body).headers[HEADER] == "used"


@pytest.mark.parametrize("metadata", [None, 5, "x", [], {}, {"docrag": 5}, {"docrag": {}}])
def test_metadata_of_others_say_nothing(ask: Ask, metadata: object) -> None:
    assert ask(metadata=metadata).headers[HEADER] == "used"


def test_strange_wish_in_metadata_is_named(ask: Ask) -> None:
    response = ask(metadata={"docrag": {"retrieval": "belki"}})
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error"]["param"] == "metadata.docrag.retrieval"


@pytest.mark.parametrize("stream", [False, True])
def test_greeting_is_told(ask: Ask, assistant: StandIn, stream: bool) -> None:
    response = ask("Merhaba", stream=stream)
    assert response.headers[HEADER] == "skipped-greeting"
    assert 'search_results": [{' not in response.get_data(as_text=True)


def test_task_reaches_the_model_unchanged(post: Post, assistant: StandIn) -> None:
    body = open_webui("tags")
    post(body)
    assert [message.content for message in assistant.plainly[0]] == [TASKS["tags"]]


def test_task_in_a_longer_conversation_is_a_question(post: Post) -> None:
    body = open_webui("title")
    body["messages"] = [{"role": "system", "content": "x"}] * 2 + body["messages"]
    assert post(body).headers[HEADER] == "used"


@pytest.mark.parametrize(
    "last",
    [
        "Şu formu belgelere göre doldur:\n## Amaç\n## Kapsam\n## Tanımlar\n## Görevler\n## Ekler",
        "Checkpoint nedir?",
        "<previous-summary> ne demek?",
        "Başlık öner:\nUser: nerede?",
        "Bu ne?\n\nMessage: ```kod```",
    ],
)
def test_form_of_a_person_is_a_question(ask: Ask, last: str) -> None:
    talk = [{"role": "user", "content": "Soru"}, {"role": "assistant", "content": "Yanıt"}]
    for turns in ([], talk):
        response = ask(messages=[*turns, {"role": "user", "content": last}])
        assert response.headers[HEADER] == "used"


def test_detected_task_is_logged_without_its_text(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        post(open_webui("title"))
    assert "task_detected" in {getattr(record, "action", "") for record in caplog.records}
    assert "risk değerlendirmesi" not in caplog.text


def test_r10_decision_is_readable_across_origins(post: Post) -> None:
    response = post(open_webui("title"), Origin="https://chat.example")
    assert HEADER in response.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize(
    "more",
    [
        {"response_format": {"type": "json_object"}},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"properties": {}}}}},
        {"response_format": {"type": "json_schema", "json_schema": 5}},
        {"tools": [{"type": "function", "function": {"name": "title"}}], "tool_choice": "auto"},
        {"tools": [{}], "tool_choice": "required"},
        {"tool_choice": {"type": "function", "function": 5}},
    ],
)
def test_other_forms_and_tools_are_no_task(ask: Ask, more: dict[str, Any]) -> None:
    assert ask(**more).headers[HEADER] == "used"
