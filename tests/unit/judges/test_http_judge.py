from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from docrag.api import JudgeError, SettingsError
from docrag.judges.http import HttpJudge
from docrag.testing.judge import SERVERS, FakeClassifier

PASSAGE = "İşveren kazayı üç iş günü içinde kuruma bildirir."
CLAIMS = [("Kaza üç iş günü içinde bildirilir.", PASSAGE), ("Kafeterya açılır.", PASSAGE)]
KEY = "sk-gizli-anahtar"


@pytest.mark.parametrize("shape", SERVERS)
def test_supported_sentence_is_told_from_another(shape: str) -> None:
    with FakeClassifier(server=shape) as fake:
        supported, other = HttpJudge(url=fake.url, shape=shape).judge(CLAIMS)
        assert fake.pairs[0] == (PASSAGE, CLAIMS[0][0])
    assert supported is not None
    assert other is not None
    assert supported > 0.8
    assert other < 0.2


@pytest.mark.parametrize("path", ["", "/", "/predict", "/predict/"])
def test_address_may_be_whole_or_not(path: str) -> None:
    with FakeClassifier() as fake:
        assert len(HttpJudge(url=fake.url + path).judge(CLAIMS)) == 2


def test_pairs_go_in_batches() -> None:
    with FakeClassifier() as fake:
        assert len(HttpJudge(url=fake.url, batch_size=2).judge(CLAIMS[:1] * 5)) == 5
        assert [len(body["inputs"]) for body in fake.requests] == [2, 2, 1]


def test_nothing_is_sent_for_empty_claims() -> None:
    with FakeClassifier() as fake:
        assert HttpJudge(url=fake.url).judge([("", PASSAGE), ("Kaza.", "\0 ")]) == [None, None]
        assert fake.calls == 0


def test_best_part_of_a_long_passage_counts() -> None:
    long = f"{'Kafeterya saat on ikide açılır. ' * 60}{PASSAGE} {'Servis kalkar. ' * 60}"
    with FakeClassifier() as fake:
        found = HttpJudge(url=fake.url, max_characters=200).judge([(CLAIMS[0][0], long)])
        assert len(fake.pairs) > 10
        assert all(len(premise) <= 200 for premise, _ in fake.pairs)
    assert found[0] is not None
    assert found[0] > 0.8


def test_label_of_entailment_is_an_option() -> None:
    with FakeClassifier(labels=("LABEL_1", "LABEL_0")) as fake:
        found = HttpJudge(url=fake.url, label="LABEL_1").judge(CLAIMS)
        with pytest.raises(JudgeError, match="set the option label"):
            HttpJudge(url=fake.url).judge(CLAIMS)
    assert found[0] is not None
    assert found[0] > 0.8


@pytest.mark.parametrize("fault", ["nan", "null", "text", "boolean"])
def test_pair_without_a_number_has_no_verdict(fault: str) -> None:
    with FakeClassifier(fault=fault) as fake:
        found = HttpJudge(url=fake.url).judge(CLAIMS)
    assert found[0] is not None
    assert found[1] is None


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("401", r"answered 401 \(invalid_api_key\): check the option api_key"),
        ("413", "lower the options batch_size and max_characters"),
        ("429", "raise its limit"),
        ("500", "look at its log"),
        ("missing", "1 pairs of 2"),
        ("more", "3 pairs of 2"),
        ("raw", "softmax"),
        ("huge", "softmax"),
        ("no_list", "list of labels"),
        ("no_entailment", "set the option label"),
        ("garbage", "no labels"),
        ("html", "not JSON"),
        ("empty", "not JSON"),
        ("deep", "not JSON"),
        ("cut", "cannot be reached or broke off"),
        ("redirect", "a redirect, which is not followed"),
    ],
)
def test_failure_says_what_to_do(fault: str, hint: str) -> None:
    with (
        FakeClassifier(fault=fault) as fake,
        pytest.raises(JudgeError, match=f"the judge at {fake.url} .*{hint}"),
    ):
        HttpJudge(url=fake.url).judge(CLAIMS)


def test_starting_server_is_asked_again() -> None:
    with FakeClassifier(fault="503") as fake:
        with pytest.raises(JudgeError, match="starting or overloaded"):
            HttpJudge(url=fake.url).judge(CLAIMS)
        assert fake.calls == 3


@pytest.mark.parametrize(("fault", "delay"), [("slow", 5.0), ("drip", 0.05)])
def test_slow_server_is_left_in_time(fault: str, delay: float) -> None:
    started = time.monotonic()
    with (
        FakeClassifier(fault=fault, delay=delay) as fake,
        pytest.raises(JudgeError, match="did not answer in time; raise the option timeout"),
    ):
        HttpJudge(url=fake.url, timeout=0.2).judge(CLAIMS)
    assert time.monotonic() - started < 2.0


@pytest.mark.parametrize("fault", ["401", "422", "500"])
def test_messages_hold_neither_key_nor_text(fault: str, caplog: pytest.LogCaptureFixture) -> None:
    with FakeClassifier(fault=fault) as fake:
        judge = HttpJudge(url=fake.url, api_key=KEY)
        with caplog.at_level(logging.INFO), pytest.raises(JudgeError) as caught:
            judge.judge(CLAIMS)
        assert fake.keys[0] == f"Bearer {KEY}"
    shown = f"{caught.value} {caught.value!r} {caplog.text} {judge!r}"
    assert not any(word in shown for word in (KEY, "kaza", "Kafeterya"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"url": "judge:80"}, "http:// or https://"),
        ({"url": "http://x", "shape": "nli"}, "'nli'; choose one of tei, hf"),
        ({"url": "http://x", "batch_size": 0}, "batch_size"),
        ({"url": "http://x", "max_characters": 1.5}, "max_characters"),
        ({"url": "http://x", "shape": []}, "shape is \\[\\]; choose one of tei, hf"),
        ({"url": "http://x", "label": 3}, "label must be a text, not 3"),
        ({"url": "http://x", "timeout": 0}, "timeout must be a number of seconds, more than 0"),
        (
            {"url": "http://x", "timeout": "abc"},
            "timeout must be a number of seconds, .* 86400, not 'abc'",
        ),
        (
            {"url": "http://x", "timeout": None},
            "timeout must be a number of seconds, .* 86400, not None",
        ),
        (
            {"url": "http://x", "timeout": True},
            "timeout must be a number of seconds, .* 86400, not True",
        ),
        (
            {"url": "http://x", "timeout": float("inf")},
            "timeout must be a number of seconds, .* 86400, not inf",
        ),
        (
            {"url": "http://x", "timeout": 1e9},
            "timeout must be a number of seconds, .* 86400, not 1000000000.0",
        ),
        (
            {"url": "http://x", "timeout": []},
            "timeout must be a number of seconds, .* 86400, not \\[\\]",
        ),
        ({"url": "http://x", "api_key": "a\nb"}, "api_key"),
        ({"url": "http://x", "ca_file": "yok.pem"}, "ca_file"),
    ],
)
def test_wrong_option_is_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        HttpJudge(**options)
