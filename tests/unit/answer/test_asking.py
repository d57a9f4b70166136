"""What a caller may ask for: models, tools, numbers, plain answers, greetings, follow-ups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docrag.answer import writing
from docrag.answer.answerer import Answerer, Sampling
from docrag.answer.models import Models
from docrag.answer.turn import Turn
from docrag.api import (
    Access,
    Answer,
    Delta,
    GenerationOptions,
    LLMError,
    LLMTimeout,
    LLMUnavailable,
    Message,
    PromptTooLong,
    UnknownName,
)
from docrag.rerankers.identity import IdentityReranker
from docrag.retrievers.lexical import LexicalRetriever
from docrag.settings import Settings
from docrag.testing.store import MemoryChunkStore
from tests.unit.answer.fakes import ScriptedLLM, says
from tests.unit.answer.sources import chunk

COUNT = (
    "Çalışan temsilcisi sayısı çalışan sayısına göre belirlenir; beş yüz bir ile bin arası dört."
)
LEAVE = "Yıllık ücretli izin süresi on dört gündür."
SECRET = "Çalışan temsilcisi ödeneği sayısı gizlidir, 8461 liradır."
FIRST = "Çalışan temsilcisi sayısı neye göre belirlenir?"
ISG = Access.of(["isg"])
FALLBACK = "Bu bilgi belgelerde bulunmuyor."
TOOL = {"type": "function", "function": {"name": "ara", "parameters": {}}}
JSON = GenerationOptions(response_format={"type": "json_object"})
DOWN = [LLMUnavailable("down", retry_after=0.0)]


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for half a second."""
    monkeypatch.setattr(writing, "PAUSE", 0.001)


class Desk:
    """An answerer over three passages, and what it recorded."""

    def __init__(
        self,
        llm: ScriptedLLM | None = None,
        *,
        second: ScriptedLLM | None = None,
        aliases: dict[str, ScriptedLLM] | None = None,
        **settings: Any,  # noqa: ANN401 - values of settings
    ) -> None:
        store = MemoryChunkStore()
        for n, (text, role) in enumerate(((COUNT, "isg"), (LEAVE, "isg"), (SECRET, "ik")), start=1):
            store.add(chunk(n, text, page=n, document=f"d{n}").chunk, roles={role})
        self.records: list[Answer] = []
        self.answerer = Answerer(
            settings=Settings(**{"rewrite_seconds": 0.0, **settings}),
            retriever=LexicalRetriever(store=store, embedder=None),
            reranker=IdentityReranker(),
            models=Models(default=llm, fallback=second, aliases=aliases or {}),
        )

    def turn(self, *texts: str, access: Access = ISG, **more: Any) -> Turn:  # noqa: ANN401
        """A turn of these user messages, or of one conversation."""
        messages = [Message(role="user", content=text) for text in texts]
        return self.answerer.prepare(messages, access=access, record=self.records.append, **more)

    def ask(self, *texts: str, **more: Any) -> Answer:  # noqa: ANN401 - of prepare
        """The answer."""
        return self.turn(*texts, **more).read()


def pages(answer: Answer) -> list[int | None]:
    """Pages of the sources that were offered."""
    return [source.page_first for source in answer.context]


def wishes(**options: object) -> Sampling:
    """A caller's options."""
    return Sampling(options=GenerationOptions(**options))  # type: ignore[arg-type] # fields by name


# Greetings


@pytest.mark.parametrize(
    ("text", "identifier"),
    [("Merhaba!", "greeting"), ("SAĞ OL", "thanks"), ("görüşürüz", "goodbye")],
)
@pytest.mark.parametrize("language", ["tr", "en"])
def test_greeting_is_answered_without_search_model_and_record(
    text: str, identifier: str, language: str
) -> None:
    llm = ScriptedLLM(says("x"))
    desk = Desk(llm, language=language)
    turn = desk.turn(FIRST, text)
    answer = turn.read()
    assert answer.prompt_id == f"{identifier}.{language}.v1"
    assert answer.text and FALLBACK not in answer.text
    assert (turn.retrieved, turn.context, answer.abstention) == (False, (), None)
    assert (llm.calls, desk.records) == ([], [])


# Follow-ups


@pytest.mark.parametrize("text", ["Evet.", "devam et", "OK"])
def test_assent_uses_the_sources_before_and_only_them(text: str) -> None:
    desk = Desk()
    assert pages(desk.ask(FIRST, text)) == pages(desk.ask(FIRST))
    assert COUNT in desk.ask(FIRST, text).text


def test_dependent_follow_up_is_answered_from_the_sources_before() -> None:
    answer = Desk().ask(FIRST, "ya 620 kişi olursa?")
    assert answer.abstention is None
    assert pages(answer)[0] == 1
    assert answer.question == f"{FIRST} ya 620 kişi olursa?"


def test_chain_of_follow_ups_is_answered_from_the_first_sources() -> None:
    answer = Desk().ask(FIRST, "ya 620 kişi olursa?", "Peki 80 kişi için?", "Neden?")
    assert answer.abstention is None and pages(answer)[0] == 1


def test_topic_change_is_answered_from_its_own_sources() -> None:
    answer = Desk().ask(FIRST, "Yıllık ücretli izin süresi kaç gündür?")
    assert pages(answer) == [2]


@pytest.mark.parametrize("more", [("ya gece olursa?",), ("Süresi?", "Neden?"), ("Süresi?", "evet")])
def test_follow_up_to_what_is_not_there_is_declined(more: tuple[str, ...]) -> None:
    answer = Desk().ask("Uzay mekiği nasıl fırlatılır?", *more)
    assert (answer.text, answer.context) == (FALLBACK, ())


@pytest.mark.parametrize("text", ["evet", "ya 620 kişi olursa?", "Bunun ödeneği nedir?"])
def test_sources_before_are_checked_against_the_access_of_today(text: str) -> None:
    assert pages(Desk().ask(FIRST, text, access=Access.of(["ik"]))) in ([], [3])
    lost = Desk().ask(FIRST, text, access=Access.of(["uretim"]))
    assert (lost.text, lost.context) == (FALLBACK, ())
    answer = Desk().ask(FIRST, text)
    assert 3 not in pages(answer) and "8461" not in answer.text


def test_rewritten_question_is_searched_and_shown_to_the_model() -> None:
    full = "Çalışan sayısı 620 ise çalışan temsilcisi sayısı kaç olarak belirlenir?"
    llm = ScriptedLLM(says(full), says("Dört [1]."))
    answer = Desk(llm, rewrite_seconds=5.0).ask(FIRST, "ya 620 kişi olursa?")
    last = llm.calls[1][0][-1].content
    assert last.endswith(f"Soru: ya 620 kişi olursa?\nSorunun açık hâli: {full}")
    assert COUNT in last
    assert (answer.question, answer.text) == (full, "Dört [1].")


def test_joined_question_is_shown_with_the_one_before() -> None:
    llm = ScriptedLLM(says("Dört [1]."))
    Desk(llm).ask(FIRST, "ya 620 kişi olursa?")
    last = llm.calls[0][0][-1].content
    assert last.endswith(f"Önceki soru: {FIRST}\nSoru: ya 620 kişi olursa?")


@pytest.mark.parametrize("top_k", [1, 2, 5])
def test_carried_chunks_stay_within_the_limit(top_k: int) -> None:
    answer = Desk(top_k=top_k).ask(FIRST, "Peki yıllık izin olursa?")
    assert len(answer.context) <= top_k
    assert top_k == 1 or {1, 2} <= set(pages(answer))


# Models


def test_alias_writes() -> None:
    fast = ScriptedLLM(says("Hızlı [1]."), model_id="hızlı")
    answer = Desk(ScriptedLLM(says("x")), aliases={"h": fast}).ask(FIRST, model="h")
    assert (answer.model_id, answer.text) == ("hızlı", "Hızlı [1].")


def test_unknown_alias_is_refused_before_anything_is_searched() -> None:
    desk = Desk(ScriptedLLM(says("x")))
    with pytest.raises(UnknownName, match="no model 'y'"):
        desk.turn(FIRST, model="y")
    with pytest.raises(UnknownName):
        desk.answerer.plain([Message(role="user", content="x")], model="y")


def test_second_model_writes_when_the_first_is_down() -> None:
    first, second = ScriptedLLM(DOWN), ScriptedLLM(says("Dört [1]."), model_id="n")
    answer = Desk(first, second=second).ask(FIRST)
    assert (answer.model_id, answer.text, len(first.calls)) == ("n", "Dört [1].", 2)
    assert answer.usage.completion_tokens == 3


def test_passages_are_quoted_when_both_are_down() -> None:
    answer = Desk(ScriptedLLM(DOWN), second=ScriptedLLM([LLMTimeout("x")])).ask(FIRST)
    assert answer.text.startswith("Dil modeli şu anda yanıt veremedi") and COUNT in answer.text
    assert pages(answer) == [1] and answer.citations


def test_nothing_is_quoted_to_a_program_that_wants_json() -> None:
    with pytest.raises(LLMUnavailable):
        Desk(ScriptedLLM(DOWN)).ask(FIRST, sampling=Sampling(options=JSON))


def test_second_model_is_asked_where_the_first_has_too_small_a_window() -> None:
    small, second = ScriptedLLM(says("x"), context_window=300), ScriptedLLM(says("b"), model_id="n")
    assert Desk(small, second=second).ask(FIRST).model_id == "n"
    with pytest.raises(PromptTooLong):
        Desk(small).turn(FIRST)


# Wishes


def test_numbers_begin_where_they_are_told() -> None:
    llm = ScriptedLLM(says("Bir [1], dört [4]."))
    answer = Desk(llm).ask(FIRST, first_number=4)
    assert answer.text == "Bir, dört [4]."
    assert [source.number for source in answer.citations] == [4]
    assert "[4] Çalışan" in llm.calls[0][0][-1].content


@pytest.mark.parametrize(
    ("setting", "from_documents", "plain"),
    [("plain", False, True), ("always", True, True), ("never", False, False)],
)
def test_tools_reach_the_models_that_the_setting_names(
    setting: str,
    from_documents: bool,
    plain: bool,  # noqa: FBT001 - expected values
) -> None:
    llm = ScriptedLLM(says("x"))
    desk, wish = Desk(llm, tools=setting), wishes(tools=(TOOL,), tool_choice="auto", top_p=0.5)
    desk.ask(FIRST, sampling=wish)
    desk.answerer.plain([Message(role="user", content="x")], sampling=wish).read()
    given = [call[3] for call in llm.calls]
    assert [bool(options and options.tools) for options in given] == [from_documents, plain]
    assert all(options and options.top_p == 0.5 for options in given)
    assert [options and options.tool_choice for options in given] == [
        "auto" if has else None for has in (from_documents, plain)
    ]


@pytest.mark.parametrize(
    ("setting", "from_documents", "plain"),
    [("plain", False, True), ("always", True, True), ("never", False, False)],
)
def test_calls_come_back_only_where_tools_were_given(
    setting: str,
    from_documents: bool,
    plain: bool,  # noqa: FBT001 - expected values
) -> None:
    call = {"index": 0, "id": "c1", "function": {"name": "sil", "arguments": "{}"}}
    llm = ScriptedLLM([Delta(tool_calls=(call,)), Delta(finish_reason="tool_calls")])
    desk, wish = Desk(llm, tools=setting), wishes(tools=(TOOL,))
    question = [Message(role="user", content=FIRST)]
    record = desk.records.append
    turns = [
        desk.answerer.prepare(question, access=ISG, record=record, sampling=wish),
        desk.answerer.plain(question, sampling=wish),
    ]
    deltas = [list(turn.stream()) for turn in turns]
    assert [any(delta.tool_calls for delta in one) for one in deltas] == [from_documents, plain]
    assert [one[-1].finish_reason == "tool_calls" for one in deltas] == [from_documents, plain]


def test_results_of_tools_stand_behind_the_question_only_with_tools() -> None:
    call = Message(role="assistant", content="", tool_calls=({"id": "c1"},))
    chat = [
        Message(role="user", content=FIRST),
        call,
        Message(role="tool", content="620", tool_call_id="c1"),
    ]
    for setting, roles in (("always", ["user", "assistant", "tool"]), ("plain", ["user"])):
        llm = ScriptedLLM(says("x"))
        desk = Desk(llm, tools=setting)
        desk.answerer.prepare(
            chat, access=ISG, record=desk.records.append, sampling=wishes(tools=(TOOL,))
        ).read()
        assert [message.role for message in llm.calls[0][0][1:]] == roles


def test_no_options_are_given_where_none_are_left() -> None:
    llm = ScriptedLLM(says("x"))
    Desk(llm).ask(FIRST, sampling=wishes(tools=(TOOL,)))
    assert llm.calls[0][3] is None


def test_json_is_left_as_it_is() -> None:
    text = '{"sayı": [1, 9], "kaynak": "[9]"}'
    answer = Desk(ScriptedLLM(says(text))).ask(FIRST, sampling=Sampling(options=JSON))
    assert (answer.text, answer.citations, pages(answer)) == (text, (), [1])


# Plain


def plain(desk: Desk, messages: Sequence[Message], sampling: Sampling | None = None) -> Answer:
    """A finished plain answer."""
    turn = desk.answerer.plain(messages, sampling=sampling)
    assert (turn.retrieved, turn.context, turn.abstention) == (False, (), None)
    return turn.read()


def test_plain_messages_reach_the_model_as_they_are() -> None:
    part = {"type": "image_url", "image_url": {"url": "data:,"}}
    chat = (
        Message(role="system", content="Sistem [1]"),
        Message(role="user", content="Bak", parts=(part,)),
        Message(role="assistant", content="Gördüm [3]", tool_calls=({"id": "c"},)),
        Message(role="tool", content="5", tool_call_id="c"),
    )
    llm = ScriptedLLM(says("Beş [3][9]"))
    desk = Desk(llm)
    assert plain(desk, chat).text == "Beş [3][9]"
    assert llm.calls[0][0] == chat
    assert desk.records == []


def test_plain_empty_answer_stays_empty() -> None:
    answer = plain(Desk(ScriptedLLM(says())), [Message(role="user", content="x")])
    assert (answer.text, answer.finish_reason) == ("", "stop")


@pytest.mark.parametrize(
    ("language", "said"), [("tr", "Şu anda bir dil modeli bağlı değil"), ("en", "No language")]
)
def test_plain_without_a_model_says_so(language: str, said: str) -> None:
    answer = plain(Desk(language=language), [Message(role="user", content="x")])
    assert answer.text.startswith(said)
    assert answer.prompt_id == f"no_model.{language}.v1"


def test_plain_falls_back_to_the_second_model_then_fails() -> None:
    chat = [Message(role="user", content=FIRST)]
    second = ScriptedLLM(says("b"), model_id="n")
    assert plain(Desk(ScriptedLLM(DOWN), second=second), chat).model_id == "n"
    with pytest.raises(LLMError, match="down"):
        plain(Desk(ScriptedLLM(DOWN)), chat)


def test_plain_oldest_turns_go_first() -> None:
    llm = ScriptedLLM(says("b"), context_window=1500)
    chat = [
        Message(role="system", content="S"),
        Message(role="user", content="eski " * 300),
        Message(role="assistant", content="yanıt"),
        Message(role="user", content="yeni"),
    ]
    plain(Desk(llm), chat)
    assert llm.calls[0][0] == (chat[0], chat[3])


def test_plain_message_that_cannot_fit_is_refused() -> None:
    with pytest.raises(PromptTooLong):
        Desk(ScriptedLLM(says("b"))).answerer.plain([Message(role="user", content="x " * 20_000)])


def test_plain_without_messages_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Desk().answerer.plain([])
