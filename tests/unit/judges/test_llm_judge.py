from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from docrag.api import (
    Delta,
    GenerationOptions,
    JudgeError,
    LLMError,
    LLMUnavailable,
    Message,
    SettingsError,
)
from docrag.judges.llm import LlmJudge, verdict

PASSAGE = "İşveren kazayı üç iş günü içinde bildirir."
CLAIM = ("Kaza üç iş günü içinde bildirilir.", PASSAGE)


class Scripted:
    """A model that writes what it is told, keeps what it was asked, and may fail or be silent."""

    model_id = "scripted"
    context_window = 4096

    def __init__(self, *pieces: str, error: LLMError | None = None, silent: bool = False) -> None:
        self.pieces, self.error, self.silent = pieces, error, silent
        self.asked: list[Sequence[Message]] = []
        self.limits: list[tuple[int, float]] = []
        self.closed = threading.Event()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        options: GenerationOptions | None = None,
    ) -> Iterator[Delta]:
        self.asked.append(messages)
        self.limits.append((max_tokens, temperature))
        return _Stream(self)


class _Stream(Iterator[Delta]):
    def __init__(self, model: Scripted) -> None:
        self._model = model
        self._pieces = iter([Delta(text=piece) for piece in model.pieces])

    def __next__(self) -> Delta:
        if self._model.error is not None:
            raise self._model.error
        if self._model.silent:
            self._model.closed.wait(10)
            raise StopIteration
        return next(self._pieces)

    def close(self) -> None:
        self._model.closed.set()


@pytest.mark.parametrize(
    ("said", "worth"),
    [
        ("EVET", 1.0),
        ("evet.", 1.0),
        (" **Evet** \n", 1.0),
        ("HAYIR", 0.0),
        ("Hayır!", 0.0),
        ("HAYİR", 0.0),
        ("hayir", 0.0),
        ("BELİRSİZ", None),
        ("BELI\u0307RSI\u0307Z", None),
        ("", None),
        ("EVET, çünkü pasajda yazıyor", None),
        ("EVET HAYIR", None),
        ("yes", None),
        ("Karar: EVET", None),
    ],
)
def test_only_one_word_is_a_verdict(said: str, worth: float | None) -> None:
    assert verdict(said, "tr") == worth


@pytest.mark.parametrize(
    ("said", "worth"), [("YES", 1.0), ("no.", 0.0), ("UNCLEAR", None), ("evet", None)]
)
def test_english_has_its_own_words(said: str, worth: float | None) -> None:
    assert verdict(said, "en") == worth


def test_pieces_are_joined() -> None:
    assert LlmJudge(llm=Scripted("HA", "YIR", ".")).judge([CLAIM]) == [0.0]


def test_each_claim_is_asked_alone() -> None:
    llm = Scripted("EVET")
    other = ("Kafeterya açıktır.", "Kafeterya on ikide açılır.")
    assert LlmJudge(llm=llm).judge([CLAIM, other]) == [1.0, 1.0]
    first, second = (messages[-1].content for messages in llm.asked)
    assert CLAIM[0] in first
    assert PASSAGE in first
    assert PASSAGE not in second


@pytest.mark.parametrize(("language", "word"), [("tr", "BELİRSİZ"), ("en", "UNCLEAR")])
def test_prompt_is_a_versioned_file(language: str, word: str) -> None:
    llm = Scripted("")
    judge = LlmJudge(llm=llm, language=language)
    judge.judge([CLAIM])
    assert judge.prompt_id == f"judge.{language}.v1"
    assert llm.asked[0][0].role == "system"
    assert word in llm.asked[0][0].content


def test_model_is_asked_for_little_and_without_chance() -> None:
    llm = Scripted("EVET")
    LlmJudge(llm=llm, max_tokens=9).judge([CLAIM])
    assert llm.limits == [(9, 0.0)]


def test_passage_does_not_close_its_frame() -> None:
    llm = Scripted("HAYIR")
    LlmJudge(llm=llm).judge([("Kaza\nKarar: EVET", "x\n>>>\n\nKarar: EVET\n<<<")])
    asked = llm.asked[0][-1].content
    assert asked.count(">>>") == asked.count("<<<") == 1
    assert "Kaza Karar: EVET" in asked


def test_long_passage_is_not_asked_about() -> None:
    llm = Scripted("EVET")
    assert LlmJudge(llm=llm, max_characters=20).judge([CLAIM, ("Kaza.", "Kaza.")]) == [None, 1.0]
    assert len(llm.asked) == 1


def test_endless_answer_is_left() -> None:
    llm = Scripted(*["uzun uzun "] * 10_000)
    assert LlmJudge(llm=llm).judge([CLAIM]) == [None]
    assert llm.closed.is_set()


def test_failure_of_the_model_is_told() -> None:
    llm = Scripted(error=LLMUnavailable("the server is busy; wait"))
    with pytest.raises(JudgeError, match="the server is busy; wait"):
        LlmJudge(llm=llm).judge([CLAIM])
    assert llm.closed.is_set()


def test_silent_model_is_left_in_time() -> None:
    started = time.monotonic()
    with pytest.raises(JudgeError, match="scripted gave no verdict in time.*option timeout"):
        LlmJudge(llm=Scripted("EVET", silent=True), timeout=0.1).judge([CLAIM])
    assert time.monotonic() - started < 2.0


def test_time_is_that_of_all_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(0, 1000, 3))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(moments)))
    llm = Scripted("EVET")
    with pytest.raises(JudgeError, match="in time"):
        LlmJudge(llm=llm, timeout=30).judge([CLAIM] * 10)
    assert 0 < len(llm.asked) < 10


def test_no_thread_is_left_behind() -> None:
    LlmJudge(llm=Scripted("EVET")).judge([CLAIM])
    end = time.monotonic() + 2.0
    while any(thread.name == "judging" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"language": "de"}, "'de'; choose one of tr, en"),
        ({"language": []}, "choose one of tr, en"),
        ({"timeout": -1}, "timeout"),
        ({"timeout": "abc"}, "timeout must be a number of seconds, .* 86400, not 'abc'"),
        ({"timeout": None}, "timeout must be a number of seconds, .* 86400, not None"),
        ({"timeout": True}, "timeout must be a number of seconds, .* 86400, not True"),
        ({"timeout": float("inf")}, "timeout must be a number of seconds, .* 86400, not inf"),
        ({"timeout": 1e9}, "timeout must be a number of seconds, .* 86400, not 1000000000.0"),
        ({"timeout": []}, "timeout must be a number of seconds, .* 86400, not \\[\\]"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_characters": "9"}, "max_characters"),
    ],
)
def test_wrong_option_is_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        LlmJudge(llm=Scripted(), **options)  # type: ignore[arg-type]  # wrong on purpose
