"""Answers quoted from passages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.shortening import LONGEST
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
    assert "otuz gündür (2)." in text
    assert "[2]" not in text


LIST = (
    "İşveren sayılara göre çalışan temsilcisi görevlendirir:\na) İki ile elli arasında bir.\n"
    "b) Ellibir ile yüz arasında iki.\n(2) Temsilciler seçimle belirlenir. Süre üç yıldır."
)


def test_sentence_before_a_list_is_quoted_with_its_items() -> None:
    assert said("Kaç çalışan temsilcisi görevlendirir?", LIST).startswith(
        "İşveren sayılara göre çalışan temsilcisi görevlendirir:\na) İki ile elli arasında bir.\n"
        "b) Ellibir ile yüz arasında iki."
    )


def test_item_of_a_quoted_list_is_not_quoted_again() -> None:
    text = said("Ellibir ile yüz arasında kaç çalışan temsilcisi görevlendirir?", LIST)
    assert text.count("Ellibir") == 1


FORKLIFT = (
    "FORKLİFT KULLANMA İŞ TALİMATI\n4.1 Forklift hızı\nForklift\n"
    "Tesis içinde forklift en fazla 10 km hızla gider."
)


def test_headings_are_not_quoted_beside_a_sentence_that_answers() -> None:
    assert said("Forklift en fazla kaç km hızla gidebilir?", FORKLIFT) == (
        "Tesis içinde forklift en fazla 10 km hızla gider. [1]"
    )


@pytest.mark.parametrize(
    "heading", ["YILLIK İZİN SÜRESİ", "4.1 Yıllık izin", "Yıllık İzin Talimatı", "Süreler ve izin"]
)
def test_heading_gives_way_to_another_candidate(heading: str) -> None:
    text = f"{heading}\nYıllık izin on dört gündür."
    one = replace(source(1, text), title="Yıllık izin talimatı", section="İzin > Süreler ve İzin")
    quoted = "".join(delta.text for delta in quote("Yıllık izin süresi ve talimatı?", [one]))
    assert quoted == "Yıllık izin on dört gündür. [1]"


def test_heading_alone_is_no_answer() -> None:
    assert said("Yıllık izin?", "YILLIK İZİN SÜRESİ") == ""


def test_sentence_below_a_heading_is_quoted_for_it() -> None:
    assert said("Yıllık izin?", "YILLIK İZİN\nBaşka bir cümle.") == "Başka bir cümle. [1]"


@pytest.mark.parametrize("line", ["1. Baret takılır", "2.5 ton yük kaldırır", "HIZ: en çok 5 km"])
def test_list_items_and_figures_are_no_headings(line: str) -> None:
    question = "Baret takılır, yük kaldırır, hız en çok kaç?"
    assert said(question, f"{line}\nBaret vardır.").startswith(line)


def test_other_amount_in_the_same_words_is_no_repetition() -> None:
    first = "Fazla çalışma için ücretin saat başına düşen miktarı yüzde elli yükseltilerek ödenir."
    text = said("Fazla çalışma yüzde kaç ödenir?", f"{first} {first.replace('elli', 'yirmibeş')}")
    assert "yüzde elli" in text
    assert "yüzde yirmibeş" in text
