"""Who writes: tries, the next one, and what cannot be taken back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from docrag.answer import writing
from docrag.answer.draft import Draft
from docrag.answer.writing import Attempt, Writing
from docrag.api import (
    AnswerCutShort,
    Delta,
    LLMError,
    LLMRefused,
    LLMTimeout,
    LLMUnavailable,
    Message,
    PromptTooLong,
)
from tests.unit.answer.fakes import Script, ScriptedLLM, says

BUSY = LLMUnavailable("busy", retry_after=0.0)
DOWN = LLMUnavailable("down")


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for half a second."""
    monkeypatch.setattr(writing, "PAUSE", 0.001)


def attempt(
    llm: ScriptedLLM, retries: int = 0, *, resolves: bool = True, has_tools: bool = True
) -> Attempt:
    """An attempt of this model."""
    draft = Draft(
        id="t1", question="Kaç gün?", context=(), abstention=None, model_id=llm.model_id,
        prompt_id="p", prompt_tokens=1, started=time.monotonic(), fallback="", resolves=resolves,
        has_tools=has_tools,
    )  # fmt: skip
    return Attempt(
        draft=draft,
        start=lambda: llm.stream(
            [Message(role="user", content="x")], max_tokens=9, temperature=0.0
        ),
        retries=retries,
    )


def written(*attempts: Attempt) -> tuple[str, list[str]]:
    """The text, and the models that took over."""
    pieces = list(Writing(attempts))
    text = "".join(piece.text for piece in pieces if isinstance(piece, Delta))
    return text, [piece.model_id for piece in pieces if isinstance(piece, Draft)]


def test_first_model_writes_alone() -> None:
    second = ScriptedLLM(says("b"))
    assert written(attempt(ScriptedLLM(says("a"))), attempt(second)) == ("a", [])
    assert second.calls == []


@pytest.mark.parametrize(("retries", "calls"), [(0, 1), (1, 2), (3, 4)])
def test_model_that_is_unavailable_is_tried_again_so_often(retries: int, calls: int) -> None:
    llm = ScriptedLLM([DOWN])
    with pytest.raises(LLMUnavailable):
        written(attempt(llm, retries))
    assert len(llm.calls) == calls


def test_second_try_writes() -> None:
    assert written(attempt(ScriptedLLM([BUSY], says("a")), 1)) == ("a", [])


@pytest.mark.parametrize(
    "failure",
    [
        LLMTimeout("silence"),
        LLMRefused("no such model"),
        PromptTooLong("too long"),
        LLMError("garbage"),
        LLMUnavailable("later", retry_after=60.0),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_failure_that_stays_goes_to_the_next_at_once(failure: LLMError) -> None:
    first, second = ScriptedLLM([failure]), ScriptedLLM(says("b"), model_id="n")
    assert written(attempt(first, 3), attempt(second)) == ("b", ["n"])
    assert len(first.calls) == 1


def test_next_model_has_its_own_tries() -> None:
    second = ScriptedLLM([DOWN], says("b"), model_id="n")
    assert written(attempt(ScriptedLLM([DOWN]), 1), attempt(second, 1)) == ("b", ["n"])


def test_everybody_failing_raises_the_first_failure() -> None:
    with pytest.raises(LLMTimeout, match="silence"):
        written(attempt(ScriptedLLM([LLMTimeout("silence")])), attempt(ScriptedLLM([DOWN])))


@pytest.mark.parametrize(
    "begun",
    [Delta(text="On"), Delta(reasoning="Hmm"), Delta(tool_calls=({"index": 0},))],
    ids=["text", "thought", "call"],
)
def test_failure_after_the_first_word_is_final(begun: Delta) -> None:
    first, second = ScriptedLLM([begun, DOWN]), ScriptedLLM(says("b"))
    with pytest.raises(LLMUnavailable):
        written(attempt(first, 2), attempt(second))
    assert (len(first.calls), second.calls) == (1, [])


def test_empty_pieces_are_no_word() -> None:
    first = ScriptedLLM([Delta(), DOWN])
    assert written(attempt(first), attempt(ScriptedLLM(says("b"), model_id="n"))) == ("b", ["n"])


def test_stream_without_an_end_is_a_failure() -> None:
    script: Script = [Delta()]
    assert written(attempt(ScriptedLLM(script)), attempt(ScriptedLLM(says("b"))))[0] == "b"


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_answer_cut_before_its_first_word_is_a_failure(reason: str) -> None:
    first = ScriptedLLM(says(reason=reason))
    assert written(attempt(first), attempt(ScriptedLLM(says("b"))))[0] == "b"


def test_empty_answer_without_documents_stays_empty() -> None:
    first, second = ScriptedLLM(says(reason="length")), ScriptedLLM(says("b"))
    assert written(attempt(first, resolves=False), attempt(second)) == ("", [])


def test_failures_are_logged_without_the_question(caplog: pytest.LogCaptureFixture) -> None:
    written(attempt(ScriptedLLM([DOWN])), attempt(ScriptedLLM(says("b"))))
    (record,) = caplog.records
    assert (record.levelname, record.action) == ("WARNING", "llm_failed")  # type: ignore[attr-defined] # extra
    assert "Kaç gün" not in caplog.text


def test_closing_ends_a_pause_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PAUSE", 1.9)
    llm = ScriptedLLM([DOWN])
    one = Writing([attempt(llm, 5)])
    reader = threading.Thread(target=lambda: list(one))
    reader.start()
    one.close()
    started = time.monotonic()
    reader.join(5)
    assert time.monotonic() - started < 1
    assert len(llm.calls) <= 1


def test_closing_closes_the_model_that_writes() -> None:
    first, second = ScriptedLLM([DOWN]), ScriptedLLM(says("b", "c"), model_id="n")
    one = Writing([attempt(first), attempt(second)])
    assert [next(one), next(one)][1] == Delta(text="b")
    one.close()
    assert second.closed.is_set()
    assert list(one) == []


def test_closed_writing_asks_nobody_else() -> None:
    second = ScriptedLLM(says("b"))
    holder: list[Writing] = []

    def fails() -> Iterator[Delta]:
        holder[0].close()
        raise DOWN
        yield

    first = attempt(ScriptedLLM([DOWN]))
    holder.append(Writing([Attempt(draft=first.draft, start=fails, retries=1), attempt(second)]))
    assert list(holder[0]) == []
    assert second.calls == []


CALL = {"index": 0, "id": "c1", "function": {"name": "sil", "arguments": "{}"}}


def test_calls_of_tools_that_nobody_offered_are_left_out() -> None:
    script: Script = [Delta(text="a", tool_calls=(CALL,)), Delta(finish_reason="tool_calls")]
    pieces = list(Writing([attempt(ScriptedLLM(script), has_tools=False)]))
    assert pieces == [Delta(text="a"), Delta(finish_reason="stop")]


def test_call_that_nobody_offered_is_no_first_word() -> None:
    first = attempt(ScriptedLLM([Delta(tool_calls=(CALL,)), DOWN]), has_tools=False)
    assert written(first, attempt(ScriptedLLM(says("b"), model_id="n"))) == ("b", ["n"])


@pytest.mark.parametrize(
    ("reason", "failure"), [("length", AnswerCutShort), ("content_filter", LLMRefused)]
)
def test_cut_answer_after_thoughts_says_what_happened(reason: str, failure: type[LLMError]) -> None:
    llm = ScriptedLLM([Delta(reasoning="Hmm"), Delta(finish_reason=reason)])
    with pytest.raises(failure, match=reason):
        written(attempt(llm))
