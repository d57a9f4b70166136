"""Answers quoted from passages."""

from __future__ import annotations

from docrag.answer.extractive import LONGEST, quote
from tests.unit.answer.sources import source

LAW = (
    "Bu madde tanımları içerir. İşveren, iş güvenliği yönünden risk değerlendirmesi yapmak veya "
    "yaptırmakla yükümlüdür. Çalışanlar bilgilendirilir."
)
LEAVE = "Yıllık izin süresi on dört gündür."


def said(question: str, *texts: str) -> str:
    """The quoted answer over these sources."""
    sources = [source(n, text) for n, text in enumerate(texts, start=1)]
    return "".join(delta.text for delta in quote(question, sources))


def test_best_sentence_is_quoted_with_its_marker() -> None:
    text = said("İşveren risk değerlendirmesi yapmakla yükümlü müdür?", LAW, LEAVE)
    assert text.startswith("İşveren, iş güvenliği yönünden risk değerlendirmesi")
    assert text.endswith("yükümlüdür. [1]")


def test_sentences_of_several_sources_join_in_order() -> None:
    text = said("Risk değerlendirmesi ve yıllık izin süresi?", LEAVE, LAW)
    assert text.index("[1]") < text.index("[2]")


def test_something_is_quoted_when_no_word_matches() -> None:
    assert said("Xyz?", LAW).endswith("[1]")


def test_long_sentence_is_cut_at_a_blank() -> None:
    text = said("söz?", "söz " * 400)
    assert len(text) < LONGEST + 20
    assert "… [1]" in text


def test_only_the_last_delta_is_final() -> None:
    deltas = list(quote("izin süresi?", [source(1, LEAVE)]))
    assert [delta.finish_reason for delta in deltas] == [None, "stop"]


def test_marker_in_a_document_is_no_citation() -> None:
    text = said("Bakım süresi nedir?", "Bakım süresi otuz gündür [2]. Sonra biter.", LEAVE)
    assert "otuz gündür (2). [1]" in text
    assert "[2]" not in text


LIST = (
    "İşveren sayılara göre çalışan temsilcisi görevlendirir:\na) İki ile elli arasında bir.\n"
    "b) Ellibir ile yüz arasında iki.\n(2) Temsilciler seçimle belirlenir. Süre üç yıldır."
)


def test_sentence_before_a_list_is_quoted_with_its_items() -> None:
    assert said("Kaç çalışan temsilcisi görevlendirir?", LIST) == (
        "İşveren sayılara göre çalışan temsilcisi görevlendirir:\na) İki ile elli arasında bir.\n"
        "b) Ellibir ile yüz arasında iki. [1]"
    )


def test_item_of_a_quoted_list_is_not_quoted_again() -> None:
    text = said("Ellibir ile yüz arasında kaç çalışan temsilcisi görevlendirir?", LIST)
    assert text.count("Ellibir") == 1
