"""Articles that a question only names."""

from __future__ import annotations

from dataclasses import replace

from docrag.answer.quoting.article_quotes import ROOM
from docrag.answer.quoting.extractive import quote
from docrag.api import Article, Citation
from tests.unit.answer.sources import source

TENTH = Article(kind="madde", number="10")
LONG = "İşveren, çalışanların iş sağlığını ve güvenliğini her işte korumakla yükümlüdür"


def of(number: int, text: str, *, document: str = "d1") -> Citation:
    """A source whose chunk is of the tenth article."""
    one = source(number, text)
    chunk = replace(one.chunks[0], article=TENTH, document_id=document)
    return replace(one, chunks=(chunk,), document_id=document)


def said(question: str, *context: Citation, language: str = "tr") -> str:
    """The quoted answer over these sources."""
    return "".join(delta.text for delta in quote(question, context, language=language))


def paragraphs(count: int) -> str:
    """An article of so many paragraphs of a hundred characters."""
    others = "".join(f"\n({n}) {LONG} {n} yıl." for n in range(2, count + 1))
    return f"Risk değerlendirmesi\nMADDE 10 – (1) {LONG}.{others}"


def test_short_article_comes_whole_from_its_number_on() -> None:
    text = said("10. madde ne diyor?", of(1, paragraphs(3)))
    assert text.startswith("MADDE 10 – (1)")
    assert text.endswith("3 yıl. [1]")


def test_long_article_is_cut_behind_a_paragraph_and_says_so() -> None:
    text = said("10. madde ne diyor?", of(4, paragraphs(40)))
    assert text.endswith("yıl. … [4]\n\nMaddenin devamı 4. sayfadadır.")
    assert len(text) < ROOM + 100


def test_rest_is_told_in_english() -> None:
    text = said("What does article 10 say?", of(4, paragraphs(40)), language="en")
    assert text.endswith("The article goes on on page 4.")


def test_pages_of_an_article_have_their_own_markers() -> None:
    text = said("Madde 10?", of(1, paragraphs(2)), of(2, "(3) Kayıt tutulur."))
    assert text.endswith("2 yıl. [1]\n\n(3) Kayıt tutulur. [2]")


def test_article_of_two_copies_comes_once() -> None:
    text = said("Madde 10?", of(1, paragraphs(3)), of(2, paragraphs(3), document="d2"))
    assert "[2]" not in text


def test_named_paragraph_ends_before_the_next() -> None:
    assert said("10. maddenin 2. fıkrası?", of(1, paragraphs(3))).endswith("2 yıl. [1]")


def test_name_of_the_document_is_no_question_of_its_own() -> None:
    assert said("Talimatın 10. maddesi ne diyor?", of(1, paragraphs(3))).endswith("3 yıl. [1]")


def test_paragraph_without_an_end_is_cut_at_a_sentence() -> None:
    more = " ".join(f"{LONG} ve {n} kayıt tutar." for n in range(40))
    text = said("Madde 10?", of(1, f"MADDE 10 – (1) {LONG}. {more}"))
    assert "tutar. …" in text
    assert len(text) < ROOM + 100


def test_item_that_goes_on_elsewhere_does_not_end_at_a_comma() -> None:
    text = said("Madde 10?", of(1, "MADDE 10 – (1) Ceza;\na) İkibin lira,\nb) Beşbin lira,"))
    assert text.endswith("b) Beşbin lira, … [1]")
