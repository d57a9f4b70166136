from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest

from docrag.testing.chat import Reply
from docrag.testing.openai import FAULTS, FakeOpenAI

ANSWER = "İşveren ışıkları söndürür. [1]"


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(answer=ANSWER, dim=4) as server:
        yield server


@pytest.fixture
def client(fake: FakeOpenAI) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="k", base_url=f"{fake.url}/v1", max_retries=0) as api:
        yield api


def test_official_client_reads_answer(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])
    assert reply.choices[0].message.content == ANSWER
    assert reply.usage is not None
    assert reply.usage.completion_tokens > 0


def test_official_client_reads_stream(client: openai.OpenAI) -> None:
    with client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "?"}], stream=True
    ) as stream:
        choices = [chunk.choices[0] for chunk in stream]
    assert "".join(choice.delta.content or "" for choice in choices) == ANSWER
    assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"]


@pytest.mark.parametrize("fault", ["", "odd"])
def test_official_client_reads_tool_calls(
    fake: FakeOpenAI, client: openai.OpenAI, fault: str
) -> None:
    fake.answer, fake.fault = Reply(tool_calls=(("ara", {"ş": "ı"}),)), fault
    reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])
    calls = [call.to_dict() for call in reply.choices[0].message.tool_calls or []]
    assert calls[0]["function"] == {"name": "ara", "arguments": '{"ş": "ı"}'}


def test_list_of_models_may_tell_the_window(fake: FakeOpenAI, client: openai.OpenAI) -> None:
    fake.window_key = "max_model_len"
    (model,) = client.models.list()
    assert model.to_dict()["max_model_len"] == 8192


def test_official_client_reads_models_and_vectors(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["fake-model"]
    rows = client.embeddings.create(model="m", input=["a", "b"], encoding_format="float").data
    assert [row.index for row in rows] == [1, 0]
    assert len(rows[0].embedding) == 4


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("500", openai.InternalServerError),
        ("busy", openai.InternalServerError),
        ("flaky", openai.InternalServerError),
        ("429", openai.RateLimitError),
        ("no_model", openai.NotFoundError),
        ("bad_key", openai.AuthenticationError),
    ],
)
def test_fault_refuses(
    fake: FakeOpenAI, client: openai.OpenAI, fault: str, error: type[openai.APIError]
) -> None:
    fake.fault = fault
    with pytest.raises(error):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])


def test_long_prompt_is_refused(fake: FakeOpenAI, client: openai.OpenAI) -> None:
    fake.context_window = 3
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "a b c d"}])
    assert caught.value.code == "context_length_exceeded"


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_writes_to_the_terminal(
    fake: FakeOpenAI, client: openai.OpenAI, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.fault, fake.delay = fault, 0.001
    try:
        with client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "?"}], stream=True
        ) as stream:
            list(stream)
    except (openai.APIError, OSError, ValueError) as exc:
        assert fault, exc
    except Exception as exc:  # noqa: BLE001 - the client lets its transport's errors through
        assert fault == "cut", exc
    assert capfd.readouterr() == ("", "")


def test_unknown_fault_lists_known_ones() -> None:
    with pytest.raises(ValueError, match="no_finish"):
        FakeOpenAI(fault="yangın")
