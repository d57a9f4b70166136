"""OpenAI's own client against a served docrag: the main job, as a person's program does it."""

from __future__ import annotations

from typing import Any

import openai
import pytest
import requests
from openai.types.chat import ChatCompletionChunk

from tests.e2e.conftest import QUESTION, Schemas, Served

FALLBACK = "Bu bilgi belgelerde bulunmuyor."


def ask(served: Served, *, key: str = "", content: Any = QUESTION, **more: Any) -> Any:  # noqa: ANN401 - the client's overloads
    """A chat completion; a list of chunks if streamed."""
    found = served.client(key).chat.completions.create(
        model="docrag", messages=[{"role": "user", "content": content}], **more
    )
    return list(found) if more.get("stream") else found


def text_of(chunks: list[ChatCompletionChunk]) -> str:
    """The text of a streamed answer."""
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)


def test_answer_cites_page_seven_first(served: Served) -> None:
    answer = ask(served)
    message = answer.choices[0].message
    assert answer.choices[0].finish_reason == "stop"
    assert "[1]" in message.content
    first = message.annotations[0].url_citation
    assert message.content[first.start_index : first.end_index] == "[1]"
    assert first.title == "kanun_6331.pdf s. 7, Madde 10"
    assert answer.docrag["sources"][0]["page_first"] == 7
    assert answer.usage.total_tokens > 0


def test_stream_says_the_same(served: Served) -> None:
    chunks = ask(served, stream=True, stream_options={"include_usage": True})
    assert text_of(chunks) == ask(served).choices[0].message.content
    reasons = [c.choices[0].finish_reason for c in chunks if c.choices]
    assert reasons[-1] == "stop"
    assert set(reasons[:-1]) == {None}
    assert chunks[-1].usage.total_tokens > 0
    assert chunks[-2].docrag["sources"][0]["page_first"] == 7


def test_accumulating_stream_helper_works(served: Served) -> None:
    with served.client().chat.completions.stream(
        model="docrag", messages=[{"role": "user", "content": QUESTION}]
    ) as stream:
        final: Any = stream.get_final_completion()
    message = final.choices[0].message
    assert "[1]" in message.content
    mark = message.annotations[0]
    url = (mark if isinstance(mark, dict) else mark.to_dict())["url_citation"]["url"]
    assert url == f"{served.url}/documents/{served.law_id}?page=7"


def test_cited_page_can_be_read(served: Served) -> None:
    cited = ask(served).choices[0].message.annotations[0].url_citation.url
    # People open the page with their session; a program reads the same page with its key.
    assert "signin" in requests.get(cited, timeout=60).url
    url = cited.replace("/documents/", "/api/documents/").replace("?page=", "/pages/")
    page = requests.get(url, headers=served.headers(), timeout=60).json()
    assert page["page"] == 7
    assert "risk değerlendirmesi" in page["text"]
    hidden = requests.get(url, headers=served.headers(served.ik_key), timeout=60)
    assert hidden.status_code == 404


@pytest.mark.parametrize("stream", [False, True])
def test_other_role_gets_the_fallback_without_a_model(served: Served, stream: bool) -> None:
    answer = ask(served, key=served.ik_key, stream=stream)
    body = answer[-1] if stream else answer
    text = text_of(answer) if stream else answer.choices[0].message.content
    assert text == FALLBACK
    assert body.docrag["answered"] is False
    assert body.docrag["sources"] == []
    assert served.ollama.chat_calls == 0


def test_text_parts_are_read(served: Served) -> None:
    answer = ask(served, content=[{"type": "text", "text": QUESTION}])
    assert answer.docrag["answered"] is True


def test_wrong_key_is_an_authentication_error(served: Served) -> None:
    with pytest.raises(openai.AuthenticationError) as caught:
        ask(served, key="dk-yanlis")
    assert caught.value.code == "invalid_api_key"


def test_unknown_model_is_a_not_found_error(served: Served) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        served.client().chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": QUESTION}]
        )
    assert caught.value.code == "model_not_found"


def test_no_messages_is_a_bad_request_error(served: Served) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        served.client().chat.completions.create(model="docrag", messages=[])
    assert caught.value.param == "messages"


def test_image_part_is_a_bad_request_error(served: Served) -> None:
    with pytest.raises(openai.BadRequestError):
        ask(served, content=[{"type": "image_url", "image_url": {"url": "data:,"}}])


@pytest.mark.parametrize("stream", [False, True])
def test_busy_model_gives_quoted_passages(served: Served, stream: bool) -> None:
    """It was an error once; the passages are there, and are better than nothing."""
    served.ollama.fault = "busy"
    answer = ask(served, stream=stream)
    text = text_of(answer) if stream else answer.choices[0].message.content
    assert "[1]" in text
    assert "risk değerlendirmesi" in text
    final = answer[-1] if stream else answer
    assert final.choices[0].finish_reason == "stop"
    assert final.docrag["sources"][0]["page_first"] == 7


@pytest.mark.parametrize("stream", [False, True])
def test_busy_model_without_documents_is_a_server_error(served: Served, stream: bool) -> None:
    served.ollama.fault = "busy"
    with pytest.raises(openai.InternalServerError) as caught:
        served.client().chat.completions.create(
            model="docrag-plain",
            messages=[{"role": "user", "content": QUESTION}],
            stream=stream,
        )
    assert caught.value.status_code == 503
    assert int(caught.value.response.headers["retry-after"]) > 0


def test_plain_model_never_retrieves(served: Served) -> None:
    found = served.client().chat.completions.with_raw_response.create(
        model="docrag-plain", messages=[{"role": "user", "content": QUESTION}]
    )
    assert found.headers["x-docrag-retrieval"] == "skipped-plain"
    answer: Any = found.parse()
    assert answer.choices[0].message.annotations is None
    assert answer.usage.total_tokens > 0
    assert served.ollama.chat_calls == 1


@pytest.mark.parametrize("fault", ["cut", "error_line", "garbage"])
def test_broken_model_is_an_error_in_the_stream(served: Served, fault: str) -> None:
    served.ollama.fault = fault
    seen: list[ChatCompletionChunk] = []
    with pytest.raises(openai.APIError):
        for chunk in served.client().chat.completions.create(
            model="docrag", messages=[{"role": "user", "content": QUESTION}], stream=True
        ):
            seen.append(chunk)
    assert seen
    assert {choice.finish_reason for chunk in seen for choice in chunk.choices} == {None}


def test_models_are_listed(served: Served, openai_schemas: Schemas) -> None:
    client = served.client()
    assert [model.id for model in client.models.list()] == ["docrag", "docrag-plain"]
    assert client.models.retrieve("docrag").owned_by == "docrag"
    body = requests.get(f"{served.url}/v1/models", headers=served.headers(), timeout=60).json()
    openai_schemas["ListModelsResponse"].validate(body)


def test_upload_is_refused_to_users_and_for_copies(served: Served) -> None:
    def upload(key: str) -> requests.Response:
        return requests.post(
            f"{served.url}/api/documents",
            files={"file": ("kopya.pdf", served.law)},
            data={"roles": "isg"},
            headers=served.headers(key),
            timeout=60,
        )

    assert upload(served.ik_key).status_code == 403
    again = upload(served.admin_key)
    assert again.status_code == 409
    assert again.json()["id"] == served.law_id


@pytest.mark.parametrize("who", ["admin_key", "ik_key"])
def test_too_large_upload_gets_its_answer(
    served: Served, who: str, openai_schemas: Schemas
) -> None:
    """A client that is still sending sees the error object and no reset connection."""
    response = requests.post(
        f"{served.url}/api/documents",
        files={"file": ("buyuk.pdf", b"%PDF-1.7\n" + bytes(60 * 1024 * 1024))},
        data={"roles": "isg"},
        headers=served.headers(getattr(served, who)),
        timeout=60,
    )
    assert response.status_code == (413 if who == "admin_key" else 403)
    openai_schemas["ErrorResponse"].validate(response.json())


def test_endless_body_gets_its_answer(served: Served) -> None:
    """Chunked, so that its length is not told beforehand."""
    pieces = (bytes(64 * 1024) for _ in range(320))
    response = requests.post(
        f"{served.url}/v1/chat/completions", data=pieces, headers=served.headers(), timeout=60
    )
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "request_too_large"
