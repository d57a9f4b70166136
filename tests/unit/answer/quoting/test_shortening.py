"""Long sentences, cut."""

from __future__ import annotations

from docrag.answer.quoting.shortening import LONGEST, shortened

FILLER = "işyerinde çalışanların görüşleri alınır, "


def test_short_sentence_stays() -> None:
    assert shortened("Baret takılır.", ("baret",)) == "Baret takılır."


def test_long_one_is_cut_at_a_clause() -> None:
    text = shortened(FILLER * 30, ("gorusleri",))
    assert text.endswith("alınır …")
    assert len(text) <= LONGEST + 2


def test_matched_words_stay_in() -> None:
    text = shortened(f"{FILLER * 30}gaz kokusu duyulursa vana kapatılır.", ("gaz", "kokusu"))
    assert text.startswith("… ")
    assert text.endswith("vana kapatılır.")


def test_text_without_clauses_is_cut_at_a_blank() -> None:
    text = shortened("söz " * 400, ("soz",))
    assert text.endswith("söz …")
    assert len(text) <= LONGEST + 2
