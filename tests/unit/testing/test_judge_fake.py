from __future__ import annotations

from typing import Any

import pytest
import requests

from docrag.testing.judge import FAULTS, SERVERS, FakeClassifier, overlap
from docrag.testing.judges import WordLLM

PAIR = ["Yangın tüpü altı ayda bir denetlenir.", "Yangın tüpü denetlenir."]


def ask(fake: FakeClassifier, **body: object) -> requests.Response:
    path = "/predict" if fake.server == "tei" else "/"
    return requests.post(fake.url + path, json=body, timeout=5, allow_redirects=False)


def test_overlap_knows_turkish_letters() -> None:
    assert overlap("IŞIK ölçümü", "ışık o\u0308lc\u0327u\u0308ldü") == 0.5
    assert overlap("?", "ışık") == 0.0


@pytest.mark.parametrize(
    ("server", "pair"), [("tei", PAIR), ("hf", {"text": PAIR[0], "text_pair": PAIR[1]})]
)
def test_labels_are_best_first(server: str, pair: object) -> None:
    with FakeClassifier(server=server) as fake:
        found = ask(fake, inputs=[pair]).json()
        assert fake.pairs == [(PAIR[0], PAIR[1])]
    assert found[0][0] == {"score": 1.0, "label": "entailment"}
    assert {entry["label"] for entry in found[0]} == {"entailment", "neutral", "contradiction"}


@pytest.mark.parametrize(
    ("server", "body", "status"),
    [
        ("tei", {"inputs": [{"text": "a", "text_pair": "b"}]}, 422),
        ("tei", {"inputs": "a"}, 422),
        ("tei", {"inputs": [PAIR] * 33}, 413),
        ("tei", {"inputs": [["söz " * 400, "söz"]]}, 413),
        ("hf", {"inputs": ["a"]}, 422),
    ],
)
def test_request_that_does_not_suit_is_refused(
    server: str, body: dict[str, Any], status: int
) -> None:
    with FakeClassifier(server=server) as fake:
        assert ask(fake, **body).status_code == status
        assert fake.calls == 1


def test_long_text_is_taken_where_it_may_be_cut() -> None:
    with FakeClassifier() as fake:
        assert ask(fake, inputs=[["söz " * 400, "söz"]], truncate=True).status_code == 200


@pytest.mark.parametrize("options", [{"server": "ollama"}, {"fault": "fire"}])
def test_unknown_choice_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown"):
        FakeClassifier(**options)  # type: ignore[arg-type]  # the values are strings


def test_choices_are_different() -> None:
    assert len(set(FAULTS)) == len(FAULTS)
    assert len(set(SERVERS)) == len(SERVERS)


def test_word_llm_says_its_word() -> None:
    deltas = list(WordLLM("Hayır").stream([], max_tokens=1, temperature=0.0))
    assert "".join(delta.text for delta in deltas) == "Hayır"
    assert deltas[-1].finish_reason == "stop"
