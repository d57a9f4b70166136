"""Follow-up questions over the law on safety at work: their meaning, and whose sources they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from docrag.api import Access, Answer, Message
from docrag.assistant import Assistant
from docrag.testing.chat import NO_PASSAGE
from docrag.testing.ollama import FakeOllama
from tests.integration.assistant.conftest import Opener

FIRST = "Çalışan temsilcisi sayısı neye göre belirlenir?"
FULL = "620 çalışanı olan işyerinde çalışan temsilcisi sayısı kaç olarak belirlenir?"
FOUR = "Beşyüzbir ile bin arasında çalışanı bulunan işyerlerinde dört"
RULES = {
    "temsilci": "Çalışan temsilcisi sayısı, çalışan sayısına göre belirlenir.",
    "izin": "Yıllık izin süresi on dört gündür.",
}
#: Search by words alone, which needs no model and is fast.
WORDS: Mapping[str, Any] = {"embedder": "none", "retriever": "lexical"}
STAFF = Access.of(["personel"])
FOLLOW_UPS = ["620 kişi olursa?", "ya 620 kişi olursa?", "YA 620 KİŞİ OLURSA"]


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    """A fake Ollama server."""
    with FakeOllama() as fake:
        yield fake


def law(open_assistant: Opener, data_folder: Path) -> Assistant:
    """An assistant that knows the law, for ``personel``."""
    assistant = open_assistant(**WORDS)
    assistant.store.roles.create("personel")
    assistant.ingest(data_folder / "docs/tr/kanun_6331.pdf", roles={"personel"})
    return assistant


def rules(open_assistant: Opener, **settings: object) -> Assistant:
    """An assistant that knows two short rules, for ``personel``."""
    assistant = open_assistant(**WORDS, **settings)
    assistant.store.roles.create("personel")
    for name, text in RULES.items():
        assistant.ingest(text.encode(), filename=f"{name}.txt", roles={"personel"})
    return assistant


def conversation(last: str, first: str = FIRST) -> list[Message]:
    """A conversation with one question that has been answered, as a client sends it back."""
    return [
        Message(role="user", content=first),
        Message(role="assistant", content="Çalışan sayısına göre [1].\n\n---\nKaynaklar:\n- [1] x"),
        Message(role="user", content=last),
    ]


def names(answer: Answer) -> list[str]:
    """Files of the sources that were offered."""
    return [source.filename for source in answer.context]


def full_then_quote(request: Mapping[str, Any]) -> str:
    """A model that rewrites, and answers with the item of the list if it sees it."""
    prompt = str(request["messages"])
    if "yeniden yaz" in prompt:
        return FULL
    return "Dört [1]." if "işyerlerinde dört" in " ".join(prompt.split()) else NO_PASSAGE


def test_b26_follow_up_brings_article_20_without_a_model(
    open_assistant: Opener, data_folder: Path
) -> None:
    assistant = law(open_assistant, data_folder)
    for follow_up in FOLLOW_UPS:
        answer = assistant.ask(conversation(follow_up), access=STAFF)
        assert answer.abstention is None
        best = answer.context[0]
        assert best.page_first == 12
        assert "MADDE 20" in best.text and FOUR in " ".join(best.text.split())
        assert 12 in [source.page_first for source in answer.citations]
        assert FOUR in " ".join(answer.text.split())


def test_b26_prompt_holds_article_20(
    open_assistant: Opener, data_folder: Path, ollama: FakeOllama
) -> None:
    ollama.answer = full_then_quote
    options = {"url": ollama.url, "model": "m", "context_window": 4096}
    law(open_assistant, data_folder)
    for seconds, question in ((5.0, FULL), (0.0, f"{FIRST} {FOLLOW_UPS[0]}")):
        assistant = open_assistant(
            **WORDS, llm="ollama", llm_options=options, rewrite_seconds=seconds
        )
        answer = assistant.ask(conversation(FOLLOW_UPS[0]), access=STAFF)
        assert (answer.text, answer.citations[0].page_first) == ("Dört [1].", 12)
        assert answer.question == question
        prompt = str(ollama.requests[-1]["messages"])
        assert FOLLOW_UPS[0] in prompt and "Kaynaklar:" not in prompt


def test_follow_up_is_answered_while_the_model_is_busy(
    open_assistant: Opener, ollama: FakeOllama
) -> None:
    ollama.fault = "busy"
    options = {"url": ollama.url, "model": "m"}
    assistant = rules(open_assistant, llm="ollama", llm_options=options, llm_retries=0)
    answer = assistant.ask(conversation(FOLLOW_UPS[0]), access=STAFF)
    assert [source.filename for source in answer.citations] == ["temsilci.txt"]
    assert answer.text.startswith("Dil modeli şu anda yanıt veremedi")


@pytest.mark.parametrize("last", ["Evet.", "devam et", *FOLLOW_UPS])
def test_role_that_lost_the_document_gets_nothing_of_it(
    open_assistant: Opener, ollama: FakeOllama, last: str
) -> None:
    options = {"url": ollama.url, "model": "m"}
    assistant = open_assistant(llm="ollama", llm_options=options, rewrite_seconds=0.0)
    for role in ("personel", "ik"):
        assistant.store.roles.create(role)
    secret = "Çalışan temsilcisi sayısı 8461 kişiye göre belirlenir.".encode()
    document = assistant.ingest(secret, filename="gizli.txt", roles={"personel", "ik"})
    assert "8461" in assistant.ask(conversation(last), access=STAFF).text
    assistant.store.documents.set_roles(document.id, {"ik"}, access=Access.of(["admin"]))
    seen = len(ollama.requests)
    lost = assistant.ask(conversation(last), access=STAFF)
    assert (lost.text, lost.context, lost.citations) == (NO_PASSAGE, (), ())
    assert "8461" not in str(ollama.requests[seen:])


def test_assent_brings_the_sources_before(open_assistant: Opener) -> None:
    assistant = rules(open_assistant)
    before = assistant.ask(FIRST, access=STAFF)
    after = assistant.ask(conversation("Evet, lütfen."), access=STAFF)
    assert names(after) == names(before) == ["temsilci.txt"]
    assert after.citations and after.abstention is None


def test_topic_change_leaves_the_sources_before(open_assistant: Opener) -> None:
    after = rules(open_assistant).ask(conversation("Yıllık izin süresi kaç gündür?"), access=STAFF)
    assert names(after) == ["izin.txt"]


def test_greeting_leaves_no_audit_row(open_assistant: Opener) -> None:
    assistant = open_assistant()
    before = assistant.store.answers.count()
    for text in ("Merhaba!", "TEŞEKKÜRLER", "görüşürüz"):
        messages = [Message(role="user", content=text)]
        assert assistant.is_greeting(messages)
        answer = assistant.ask(messages, access=STAFF)
        assert answer.text and answer.text != NO_PASSAGE
    assert assistant.store.answers.count() == before


def test_plain_answer_leaves_no_audit_row(open_assistant: Opener, ollama: FakeOllama) -> None:
    ollama.answer = '{"title": "İzin [1]"}'
    assistant = open_assistant(llm="ollama", llm_options={"url": ollama.url, "model": "m"})
    before = assistant.store.answers.count()
    answer = assistant.plain([Message(role="user", content="### Task: başlık")]).read()
    assert (answer.text, answer.context) == ('{"title": "İzin [1]"}', ())
    assert assistant.store.answers.count() == before
