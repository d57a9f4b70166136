"""Vectors over HTTP: what goes in, what comes out, and what is refused."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.api import Embedder, EmbedderError, Vectors
from docrag.assistant import Assistant
from docrag.embedders.hashing import HashingEmbedder
from docrag.settings import Settings
from docrag.web import create_app
from docrag.web.extensions import KEY
from tests.integration.web.conftest import Headers

URL = "/v1/embeddings"
TEXTS = ["Baret zorunlu mu?", "Işık ve İzin", "yıllık izin"]


class Recorder(HashingEmbedder):
    """Remembers what it was asked, and cannot embed some texts."""

    def __init__(self, *, bad: str = "", too_long: bool = False, broken: bool = False) -> None:
        super().__init__(dim=8)
        self.batches: list[list[str]] = []
        self.questions: list[str] = []
        self._bad, self._too_long, self._broken = bad, too_long, broken

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors, unless a text is the bad one."""
        if self._broken:
            raise EmbedderError("http://intern:11434 refused the connection")
        self.batches.append(list(texts))
        if self._bad in texts:
            place = (list(texts).index(self._bad),)
            raise EmbedderError("no", indices=place, too_long=place if self._too_long else ())
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question."""
        self.questions.append(text)
        if text == self._bad:
            raise EmbedderError("the server refused a text")
        return super().embed_query(text)


def post(client: FlaskClient, headers: Headers, **body: Any) -> TestResponse:  # noqa: ANN401 - JSON
    """A request for vectors of the usual texts unless told otherwise."""
    return client.post(URL, json={"model": "docrag", "input": TEXTS, **body}, headers=headers)


def vectors(response: TestResponse) -> list[list[float]]:
    """The vectors of an answer in order of their index."""
    assert response.status_code == 200, response.text
    data: Any = response.get_json()["data"]
    assert [entry["index"] for entry in data] == list(range(len(data)))
    return [entry["embedding"] for entry in data]


def error(response: TestResponse, status: int) -> dict[str, Any]:
    """The error object of an answer."""
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.get_json()["error"]
    return found


def use(monkeypatch: pytest.MonkeyPatch, embedder: Embedder) -> None:
    """Let every assistant have this embedder."""
    monkeypatch.setattr(Assistant, "embedder", embedder)


def test_vectors_are_those_of_the_embedder(client: FlaskClient, isg: Headers) -> None:
    found = vectors(post(client, isg))
    wanted = HashingEmbedder().embed_documents(TEXTS)

    assert np.allclose(np.array(found, dtype=np.float32), wanted)


def test_one_text_gives_one_vector(client: FlaskClient, isg: Headers) -> None:
    (found,) = vectors(post(client, isg, input=TEXTS[0]))

    assert found == vectors(post(client, isg))[0]


def test_base64_holds_the_same_numbers(client: FlaskClient, isg: Headers) -> None:
    coded = vectors(post(client, isg, encoding_format="base64"))
    found = [np.frombuffer(base64.b64decode(str(one)), dtype="<f4").tolist() for one in coded]

    assert found == vectors(post(client, isg, encoding_format="float"))


def test_body_names_model_and_tokens(client: FlaskClient, isg: Headers) -> None:
    body: Any = post(client, isg, model="hashing-256", user={"id": 1}, unknown=[1]).get_json()

    assert (body["object"], body["model"]) == ("list", "hashing-256")
    assert body["usage"]["prompt_tokens"] == body["usage"]["total_tokens"] > 0


@pytest.mark.parametrize("given", [256, None])
def test_own_number_of_dimensions_is_taken(
    client: FlaskClient, isg: Headers, given: int | None
) -> None:
    assert len(vectors(post(client, isg, dimensions=given))[0]) == 256


@pytest.mark.parametrize(
    ("body", "param", "said"),
    [
        ({"dimensions": 128}, "dimensions", "256"),
        ({"dimensions": "kısa"}, "dimensions", ""),
        ({"encoding_format": "int8"}, "encoding_format", "base64"),
        ({"input_type": "image"}, "input_type", "query"),
        ({"input": [1, 2, 3]}, "input", "send texts"),
        ({"input": [[1, 2], [3]]}, "input", "send texts"),
        ({"input": []}, "input", "1 to 2048"),
        ({"input": ["a"] * 2049}, "input", "2049"),
        ({"input": None}, "input", ""),
        ({"input": {"text": "a"}}, "input", "list of texts"),
        ({"input": ""}, "input[0]", "empty"),
        ({"input": ["a", ""]}, "input[1]", "empty"),
        ({"input": ["a", None]}, "input[1]", "text"),
    ],
)
def test_odd_requests_are_refused_by_name(
    client: FlaskClient, isg: Headers, body: dict[str, Any], param: str, said: str
) -> None:
    found = error(post(client, isg, **body), 400)

    assert (found["type"], found["param"]) == ("invalid_request_error", param)
    assert said in found["message"]


def test_missing_input_is_refused(client: FlaskClient, isg: Headers) -> None:
    response = client.post(URL, json={"model": "docrag"}, headers=isg)

    assert error(response, 400)["param"] == "input"


def test_other_model_is_not_found(client: FlaskClient, isg: Headers) -> None:
    found = error(post(client, isg, model="text-embedding-3-small"), 404)

    assert found["code"] == "model_not_found"
    assert found["message"].endswith("choose one of docrag, hashing-256.")


def test_nobody_gets_vectors(client: FlaskClient) -> None:
    assert error(post(client, {}), 401)["code"] == "invalid_api_key"


def test_texts_go_in_batches(
    client: FlaskClient, isg: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder()
    use(monkeypatch, recorder)
    texts = [f"metin {place}" for place in range(19)]
    found = vectors(post(client, isg, input=texts))

    assert [len(batch) for batch in recorder.batches] == [8, 8, 3]
    assert np.allclose(found, HashingEmbedder(dim=8).embed_documents(texts))


@pytest.mark.parametrize("kind", ["query", "search_query"])
def test_questions_are_embedded_as_such(
    client: FlaskClient, isg: Headers, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    recorder = Recorder()
    use(monkeypatch, recorder)
    post(client, isg, input_type=kind)

    assert (recorder.questions, recorder.batches) == (TEXTS, [])


def test_composed_and_decomposed_letters_reach_the_model(client: FlaskClient, isg: Headers) -> None:
    forms = [normalize(form, "ağaç güneş İzin") for form in ("NFC", "NFD")]
    one, two = vectors(post(client, isg, input=forms))

    assert forms[0] != forms[1]
    assert one == two


def test_question_at_fault_is_named(
    client: FlaskClient, isg: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Recorder(bad="bozuk"))
    found = error(post(client, isg, input=["iyi", "bozuk"], input_type="query"), 400)

    assert found["param"] == "input[1]"


@pytest.mark.parametrize(("too_long", "said"), [(True, "too long"), (False, "cannot be embedded")])
def test_text_at_fault_is_named(
    client: FlaskClient,
    isg: Headers,
    monkeypatch: pytest.MonkeyPatch,
    too_long: bool,
    said: str,
) -> None:
    use(monkeypatch, Recorder(bad="bozuk", too_long=too_long))
    found = error(post(client, isg, input=["iyi"] * 10 + ["bozuk"]), 400)

    assert found["param"] == "input[10]"
    assert said in found["message"]


def test_failing_model_may_be_asked_again(
    client: FlaskClient, isg: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Recorder(broken=True))
    response = post(client, isg)

    assert response.headers["Retry-After"]
    found = error(response, 503)
    assert found["code"] == "service_unavailable"
    assert "intern" not in found["message"]


def test_too_large_body_is_refused(client: FlaskClient, isg: Headers) -> None:
    response = post(client, isg, input="a" * 9_000_000)

    assert error(response, 413)["code"] == "request_too_large"


@pytest.fixture
def wordy(app: Flask, database_url: str, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of a server that searches by words only, on the same database."""
    other = create_app(Settings(instance=tmp_path, database_url=database_url, embedder="none"))
    yield other.test_client()
    other.extensions[KEY].assistant.close()


@pytest.fixture
def counting(app: Flask, database_url: str, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of a server that takes one question a minute, on the same database."""
    settings = Settings(
        instance=tmp_path, database_url=database_url, embedder="hashing", rate_per_minute=1
    )
    other = create_app(settings)
    yield other.test_client()
    other.extensions[KEY].assistant.close()


def test_requests_count_as_such_without_documents(counting: FlaskClient, isg: Headers) -> None:
    statuses = [post(counting, isg).status_code for _ in range(11)]
    question = {"model": "docrag", "messages": [{"role": "user", "content": "Baret?"}]}
    asked = counting.post("/v1/chat/completions", json=question, headers=isg)

    assert statuses == [200] * 10 + [429]
    assert asked.status_code == 200


def test_operator_is_told_how_to_have_vectors(wordy: FlaskClient, isg: Headers) -> None:
    assert "DOCRAG_EMBEDDER" in error(post(wordy, isg), 404)["message"]
