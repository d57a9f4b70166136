"""A turn: streamed once, recorded once, stopped from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docrag.answer.context import number
from docrag.answer.draft import Draft
from docrag.answer.markers import spans
from docrag.answer.quoting.extractive import quote
from docrag.answer.turn import Turn
from docrag.api import Answer, Delta, LLMError, StoreUnavailable, Usage
from tests.unit.answer.sources import chunk, source

FALLBACK = "Bu bilgi belgelerde bulunmuyor."


def draft(**more: Any) -> Draft:  # noqa: ANN401 - fields by name
    """A draft over two sources."""
    values: dict[str, Any] = dict(
        id="t1",
        question="Kaç gün?",
        context=(source(1, "On dört gün."), source(2, "Yirmi gün.")),
        abstention=None,
        model_id="m",
        prompt_id="answer.tr.v1",
        prompt_tokens=10,
        started=time.monotonic(),
        fallback=FALLBACK,
        most_characters=200,
    )
    return Draft(**{**values, **more})


def turn(
    write: Callable[[], Iterator[Delta | Draft]], records: list[Answer], **more: object
) -> Turn:
    """A turn over two sources."""
    return Turn(draft(**more), write, records.append)


def pieces(*texts: str, reason: str | None = "stop") -> Callable[[], Iterator[Delta]]:
    """A model that says these pieces."""

    def write() -> Iterator[Delta]:
        yield from (Delta(text=text) for text in texts)
        if reason:
            yield Delta(finish_reason=reason, usage=Usage(prompt_tokens=7, completion_tokens=3))

    return write


def test_answer_cites_only_what_was_offered() -> None:
    records: list[Answer] = []
    answer = turn(pieces("Yirmi gün [", "2] ve [9]."), records).read()
    assert answer.text == "Yirmi gün [2] ve."
    assert [citation.number for citation in answer.citations] == [2]
    assert answer.usage.prompt_tokens == 7
    assert records == [answer]


def test_stream_ends_with_exactly_one_final_delta() -> None:
    deltas = list(turn(pieces("On dört", " gün [1]"), []).stream())
    assert [delta.finish_reason for delta in deltas].count(None) == len(deltas) - 1
    assert deltas[-1].finish_reason == "stop"


def test_stream_can_be_read_once() -> None:
    one = turn(pieces("x"), [])
    one.read()
    with pytest.raises(RuntimeError, match="once"):
        list(one.stream())


def test_answer_is_not_there_before_the_end() -> None:
    with pytest.raises(RuntimeError, match="not finished"):
        _ = turn(pieces("x"), []).answer


def test_stream_without_an_end_is_an_error_and_recorded() -> None:
    records: list[Answer] = []
    with pytest.raises(LLMError, match="without its last piece"):
        turn(pieces("yarım", reason=None), records).read()
    assert [(record.finish_reason, record.text) for record in records] == [("error", "yarım")]


def test_abandoned_stream_closes_the_model_and_is_recorded() -> None:
    records: list[Answer] = []
    closed = threading.Event()

    def write() -> Iterator[Delta]:
        try:
            while True:
                yield Delta(text="a")
        finally:
            closed.set()

    stream = turn(write, records).stream()
    next(stream)
    stream.close()  # type: ignore[attr-defined]  # a generator
    assert closed.is_set()
    assert [record.finish_reason for record in records] == ["aborted"]


def test_close_from_another_thread_ends_the_stream() -> None:
    records: list[Answer] = []
    go = threading.Event()

    def write() -> Iterator[Delta]:
        yield Delta(text="a")
        go.wait(5)
        yield Delta(text="b")

    one = turn(write, records)
    stream = one.stream()
    seen = [next(stream).text]
    reader = threading.Thread(target=lambda: seen.extend(d.text for d in stream))
    reader.start()
    one.close()
    go.set()
    reader.join(5)
    assert seen == ["a"]
    assert [record.finish_reason for record in records] == ["aborted"]


def test_close_before_the_stream_never_asks_the_model() -> None:
    asked: list[bool] = []
    records: list[Answer] = []

    def write() -> Iterator[Delta]:
        asked.append(True)
        yield Delta(text="x", finish_reason="stop")

    one = turn(write, records)
    one.close()
    assert list(one.stream()) == [] and asked == []
    assert [record.finish_reason for record in records] == ["aborted"]


@pytest.mark.parametrize("texts", [(FALLBACK,), ("", " "), ("[9]",)])
def test_declining_or_empty_model_is_an_abstention(texts: tuple[str, ...]) -> None:
    answer = turn(pieces(*texts), []).read()
    assert answer.abstention is not None
    assert answer.abstention.reason == "model_declined"
    assert answer.text.strip() == FALLBACK


def test_endless_model_is_cut() -> None:
    def write() -> Iterator[Delta]:
        while True:
            yield Delta(text="söz ")

    answer = turn(write, []).read()
    assert answer.finish_reason == "length"
    assert len(answer.text) < 300


def test_impossible_text_and_counts_become_possible() -> None:
    def write() -> Iterator[Delta]:
        yield Delta(text="a\x00\ud800b")
        yield Delta(finish_reason="stop", usage=Usage(prompt_tokens=-5, completion_tokens=10**30))

    answer = turn(write, []).read()
    assert answer.text == "a?b"
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (0, 2**31 - 1)


def test_lost_audit_row_is_logged_and_the_answer_kept(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(_: Answer) -> None:
        raise StoreUnavailable("the database went away")

    one = turn(pieces("On dört gün [1]"), [])
    one._record = refuse
    assert one.read().text == "On dört gün [1]"
    assert "audit row lost" in caplog.text and "On dört" not in caplog.text


def test_thoughts_and_calls_come_in_pieces_of_their_own() -> None:
    call = {"index": 0, "id": "c1", "function": {"name": "ara", "arguments": "{}"}}

    def write() -> Iterator[Delta]:
        yield Delta(reasoning="Belki [1]")
        yield Delta(text="Bakıyorum", tool_calls=(call,))
        yield Delta(finish_reason="tool_calls")

    one = turn(write, [])
    deltas = list(one.stream())
    assert [(d.reasoning, d.tool_calls, d.text) for d in deltas] == [
        ("Belki [1]", (), ""), ("", (call,), ""), ("", (), "Bakıyorum"), ("", (), ""),
    ]  # fmt: skip
    assert deltas[-1].finish_reason == "tool_calls"
    assert (one.answer.text, one.answer.citations) == ("Bakıyorum", ())


def test_calls_without_text_are_no_empty_answer() -> None:
    def write() -> Iterator[Delta]:
        yield Delta(tool_calls=({"index": 0},))
        yield Delta(finish_reason="tool_calls")

    answer = turn(write, []).read()
    assert (answer.text, answer.abstention) == ("", None)


@pytest.mark.parametrize("text", ["", '{"a": [1, 9]}', "Kaynak [9] ve [1, 2]"])
def test_text_is_left_as_it_is_where_nothing_is_resolved(text: str) -> None:
    answer = turn(pieces(text[:4], text[4:]), [], resolves=False, retrieved=False).read()
    assert (answer.text, answer.citations, answer.abstention) == (text, (), None)


def test_turn_says_whether_it_retrieved() -> None:
    assert turn(pieces("x"), []).retrieved
    assert not turn(pieces("x"), [], retrieved=False).retrieved


def test_answer_is_of_the_model_that_wrote_it() -> None:
    def write() -> Iterator[Delta | Draft]:
        yield draft(model_id="n", prompt_id="p2", context=(source(2, "Yirmi gün."),))
        yield Delta(text="Yirmi gün [2][1].")
        yield Delta(finish_reason="stop", usage=Usage(prompt_tokens=5, completion_tokens=2))

    one = turn(write, [])
    assert one.model_id == "m"
    answer = one.read()
    assert (one.model_id, answer.model_id, answer.prompt_id) == ("n", "n", "p2")
    assert (answer.text, answer.usage.prompt_tokens) == ("Yirmi gün [2].", 5)


def test_only_offered_numbers_are_cited_where_they_begin_later() -> None:
    offered = number([chunk(1, "a", page=1), chunk(2, "b", page=2)], first=4)
    answer = turn(pieces("Bir [1], iki [4], üç [5][6] ve [3]."), [], context=offered).read()
    assert answer.text == "Bir, iki [4], üç [5] ve."
    assert [citation.number for citation in answer.citations] == [4, 5]


@pytest.mark.parametrize(
    ("text", "more", "uncited"),
    [
        ("Paris.", {}, True),
        ("Paris [9].", {}, True),
        ("On dört [1].", {}, False),
        (FALLBACK, {}, False),
        ("", {}, False),
        ('{"a": 1}', {"resolves": False}, False),
        ("Merhaba!", {"retrieved": False, "resolves": False, "context": ()}, False),
    ],
)
def test_answer_from_documents_without_a_source_is_uncited(
    text: str, more: dict[str, Any], uncited: bool
) -> None:
    assert turn(pieces(text), [], **more).read().is_uncited is uncited


def test_half_an_answer_is_not_called_uncited() -> None:
    records: list[Answer] = []
    with pytest.raises(LLMError):
        turn(pieces("Par", reason=None), records).read()
    assert not records[0].is_uncited


@pytest.mark.parametrize("step", [1, 2, 100])
def test_markdown_of_a_model_takes_no_marker_over(step: int) -> None:
    text = "Yirmi gün [2](http://evil) ![x](http://evil/y).\n\n[2]: http://evil"
    steps = (text[i : i + step] for i in range(0, len(text), step))
    answer = turn(pieces(*steps), []).read()
    assert answer.text == (
        "Yirmi gün [2] (http://evil) ! [x] (http://evil/y).\n\n[2] : http://evil"
    )
    assert spans(answer.text)[0][1:] == (10, 13)


def test_quoted_document_takes_no_marker_over() -> None:
    text = "Süre ![logo](http://evil) yirmi gündür."
    context = (source(1, text),)
    answer = turn(lambda: quote("Süre?", context), [], context=context).read()
    assert answer.text == "Süre ! [logo] (http://evil) yirmi gündür. [1]"


def test_impossible_text_in_calls_and_thoughts_becomes_possible() -> None:
    call = {"index": 0, "function": {"name": "ara\x00", "arguments": '{"q": "\ud800"}'}}

    def write() -> Iterator[Delta]:
        yield Delta(reasoning="a\ud800")
        yield Delta(tool_calls=(call,))
        yield Delta(finish_reason="tool_calls")

    thought, calls, _ = turn(write, []).stream()
    assert thought.reasoning == "a?"
    assert calls.tool_calls == (
        {"index": 0, "function": {"name": "ara", "arguments": '{"q": "?"}'}},
    )


@pytest.mark.parametrize("text", [f"{FALLBACK} [1]", f"**{FALLBACK}**", f" {FALLBACK}\n"])
def test_fallback_sentence_with_a_marker_declines_as_well(text: str) -> None:
    answer = turn(pieces(text), []).read()
    assert answer.abstention is not None
    assert (answer.abstention.reason, answer.citations) == ("model_declined", ())
