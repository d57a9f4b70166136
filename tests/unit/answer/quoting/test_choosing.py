"""Which sentences are quoted beside the best."""

from __future__ import annotations

from docrag.answer.quoting.choosing import chosen
from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.pieces import Piece
from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.quoting.verbs import Deed
from docrag.answer.subject import content_words
from tests.unit.answer.sources import source

OPERATORS = (
    "Yetki kartı olmayan birine forklift kullandıran amir uyarılır. Forklifti yalnızca belgesi "
    "olan çalışanlar kullanır. Kontrolde fren ve korna denenir. Depo sorumlusu yolları boş tutar."
)


def scored(
    text: str, probability: float, *, place: int = 0, section: str = "", holds: bool | None = None
) -> ScoredSentence:
    """A sentence with its probability."""
    piece = Piece(citation=1, position=place, text=text, kind="sentence", section=section)
    return ScoredSentence(
        citation=1, position=place, text=text, probability=probability, piece=piece, holds=holds
    )


def texts(question: str, *sentences: ScoredSentence) -> list[str]:
    """What is chosen of these for a question."""
    found = chosen(content_words(question), sentences, Deed.of(question))
    return [one.text for one in found]


BEST = scored("Yol izni dört gündür.", 0.9)


def test_unlikely_sentence_that_adds_nothing_is_left_out() -> None:
    other = scored("Yol izni için bilet gösterilir.", 0.1, place=3)
    assert texts("Yol izni kaç gün?", BEST, other) == [BEST.text]


def test_sentence_that_adds_a_sought_word_is_quoted() -> None:
    other = scored("Avans bordroda kesilir.", 0.1, place=3)
    assert texts("Yol izni ve avans kaç gün?", BEST, other) == [BEST.text, other.text]


def test_sentence_about_as_likely_is_quoted() -> None:
    other = scored("Yol izni altı gündür.", 0.6, place=3)
    assert texts("Yol izni kaç gün?", BEST, other) == [BEST.text, other.text]


def test_sentence_that_goes_on_behind_the_best_is_worth_more() -> None:
    best = scored("Çizelgeler doğdu.", 0.6)
    on = scored("Bunlardan biri Toledo'da derlendi.", 0.015, place=1)
    apart = scored("Toledo'da okullar kuruldu.", 0.015, place=1)
    question = "İlk çizelgeler hangi eserdir?"
    assert texts(question, best, on) == [best.text, on.text]
    assert texts(question, best, apart) == [best.text]


def test_rule_without_a_word_of_the_question_is_worth_less() -> None:
    question, other = "Yol izni kaç gün?", "Tüpler denetlenir."
    best = scored("Yol izni dört gündür.", 0.6, section="İzin", holds=False)
    assert len(texts(question, best, scored(other, 0.06, place=3))) == 2
    assert len(texts(question, best, scored(other, 0.06, place=3, section="Yangın"))) == 1


def test_sentence_that_says_all_is_quoted_beside_a_likelier_one() -> None:
    likely = scored("Gaz kokusu duyulursa vana kapatılır.", 0.9)
    whole = scored("LPG tüpü açık havada değiştirilir.", 0.001, place=1)
    assert whole.text in texts("LPG tüpü nasıl değiştirilir?", likely, whole)


def test_sentence_that_tells_the_deed_comes_first() -> None:
    other = scored("Amir, forkliftin kullanılmasını engeller.", 0.5)
    told = scored("Forklifti belgesi olanlar kullanır.", 0.45, place=4)
    assert texts("Forklifti kim kullanabilir?", other, told)[0] == told.text


def test_who_may_is_answered_by_who_does() -> None:
    told = "".join(d.text for d in quote("Forklifti kim kullanabilir?", [source(1, OPERATORS)]))
    assert "belgesi olan çalışanlar kullanır" in told
    assert "fren" not in told
    assert "Depo" not in told
