from __future__ import annotations

import numpy as np
import pytest

from docrag.api import EmbedderError
from docrag.embedders.openai import OpenAIEmbedder
from docrag.testing.openai import FakeOpenAI
from docrag.testing.vectors import vector


def embedder(fake: FakeOpenAI) -> OpenAIEmbedder:
    return OpenAIEmbedder(model="bge-m3", url=f"{fake.url}/v1/", dim=8)


def test_rows_are_ordered_by_index() -> None:
    texts = ["yangın tüpü", "yıllık izin", "kafeterya"]
    with FakeOpenAI(dim=8) as fake:
        rows = embedder(fake).embed_documents(texts)
    assert np.allclose(rows, [vector(text, 8) for text in texts])


def test_request_asks_for_plain_numbers() -> None:
    with FakeOpenAI(dim=8) as fake:
        embedder(fake).embed_query("izin")
    expected = {"model": "bge-m3", "input": ["izin"], "encoding_format": "float"}
    assert fake.requests == [expected]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        [{"embedding": [1.0]}],
        [{"index": 1, "embedding": [1.0] * 8}],
        [{"index": 0, "embedding": "base64=="}],
        [{"index": float("inf"), "embedding": [1.0] * 8}],
        [{"index": 0, "embedding": [10**400] * 8}],
    ],
)
def test_other_shape_is_an_error(data: object) -> None:
    with FakeOpenAI() as fake:
        answer = {"data": data}
        fake.routes = {("POST", "/v1/embeddings"): lambda exchange: exchange.send_json(answer)}
        with pytest.raises(EmbedderError):
            embedder(fake).embed_query("izin")


def test_failing_texts_are_named() -> None:
    texts = ["bir", "TETİK", "üç", "uzun " * 50]
    with FakeOpenAI(dim=8, fail_on="TETİK", max_characters=100) as fake:
        with pytest.raises(EmbedderError) as caught:
            embedder(fake).embed_documents(texts)
    assert (caught.value.indices, caught.value.too_long) == ((1, 3), (3,))


def test_address_has_no_default() -> None:
    with pytest.raises(TypeError, match="url"):
        OpenAIEmbedder(model="bge-m3", dim=8)  # type: ignore[call-arg] # the call under test
