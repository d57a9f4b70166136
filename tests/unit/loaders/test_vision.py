"""A vision model transcribes a page, or its failure is told by who must act."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from docrag.api import LoaderError, OcrEngine, OcrUnavailable, SettingsError
from docrag.loaders import visionserver
from docrag.loaders.vision import PROMPT, VisionEngine
from docrag.testing.vision import FakeVision

PAGE = "MADDE 1 – (1) İşveren, ılık suyu sağlar."
SERVERS = ("ollama", "openai")


@pytest.fixture
def fake() -> Iterator[FakeVision]:
    with FakeVision(answer=PAGE, delay=0.05) as server:
        yield server


def engine(fake: FakeVision, server: str = "ollama", **options: object) -> VisionEngine:
    url = fake.url if server == "ollama" else f"{fake.url}/v1"
    given: dict[str, Any] = {"model": "göz", "server": server, "url": url, **options}
    return VisionEngine(**given)


def read(fake: FakeVision, server: str = "ollama", **options: object) -> str:
    return engine(fake, server, **options).read(b"\x89PNG", dpi=200).text


@pytest.mark.parametrize("server", SERVERS)
def test_page_is_transcribed(fake: FakeVision, server: str) -> None:
    assert isinstance(engine(fake, server), OcrEngine)
    assert read(fake, server, api_key="sk-gizli") == PAGE
    assert fake.pictures == [b"\x89PNG"]
    assert fake.keys == ["Bearer sk-gizli"]


def test_ollama_is_asked_for_a_whole_window(fake: FakeVision) -> None:
    read(fake, max_tokens=500, context_window=9000)
    (body,) = fake.requests
    assert body["options"] == {"temperature": 0, "num_ctx": 9000, "num_predict": 500}
    assert (body["stream"], body["truncate"], body["shift"]) == (False, False, False)
    assert body["messages"][0]["content"] == PROMPT


def test_openai_is_asked_without_chance(fake: FakeVision) -> None:
    read(fake, "openai", max_tokens=500)
    (body,) = fake.requests
    assert (body["temperature"], body["max_tokens"], body["stream"]) == (0, 500, False)


def test_nothing_of_the_environment_is_sent(
    fake: FakeVision, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert read(fake) == PAGE
    assert fake.keys == [None]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("400", "does not take this picture"),
        ("long", "raise context_window"),
        ("500", "failed over this page"),
        ("cut", "more than 6000 tokens"),
        ("refusal", "refused"),
    ],
)
def test_page_fails_alone(fake: FakeVision, server: str, fault: str, said: str) -> None:
    fake.fault = fault
    with pytest.raises(LoaderError, match=said):
        read(fake, server)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("401", "check api_key"),
        ("404", "not known there"),
        ("429", "busy"),
        ("503", "busy"),
        ("blind", "takes no pictures"),
        ("shape", "without a text"),
        ("html", "not a JSON object"),
        ("list", "not a JSON object"),
        ("empty", "not a JSON object"),
        ("redirect", "leads elsewhere"),
        ("broken", "cannot be reached"),
    ],
)
def test_server_fails_for_every_page(fake: FakeVision, server: str, fault: str, said: str) -> None:
    fake.fault = fault
    with pytest.raises(OcrUnavailable, match=said) as caught:
        read(fake, server, api_key="sk-gizli")
    assert "gizli" not in str(caught.value)


def test_filtered_page_fails_alone(fake: FakeVision) -> None:
    fake.fault = "filter"
    with pytest.raises(LoaderError, match="refused"):
        read(fake, "openai")


def test_breakdown_is_tried_once_more(fake: FakeVision) -> None:
    fake.fault = "flaky"
    assert read(fake) == PAGE
    assert len(fake.keys) == 2


@pytest.mark.parametrize("fault", ["slow", "drip"])
def test_slow_page_fails_alone(fake: FakeVision, fault: str) -> None:
    fake.fault = fault
    fake.delay = 0.1 if fault == "drip" else 5.0
    start = time.monotonic()
    with pytest.raises(LoaderError, match=r"within 0\.3 s"):
        read(fake, timeout=0.3)
    assert time.monotonic() - start < 3


def test_hung_server_is_unavailable(fake: FakeVision, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visionserver, "CONNECT_SECONDS", 0.3)
    fake.fault, fake.delay = "hung", 5.0
    with pytest.raises(OcrUnavailable, match="answers nothing else"):
        read(fake, timeout=0.3)


def test_unreachable_server_is_unavailable() -> None:
    engine = VisionEngine(model="x", url="http://ad:gizli@127.0.0.1:1")
    with pytest.raises(OcrUnavailable, match=r"Ollama at http://127\.0\.0\.1:1 cannot") as caught:
        engine.read(b"", dpi=200)
    assert "gizli" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"server": "gemini"}, "ollama or openai"),
        ({"server": "openai"}, "url as well"),
        ({"model": ""}, "name the model"),
        ({"url": "ftp://x"}, "http://"),
        ({"timeout": 0}, "timeout must be"),
        ({"max_tokens": 1}, "max_tokens must be"),
        ({"context_window": 1}, "context_window must be"),
        ({"ca_file": "/yok.pem"}, "ca_file"),
        ({"api_key": "sk-gizli\n"}, "api_key"),
    ],
)
def test_wrong_option_is_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        VisionEngine(**{"model": "x", **options})
    assert "gizli" not in str(caught.value)
