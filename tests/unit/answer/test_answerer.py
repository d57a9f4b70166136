"""Who answers, from what: over an in-memory store, the hashing embedder and a fake Ollama."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docrag.answer.answerer import Answerer, Sampling
from docrag.answer.models import Models
from docrag.api import LLM, Access, Answer, LLMError, Message
from docrag.embedders.hashing import HashingEmbedder
from docrag.llms.ollama import OllamaLLM
from docrag.rerankers.identity import IdentityReranker
from docrag.retrievers.dense import DenseRetriever
from docrag.settings import Settings
from docrag.testing.ollama import FakeOllama
from docrag.testing.store import MemoryChunkStore
from tests.unit.answer.fakes import ScriptedLLM, says
from tests.unit.answer.sources import chunk

LAW = "İşveren, risk değerlendirmesi yapmak veya yaptırmakla yükümlüdür."
QUOTED = "Dil modeli şu anda yanıt veremedi; ilgili pasajlar olduğu gibi aktarılıyor:"
LEAVE = "Yıllık izin süresi bir yılını dolduran çalışan için on dört gündür."
QUESTION = "İşveren risk değerlendirmesi yapmakla yükümlü müdür?"


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    """A fake Ollama server."""
    with FakeOllama() as fake:
        yield fake


def answerer(llm: LLM | None, **settings: Any) -> Answerer:  # noqa: ANN401 - values of settings
    """An answerer over a law for ``isg`` and a leave rule for ``ik``."""
    embedder = HashingEmbedder()
    store = MemoryChunkStore()
    for place, text, role, page in ((1, LAW, "isg", 7), (2, LEAVE, "ik", 2)):
        vector = embedder.embed_documents([text])[0]
        stored = chunk(place, text, page=page, document=role).chunk
        store.add(stored, roles={role}, vector=vector)
    return Answerer(
        settings=Settings(**settings),
        retriever=DenseRetriever(store=store, embedder=embedder),
        reranker=IdentityReranker(),
        models=Models(default=llm, aliases={"x": ScriptedLLM(says("x"), model_id="x")}),
    )


def ask(parts: Answerer, *roles: str, question: str = QUESTION) -> Answer:
    """The answer that these roles get."""
    records: list[Answer] = []
    turn = parts.prepare(
        [Message(role="user", content=question)], access=Access.of(roles), record=records.append
    )
    answer = turn.read()
    assert records == [answer]
    return answer


def test_permitted_passage_is_quoted_without_a_model() -> None:
    answer = ask(answerer(None), "isg")
    assert answer.citations[0].page_first == 7
    assert (answer.model_id, answer.abstention) == ("extractive", None)


def test_model_answers_from_the_numbered_passage(ollama: FakeOllama) -> None:
    answer = ask(answerer(OllamaLLM(url=ollama.url, model="m")), "isg")
    assert ollama.chat_calls == 1
    assert answer.citations[0].page_first == 7
    assert (answer.model_id, answer.prompt_id) == ("m", "answer.tr.v1+reply.tr.v1")


@pytest.mark.parametrize(
    ("roles", "reason"),
    [(("ik",), "weak_evidence"), (("uretim",), "no_passages"), ((), "no_passages")],
)
def test_model_is_not_asked_without_permitted_evidence(
    ollama: FakeOllama, roles: tuple[str, ...], reason: str
) -> None:
    answer = ask(answerer(OllamaLLM(url=ollama.url, model="m")), *roles)
    assert ollama.chat_calls == 0
    assert answer.text == "Bu bilgi belgelerde bulunmuyor."
    assert answer.citations == answer.context == ()
    assert answer.abstention is not None and answer.abstention.reason == reason


def test_passages_are_quoted_when_the_model_fails() -> None:
    # It was an error before; the milestone of the wire puts quoted passages in front of that.
    with FakeOllama(fault="500") as fake:
        answer = ask(answerer(OllamaLLM(url=fake.url, model="m"), llm_retries=0), "isg")
    assert answer.text == f"{QUOTED}\n\n{LAW} [1]"
    assert (answer.model_id, answer.prompt_id) == ("extractive", "quoted.tr.v1")
    assert answer.citations[0].page_first == 7


def test_model_that_fails_in_the_middle_is_an_error_and_nothing_is_made_up() -> None:
    with FakeOllama(fault="cut") as fake, pytest.raises(LLMError):
        ask(answerer(OllamaLLM(url=fake.url, model="m")), "isg")


@pytest.mark.parametrize("messages", [[], [Message(role="user", content="  ")]])
def test_conversation_without_a_question_is_refused(messages: list[Message]) -> None:
    with pytest.raises(ValueError, match="no user message"):
        answerer(None).prepare(messages, access=Access.of(["isg"]), record=lambda _: None)


def test_question_is_the_last_user_message() -> None:
    messages = [
        Message(role="user", content="Merhaba"),
        Message(role="assistant", content="Buyurun"),
        Message(role="user", content=QUESTION),
        Message(role="assistant", content=""),
    ]
    turn = answerer(None).prepare(messages, access=Access.of(["isg"]), record=lambda _: None)
    assert turn.question == QUESTION


def test_search_refuses_less_than_one() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        answerer(None).search(QUESTION, access=Access.of(["isg"]), k=0)


def test_callers_wishes_reach_the_model_within_the_setting(ollama: FakeOllama) -> None:
    parts = answerer(OllamaLLM(url=ollama.url, model="m"))
    for wish in (50, 5000):
        sampling = Sampling(max_tokens=wish, temperature=1.5)
        parts.prepare(
            [Message(role="user", content=QUESTION)],
            access=Access.of(["isg"]),
            record=lambda _: None,
            sampling=sampling,
        ).read()
    options = [request["options"] for request in ollama.requests]
    assert [option["num_predict"] for option in options] == [50, 800]
    assert options[0]["temperature"] == 1.5
