"""The page to ask on: an answer with its sources, and feedback on it."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from docrag.answer.confidence import retrieval_grade
from docrag.answer.templates import sentence
from docrag.api import (
    Abstention,
    Answer,
    CheckedSentence,
    Confidence,
    Grade,
    LLMUnavailable,
    PromptTooLong,
    StoreUnavailable,
    Usage,
)
from docrag.assistant import Assistant
from docrag.store import Store
from docrag.store.ratings import Feedback, Rating, Reason
from docrag.web import gate
from docrag.web.gate import Admission
from docrag.web.pages import ask as page
from docrag.web.pages.session import SINCE
from tests.integration.pages.conftest import Browser, MakeApp, _signed_in
from tests.unit.web.conftest import DOCUMENT_ID, citation

QUESTION = "Turuncu baret nerede saklanır?"
TEXT = "# Baret\n\nTuruncu baret <dolapta> saklanır. Baret takmak zorunludur.\n"


@pytest.fixture
def shelf(assistant: Assistant, store: Store) -> str:
    """Id of the one document, which only isg reads."""
    return assistant.ingest(TEXT.encode(), filename="baret.md", roles=["isg"]).id


def ask(browser: Browser, question: str = QUESTION) -> TestResponse:
    return browser.post("/ask", question=question)


def told(response: TestResponse) -> str:
    """What the page says, without its tags."""
    text = re.sub(r"<(?:style|title).*?</|<[^>]*>", "", response.get_data(as_text=True))
    return " ".join(html.unescape(text).split())


def field(response: TestResponse, name: str) -> str:
    """Value of a hidden field of the page."""
    found = re.search(rf'type="hidden" name="{name}" value="([^"]*)"', response.text)
    assert found is not None
    return html.unescape(found[1])


def rate(browser: Browser, answer: str, **fields: Any) -> TestResponse:  # noqa: ANN401 - form fields
    return browser.post("/ask/feedback", answer=answer, **{"rating": "up", **fields})


def kept(store: Store) -> list[Feedback]:
    return [entry.feedback for entry in store.feedback.list(limit=9)]


def test_form_is_for_those_who_are_signed_in(browser: Browser, isik: Browser) -> None:
    assert browser.get("/ask").headers["Location"] == "/signin?next=/ask"
    assert "Sorunuz" in isik.text("/ask")


def test_answer_stands_beside_its_sources(ayse: Browser, shelf: str) -> None:
    response = ask(ayse)
    assert response.status_code == 200
    assert "Turuncu baret <dolapta> saklanır" in told(response)
    assert '<a class="cite" href="#source-1"' in response.text
    assert re.search(rf'id="source-1">.*?href="/documents/{shelf}\?', response.text, re.DOTALL)
    assert html.escape(QUESTION) in response.text
    assert "<dolapta>" not in response.text and "<script" not in response.text


def test_source_leads_to_a_page_that_is_there(ayse: Browser, shelf: str) -> None:
    found = re.search(r'id="source-1">.*?href="([^"]*)"', ask(ayse).text, re.DOTALL)
    assert found is not None
    assert "dolapta" in ayse.text(html.unescape(found[1]))


def test_answer_is_audited_as_the_persons(ayse: Browser, store: Store, shelf: str) -> None:
    response = ask(ayse)
    (entry,) = store.answers.list(limit=9)
    assert (entry.username, entry.answer.channel) == ("ayşe", "http")
    assert entry.answer.id == field(response, "answer")


def test_others_find_nothing_of_it(app: Flask, store: Store, shelf: str) -> None:
    store.users.create("dışarıda", password_hash=store.users.password_hash("ayşe") or "", roles=[])
    response = ask(_signed_in(app, "dışarıda"))
    assert "yanıtlanmadı" in told(response)
    assert "dolapta" not in response.text and shelf not in response.text


def test_abstention_shows_the_fallback_sentence(ayse: Browser, shelf: str) -> None:
    response = ask(ayse, "Mars gezegeninde kaç kedi yaşar?")
    assert "yanıtlanmadı" in told(response)
    assert 'class="cite"' not in response.text
    assert field(response, "answer")


def test_greeting_is_answered_and_not_rated(ayse: Browser, shelf: str) -> None:
    response = ask(ayse, "Merhaba")
    assert response.status_code == 200
    assert "/ask/feedback" not in response.text


@pytest.mark.parametrize("question", ["", "  \n ", "ş" * 8001])
def test_question_that_is_none_is_refused(ayse: Browser, question: str) -> None:
    response = ask(ayse, question)
    assert response.status_code == 400
    assert 'role="alert"' in response.text


def test_question_without_the_token_is_refused(ayse: Browser) -> None:
    response = ayse.client.post("/ask", data={"question": QUESTION})
    assert response.status_code == 400


def test_feedback_is_kept_with_the_question(ayse: Browser, store: Store, shelf: str) -> None:
    shown = ask(ayse)
    response = rate(
        ayse, field(shown, "answer"), rating="down", reason="outdated",
        comment=" eski\r\nığ ", keep="yes", question=field(shown, "question"),
    )  # fmt: skip
    assert (response.status_code, response.headers["Location"]) == (303, "/ask")
    assert "Teşekkürler" in ayse.text("/ask")
    assert kept(store) == [
        Feedback(rating=Rating.DOWN, reason=Reason.OUTDATED, comment="eski\nığ", question=QUESTION)
    ]


@pytest.mark.parametrize(
    ("policy", "kept_question"), [("mask", "TC [TCKN]: baret nerede?"), ("refuse", None)]
)
def test_personal_data_are_not_kept(
    make_app: MakeApp, store: Store, shelf: str, policy: str, kept_question: str | None
) -> None:
    browser = _signed_in(make_app(personal_data=policy), "ayşe")
    raw = "TC 10000000146: baret nerede?"
    shown = ask(browser, raw)
    assert field(shown, "question") == (kept_question or "")
    rate(browser, field(shown, "answer"), keep="yes", question=raw, comment="a@b.tr")
    assert kept(store) == [Feedback(rating=Rating.UP, comment="[e-posta]", question=kept_question)]


def test_question_is_not_kept_without_the_tick(ayse: Browser, store: Store, shelf: str) -> None:
    rate(ayse, field(ask(ayse), "answer"), question=QUESTION, reason="wrong")
    assert kept(store) == [Feedback(rating=Rating.UP)]


def test_answer_of_another_is_not_found(
    ayse: Browser, isik: Browser, store: Store, shelf: str
) -> None:
    answer = field(ask(ayse), "answer")
    responses = [rate(isik, each) for each in (answer, str(uuid.uuid4()), "", "yok")]
    assert [response.status_code for response in responses] == [404] * 4
    assert len({re.sub(r'value="[^"]*"', "", each.text) for each in responses}) == 1
    assert kept(store) == []


@pytest.mark.parametrize(
    "fields", [{"rating": ""}, {"rating": "fena"}, {"reason": "yok"}, {"comment": "ş" * 2001}]
)
def test_wrong_feedback_is_refused(
    ayse: Browser, store: Store, shelf: str, fields: dict[str, str]
) -> None:
    assert rate(ayse, field(ask(ayse), "answer"), **fields).status_code == 400
    assert kept(store) == []


def test_full_server_says_so(ayse: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Admission(1)
    place = full.enter()
    monkeypatch.setitem(app.extensions, gate.KEY, full)
    response = ask(ayse)
    place.release()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "çok sayıda yanıt" in told(response) and html.escape(QUESTION) in response.text


def test_places_are_given_back(
    ayse: Browser, app: Flask, shelf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.extensions, gate.KEY, Admission(1))
    assert [ask(ayse).status_code for _ in range(3)] == [200] * 3


def test_questions_are_counted_as_those_of_the_chat(make_app: MakeApp, store: Store) -> None:
    browser = _signed_in(make_app(rate_per_minute=2), "ayşe")
    responses = [ask(browser) for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert "Şimdilik soru sınırınıza ulaştınız" in told(responses[2])
    assert 1 <= int(responses[2].headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (LLMUnavailable("away", retry_after=7), 503, "Model şu anda yanıt veremiyor"),
        (PromptTooLong("long"), 400, "Soru model için çok uzun"),
        (StoreUnavailable("away"), 503, "Veritabanına"),
    ],
    ids=["model", "window", "database"],
)
def test_failure_is_told(
    ayse: Browser,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    words: str,
) -> None:
    def fail(question: str) -> None:
        raise error

    monkeypatch.setattr(page, "_asked", fail)
    response = ask(ayse)
    assert response.status_code == status
    assert words in told(response)


def answer(**changes: Any) -> Answer:  # noqa: ANN401 - fields of an answer
    """A finished answer with one source."""
    source = citation(1)
    values: dict[str, Any] = {
        "id": str(uuid.uuid4()),
        "question": QUESTION,
        "text": "İzin 14 gündür [1]. Ceza 900 TL tutar. ⚠",
        "citations": (source,),
        "context": (source,),
        "abstention": None,
        "model_id": "m",
        "prompt_id": "p",
        "finish_reason": "stop",
        "usage": Usage(),
        "duration": 0.1,
    }
    return Answer(**values | changes)


@pytest.fixture
def shows(ayse: Browser, monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], TestResponse]:
    """The page of an answer that was made up."""

    def show(answer: Answer) -> TestResponse:
        found = SimpleNamespace(turn=SimpleNamespace(answer=answer))
        monkeypatch.setattr(page, "_asked", lambda question: (found, "used"))
        return ask(ayse)

    return show


def test_unverified_sentence_is_marked(shows: Callable[[Answer], TestResponse]) -> None:
    doubt = CheckedSentence(
        text="Ceza 900 TL tutar.",
        citations=(),
        is_supported=False,
        reasons=("number", "coverage"),
        missing=("900",),
    )
    response = shows(answer(sentences=(doubt,)))
    assert "<mark>Ceza 900 TL tutar.</mark>" in response.text
    assert "Ceza 900 TL tutar. (bir sayı, söylenen: 900)" in told(response)


def test_confidence_is_told_in_words(shows: Callable[[Answer], TestResponse]) -> None:
    grades = [Grade(value=value, reason=f"neden {value}") for value in (0.5, 1.0, 0.333)]
    sure = Confidence(retrieval=grades[0], citations=grades[1], completeness=grades[2])
    text = told(shows(answer(confidence=sure)))
    for words in ("%50 neden 0.5", "%100 neden 1.0", "%33 neden 0.333"):
        assert words in text


def test_abstention_shows_what_comes_nearest(shows: Callable[[Answer], TestResponse]) -> None:
    declined = Abstention(reason="weak_evidence", missing=("kıdem",), nearest=(citation(1),))
    response = shows(answer(text="Bu bilgi belgelerde yok.", citations=(), abstention=declined))
    text = told(response)
    for words in ("Bu bilgi belgelerde yok.", "En yakın bölümler", "geçmiyor: kıdem"):
        assert words in text
    assert f'href="/documents/{DOCUMENT_ID}?page=7"' in response.text


@pytest.mark.parametrize("path", ["/ask/feedback", "/ask/language"])
def test_address_of_a_form_leads_back_to_the_question(ayse: Browser, path: str) -> None:
    response = ayse.get(path)
    assert (response.status_code, response.headers["Location"]) == (303, "/ask")


def speak(browser: Browser, page: TestResponse, language: str, **fields: str) -> TestResponse:
    """The page in another language, as its button at the foot asks for it."""
    assert 'action="/ask/language"' in page.text
    known = {name: field(page, name) for name in ("shown", "asked")}
    return browser.post("/ask/language", **{**known, "language": language, **fields})


def test_answer_stays_when_the_language_changes(ayse: Browser, store: Store, shelf: str) -> None:
    before = ask(ayse)
    response = speak(ayse, before, "en")
    text = told(response)
    assert response.status_code == 200
    for words in ("Your question", "dolapta", "Was this answer useful?", "taken from the source"):
        assert words in text
    assert (field(response, "answer"), len(store.answers.list(limit=9))) == (
        field(before, "answer"),
        1,
    )
    assert "Your question" in told(ayse.get("/ask"))
    assert told(speak(ayse, response, "tr")) == told(before)


def test_answer_of_another_is_not_shown_again(
    ayse: Browser, isik: Browser, app: Flask, shelf: str
) -> None:
    before = ask(ayse)
    assert "dolapta" not in speak(isik, before, "en", asked="").text
    spoilt = field(before, "shown")[:-1]
    for shown in (spoilt, "", "ığ.x.y"):
        response = speak(ayse, before, "en", shown=shown, asked="Baret?")
        assert "dolapta" not in response.text and "Baret?" in response.text


@pytest.mark.parametrize("roles", [[], ["ik"], ["ik", "isg"], ["admin"]])
def test_answer_of_other_roles_is_not_shown_again(
    ayse: Browser, store: Store, shelf: str, roles: list[str]
) -> None:
    before = ask(ayse)
    store.users.set_roles("ayşe", roles)
    response = speak(ayse, before, "en", asked="Baret?")
    assert response.status_code == 200
    assert "dolapta" not in response.text and "Baret?" in response.text


def test_answer_of_another_session_is_not_shown_again(ayse: Browser, shelf: str) -> None:
    with ayse.client.session_transaction() as kept_session:
        kept_session[SINCE] -= 60
    page_before = ask(ayse)
    # A page that was sealed once more lives no longer than the first one.
    again = speak(ayse, page_before, "en")
    assert "dolapta" in again.text
    ayse.post("/signout")
    assert speak(ayse, again, "en").status_code == 303
    ayse.sign_in("ayşe")
    for before in (page_before, again):
        assert "dolapta" not in speak(ayse, before, "en", asked="Baret?").text


def test_answer_stays_while_roles_are_set_anew(ayse: Browser, store: Store, shelf: str) -> None:
    before = ask(ayse)
    store.users.set_roles("ayşe", ["isg"])
    assert "dolapta" in speak(ayse, before, "en").text


def test_question_that_was_refused_stays_when_the_language_changes(ayse: Browser) -> None:
    refused = ask(ayse, "ş" * 8001)
    response = ayse.post("/ask/language", language="en", asked="ş" * 8001)
    assert 'action="/ask/language"' in refused.text
    assert "ş" * 8000 in response.text and "Your question" in told(response)


def test_reasons_come_in_the_language_of_the_page(
    ayse: Browser, shows: Callable[[Answer], TestResponse]
) -> None:
    grades = [
        retrieval_grade(0.73, ("kıdem",), language="tr"),
        Grade(value=1.0, reason="neden"),
        Grade(value=0.5, reason="neden"),
    ]
    sure = Confidence(retrieval=grades[0], citations=grades[1], completeness=grades[2])
    note = sentence("unverified", "tr")
    ayse.post("/language", language="en")
    text = told(shows(answer(text=f"Ceza 900 TL [1].\n\n{note}", confidence=sure)))
    assert "probability of 73%; words not found: kıdem" in text
    assert sentence("unverified", "en") in text and note not in text


def test_pages_come_in_the_language_of_the_page(
    ayse: Browser, shows: Callable[[Answer], TestResponse]
) -> None:
    source = replace(citation(1), filename="izin s. 3.pdf")
    assert "izin s. 3.pdf s. 7</a>" in shows(answer(citations=(source,))).text
    ayse.post("/language", language="en")
    assert "izin s. 3.pdf p. 7</a>" in shows(answer(citations=(source,))).text


def test_abstention_comes_in_the_language_of_the_page(ayse: Browser, shelf: str) -> None:
    ayse.post("/language", language="en")
    text = told(ask(ayse, "Mars gezegeninde kaç kedi yaşar?"))
    assert sentence("fallback", "en") in text
    assert sentence("fallback", "tr") not in text


def test_section_stands_once_above_its_excerpt(ayse: Browser, shelf: str) -> None:
    text = told(ask(ayse))
    assert text.count("Baret)") == 1
    assert "(Baret) Baret" not in text


def test_section_stands_beside_a_page(shows: Callable[[Answer], TestResponse]) -> None:
    source = replace(citation(1), section="7")
    assert 's. 7</a></p>\n<p class="quiet small">7</p>' in shows(answer(citations=(source,))).text


def test_rows_of_a_table_have_no_pipes(shows: Callable[[Answer], TestResponse]) -> None:
    whole = citation(1)
    chunk = replace(whole.chunks[0], text="| Görev | Gün |\n|---|---|\n| Işıkçı | 14 |")
    text = told(shows(answer(citations=(replace(whole, chunks=(chunk,)),))))
    assert "Görev · Gün; Işıkçı · 14" in text and "|" not in text


def test_page_speaks_english(ayse: Browser, shelf: str) -> None:
    ayse.post("/language", language="en")
    assert "Was this answer useful?" in told(ask(ayse))
