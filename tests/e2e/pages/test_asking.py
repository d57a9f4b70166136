"""A person asks on the page and says what they think, in a real browser without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from docrag.store.ratings import Feedback, Rating, Reason
from tests.e2e.pages.conftest import NARROW, WIDE, SignedIn, Site

QUESTION = "Yangın söndürme tüpleri arasında en fazla kaç metre olabilir?"


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_role("link", name="Sor", exact=True).click()
    page.get_by_label("Sorunuz").fill(question)
    page.get_by_role("button", name="Sor", exact=True).click()
    expect(page.get_by_role("article", name="Yanıt")).to_be_visible()


def test_marker_leads_to_its_source_and_on_to_the_page(signed_in: SignedIn) -> None:
    page = signed_in("ayşe")
    ask(page)
    expect(page.get_by_label("Sorunuz")).to_have_value(QUESTION)
    page.get_by_role("link", name="Kaynak 1").first.click()
    expect(page).to_have_url(re.compile(r"/ask#source-1$"))
    page.get_by_role("region", name="Kaynaklar").get_by_role("link").first.click()
    expect(page.get_by_role("article")).to_contain_text("25 metre")


def test_feedback_is_given_by_labels_alone(signed_in: SignedIn, site: Site, shots: Path) -> None:
    page = signed_in("ayşe")
    ask(page)
    page.get_by_label("Hayır").check()
    page.get_by_label("Olmadıysa neden?").select_option(label="Kaynak bunu söylemiyor")
    page.get_by_label("Yorum").fill("Işıklı tüpler eksik")
    expect(page.get_by_label("Soruyu da gönder")).to_be_checked()
    page.get_by_role("button", name="Geri bildirimi gönder").click()
    expect(page.get_by_role("status")).to_have_text(re.compile("^Teşekkürler"))
    expect(page.get_by_label("Sorunuz")).to_have_value("")
    page.screenshot(path=shots / "tesekkur.png")
    (entry,) = site.assistant.store.feedback.list(limit=1)
    assert entry.feedback == Feedback(
        rating=Rating.DOWN,
        reason=Reason.WRONG_SOURCE,
        comment="Işıklı tüpler eksik",
        question=QUESTION,
    )


def test_answer_stays_when_the_language_is_switched(signed_in: SignedIn, shots: Path) -> None:
    page = signed_in("ayşe")
    ask(page)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("article", name="Answer")).to_contain_text("25 metre")
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    sure = page.get_by_role("region", name="How sure is this?")
    expect(sure).to_contain_text("Every part of the question was addressed.")
    page.screenshot(path=shots / "answer.png", full_page=True)
    page.get_by_role("link", name="Source 1").first.click()
    expect(page).to_have_url(re.compile(r"/ask/language#source-1$"))
    page.get_by_role("button", name="Türkçe").click()
    expect(page.get_by_role("article", name="Yanıt")).to_contain_text("25 metre")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_answers_fit_their_window(signed_in: SignedIn, shots: Path, size: ViewportSize) -> None:
    page = signed_in("ayşe")
    page.set_viewport_size(size)
    for name, question in {"yanit": QUESTION, "yanitsiz": "Mars'ta kaç kedi yaşar?"}.items():
        ask(page, question)
        page.screenshot(path=shots / f"{name}-{size['width']}.png", full_page=True)
        box = page.locator("body").bounding_box()
        assert box is not None and box["width"] <= size["width"], name
