"""What was found by the name of its article: order and evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.answerer import Answerer
from docrag.answer.gate.evidence import weigh
from docrag.answer.models import Models
from docrag.answer.naming import is_named, named_first
from docrag.answer.quoting.extractive import quote
from docrag.api import Access, Answer, Article, Leg, Message, ScoredChunk
from docrag.rerankers.identity import IdentityReranker
from docrag.retrievers.lexical import LexicalRetriever
from docrag.settings import Settings
from docrag.testing.store import MemoryChunkStore
from tests.unit.answer.sources import chunk, source

TENTH = "MADDE 10 – (1) İşveren, risk değerlendirmesi yapmak veya yaptırmakla yükümlüdür."


def with_leg(scored: ScoredChunk, rank: int) -> ScoredChunk:
    return replace(scored, legs=(Leg(name="article", score=1.0, rank=rank),))


def test_named_chunks_are_put_back_in_front() -> None:
    found = [chunk(1, "a"), with_leg(chunk(2, "b"), 2), chunk(3, "c"), with_leg(chunk(4, "d"), 1)]
    again = named_first(found)
    assert [scored.chunk.chunk_id for scored in again] == [4, 2, 1, 3]
    assert [is_named(scored) for scored in again] == [True, True, False, False]
    scores = [scored.score for scored in again]
    assert scores == sorted(scores, reverse=True)


def test_order_stays_where_nothing_is_named() -> None:
    found = [chunk(1, "a"), chunk(2, "b")]
    assert named_first(found) == found
    assert named_first([]) == []


@pytest.mark.parametrize(
    "question", ["10. madde ne diyor?", "onuncu maddede ne yazıyor", "m.10/1", "10. maddeyi özetle"]
)
def test_named_article_is_evidence_enough(question: str) -> None:
    assert weigh(question, [source(1, TENTH)], least=0.9, named=True).is_enough


def test_what_is_asked_besides_must_be_covered() -> None:
    context = [source(1, TENTH)]
    assert weigh("10. maddede risk var mı", context, named=True).is_enough
    declined = weigh("10. maddeye göre Mars yolculuğu", context, named=True)
    assert not declined.is_enough
    assert declined.missing == ("Mars", "yolculuğu")


def test_article_that_was_not_found_is_no_evidence() -> None:
    verdict = weigh("onuncu madde ne diyor?", [source(1, "Kask takılır.")])
    assert verdict.reason == "weak_evidence"


def test_nothing_is_no_evidence() -> None:
    verdict = weigh("10. madde", [], named=True)
    assert verdict.reason == "no_passages"


def test_paragraph_that_is_named_is_quoted() -> None:
    text = f"{TENTH}\n(2) Kurul üç ayda bir toplanır.\n(3) Kararlar yazılır."
    own = replace(
        chunk(1, text).chunk,
        article=Article(kind="madde", number="10", paragraph_first=1, paragraph_last=3),
    )
    other = chunk(2, "MADDE 11 – (2) Kurul üyeleri eğitilir.").chunk
    context = [replace(source(1, text), chunks=(own, other))]
    quoted = "".join(delta.text for delta in quote("md. 10/2 ne diyor?", context))
    assert quoted == "(2) Kurul üç ayda bir toplanır. [1]"


@pytest.mark.parametrize(("role", "quoted"), [("isg", True), ("ik", False)])
def test_article_is_answered_to_those_who_may_read_it(role: str, quoted: bool) -> None:
    store = MemoryChunkStore()
    for number, text in (("9", "MADDE 9 – (1) Kayıt tutulur."), ("10", TENTH)):
        stored = replace(
            chunk(int(number), text).chunk, article=Article(kind="madde", number=number)
        )
        store.add(stored, {"isg"})
    parts = Answerer(
        settings=Settings(),
        retriever=LexicalRetriever(store=store),
        reranker=IdentityReranker(),
        models=Models(default=None),
    )
    records: list[Answer] = []
    asked = [Message(role="user", content="Onuncu madde ne diyor?")]
    answer = parts.prepare(asked, access=Access.of([role]), record=records.append).read()
    assert ("risk değerlendirmesi" in answer.text) is quoted
    assert (answer.abstention is None) is quoted


@pytest.mark.parametrize(
    "question", ["İş Kanunu madde 10", "4857 md 10", "4857 sayılı Kanunun 10. maddesi ne diyor?"]
)
def test_article_of_another_law_is_no_evidence(question: str) -> None:
    context = [replace(source(1, TENTH), title="İş Sağlığı ve Güvenliği Kanunu")]
    declined = weigh(question, context)
    assert declined.reason == "weak_evidence"
    assert "4857" in declined.missing


def test_text_that_speaks_of_the_article_is_evidence() -> None:
    context = [source(1, "Deneme süresi 4857 sayılı Kanunun 15 inci maddesine tabidir.")]
    assert weigh("İş Kanunu madde 15", context).is_enough
    assert not weigh("İş Kanunu madde 16", context).is_enough


def test_text_that_speaks_of_a_rule_is_evidence() -> None:
    context = [source(1, "Tatbikat, Yangın Talimatının 4 üncü maddesine göre yapılır.")]
    assert weigh("Yangın Talimatı madde 4", context).is_enough
    assert not weigh("Sevkiyat Talimatı madde 4", context).is_enough


def test_article_of_a_document_without_articles_is_read() -> None:
    context = [replace(source(1, "Kapılar kapatılır. 4 numara: tüp."), title="Yangın Talimatı")]
    assert weigh("Yangın Talimatı madde 4", context).is_enough
    assert not weigh("Yangın Talimatı madde 5", context).is_enough


def test_what_is_asked_besides_may_be_answered_elsewhere() -> None:
    context = [source(1, "Kask takılır, eldiven giyilir, ayakkabı verilir.")]
    question = "İş Kanunu madde 16 kapsamında kask eldiven ayakkabı"
    assert weigh(question, context).is_enough
