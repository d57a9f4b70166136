from __future__ import annotations

import json
import time
from typing import Any

import pytest
import requests

from docrag.testing.chat import Reply
from docrag.testing.ollama import FAULTS, FakeOllama


def chat(fake: FakeOllama, content: str = "soru", **more: object) -> requests.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": content}], **more}
    return requests.post(f"{fake.url}/api/chat", json=body, timeout=10)


def lines(answer: requests.Response) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.content.splitlines()]


def test_chat_streams_quote_of_first_passage() -> None:
    with FakeOllama() as fake:
        found = lines(chat(fake, "[1] İşveren yangın tüplerini denetletir. Başka cümle.\n\nSoru?"))
    text = "".join(line["message"]["content"] for line in found)
    assert text == "İşveren yangın tüplerini denetletir. [1]"
    assert [line["done"] for line in found] == [False] * (len(found) - 1) + [True]
    assert fake.chat_calls == 1


def test_chat_answers_at_once_without_stream() -> None:
    with FakeOllama(answer="tamam") as fake:
        body = chat(fake, stream=False).json()
    assert (body["message"]["content"], body["done"]) == ("tamam", True)


def test_limit_cuts_answer() -> None:
    with FakeOllama(answer="bir iki üç") as fake:
        last = lines(chat(fake, options={"num_predict": 2}))[-1]
    assert (last["done_reason"], last["eval_count"]) == ("length", 2)


@pytest.mark.parametrize(
    ("fault", "status"), [("500", 500), ("busy", 503), ("429", 429), ("no_model", 404)]
)
def test_fault_refuses(fault: str, status: int) -> None:
    with FakeOllama(fault=fault) as fake:
        answer = chat(fake)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_flaky_server_fails_once() -> None:
    with FakeOllama(answer="tamam", fault="flaky") as fake:
        assert [chat(fake).status_code, chat(fake).status_code] == [500, 200]


def test_reply_has_thoughts_and_whole_calls() -> None:
    reply = Reply(text="Evet.", reasoning="Hmm", tool_calls=(("ara", {"ş": 1}),))
    with FakeOllama(answer=reply) as fake:
        messages = [line["message"] for line in lines(chat(fake))]
        whole = chat(fake, stream=False).json()["message"]
    assert "".join(message.get("thinking", "") for message in messages) == "Hmm"
    calls = [{"function": {"name": "ara", "arguments": {"ş": 1}}}]
    assert messages[-2]["tool_calls"] == whole["tool_calls"] == calls


def test_questions_about_the_model_are_not_recorded() -> None:
    with FakeOllama(parameters="num_ctx 4096") as fake:
        shown = requests.post(f"{fake.url}/api/show", json={"model": "m"}, timeout=5).json()
    assert (shown["parameters"], fake.show_calls, fake.requests) == ("num_ctx 4096", 1, [])


def test_long_prompt_is_refused_if_cutting_is_forbidden() -> None:
    with FakeOllama() as fake:
        answer = chat(fake, "uzun " * 50, truncate=False, options={"num_ctx": 10})
    assert (answer.status_code, fake.prompts) == (400, [])


@pytest.mark.parametrize(("fault", "options"), [("truncate", {"truncate": False}), ("", {})])
def test_long_prompt_is_cut_from_the_front(fault: str, options: dict[str, Any]) -> None:
    with FakeOllama(answer="tamam", fault=fault) as fake:
        last = lines(chat(fake, "kural " * 50 + "son", options={"num_ctx": 9}, **options))[-1]
    assert last["prompt_eval_count"] == 9
    assert fake.prompts == [" kural kural kural kural son"]


def test_default_window_is_four_thousand_tokens() -> None:
    with FakeOllama(answer="tamam") as fake:
        assert lines(chat(fake, "bir " * 5_000))[-1]["prompt_eval_count"] == 4096


def test_leaving_client_is_noticed() -> None:
    with FakeOllama(answer="bir iki üç", fault="slow", delay=10.0) as fake:
        with pytest.raises(requests.RequestException):
            requests.post(f"{fake.url}/api/chat", json={}, timeout=0.1).raise_for_status()
        assert fake.disconnected.wait(3.0)


def test_embed_fails_on_word_and_length() -> None:
    with FakeOllama(dim=4, fail_on="TETİK", max_characters=10) as fake:
        statuses = [
            requests.post(f"{fake.url}/api/embed", json={"input": text}, timeout=5).status_code
            for text in (["kısa"], ["TETİK"], ["on karakterden uzun"], "tek")
        ]
    assert statuses == [200, 500, 400, 200]
    assert fake.embed_calls == 4


def test_embed_gives_unit_rows_of_dim() -> None:
    with FakeOllama(dim=4) as fake:
        answer = requests.post(f"{fake.url}/api/embed", json={"input": ["a", ""]}, timeout=5)
    rows = answer.json()["embeddings"]
    assert [sum(value * value for value in row) for row in rows] == [pytest.approx(1.0)] * 2
    assert [len(row) for row in rows] == [4, 4]


@pytest.mark.parametrize(("path", "key"), [("tags", "models"), ("version", "version")])
def test_information_is_served(path: str, key: str) -> None:
    with FakeOllama() as fake:
        assert key in requests.get(f"{fake.url}/api/{path}", timeout=5).json()
        assert requests.post(f"{fake.url}/api/show", json={}, timeout=5).json()["model_info"]


def test_unknown_fault_lists_known_ones() -> None:
    with pytest.raises(ValueError, match="error_line"):
        FakeOllama(fault="yangın")


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_writes_to_the_terminal(fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    with FakeOllama(answer="bir iki üç", fault=fault, delay=0.01) as fake:
        try:
            chat(fake)
        except requests.RequestException:
            time.sleep(0.01)
    assert capfd.readouterr() == ("", "")
