from __future__ import annotations

import json
import time
from typing import Any

import pytest
import requests

from docrag.testing.anthropic import FAULTS, FakeAnthropic
from docrag.testing.chat import Reply


def chat(fake: FakeAnthropic, content: str = "soru", **more: object) -> requests.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": content}], **more}
    return requests.post(f"{fake.url}/v1/messages", json=body, timeout=10)


def events(answer: requests.Response) -> list[dict[str, Any]]:
    lines = answer.content.decode().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_chat_streams_quote_of_first_passage() -> None:
    with FakeAnthropic() as fake:
        found = events(chat(fake, "[1] İşveren yangın tüplerini denetletir. Başka.\n\nSoru?"))
    text = "".join(event["delta"].get("text", "") for event in found if "delta" in event)
    assert text == "İşveren yangın tüplerini denetletir. [1]"
    assert [found[0]["type"], found[-1]["type"]] == ["message_start", "message_stop"]
    assert fake.chat_calls == 1


def test_blocks_are_numbered_and_closed() -> None:
    reply = Reply(text="Evet.", reasoning="Hmm", tool_calls=(("ara", {"ş": 1}), ("saat", {})))
    with FakeAnthropic(answer=reply) as fake:
        found = events(chat(fake))
    for kind in ("content_block_start", "content_block_stop"):
        assert [each["index"] for each in found if each["type"] == kind] == [0, 1, 2, 3]
    assert found[-2]["delta"]["stop_reason"] == "tool_use"


@pytest.mark.parametrize(
    ("fault", "status"), [("500", 500), ("busy", 529), ("429", 429), ("no_model", 404)]
)
def test_fault_refuses(fault: str, status: int) -> None:
    with FakeAnthropic(fault=fault) as fake:
        answer = chat(fake)
    assert answer.status_code == status
    assert answer.json()["type"] == "error"


def test_flaky_server_fails_once() -> None:
    with FakeAnthropic(answer="tamam", fault="flaky") as fake:
        assert [chat(fake).status_code, chat(fake).status_code] == [500, 200]


def test_unknown_fault_lists_known_ones() -> None:
    with pytest.raises(ValueError, match="no_stop"):
        FakeAnthropic(fault="yangın")


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_writes_to_the_terminal(fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    with FakeAnthropic(answer="bir iki üç", fault=fault, delay=0.01) as fake:
        try:
            chat(fake)
        except requests.RequestException:
            time.sleep(0.01)
    assert capfd.readouterr() == ("", "")
