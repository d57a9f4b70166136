"""What tells whether a sentence of a law answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.features import Features, features
from docrag.answer.quoting.pieces import pieces
from docrag.api import Article, Citation
from tests.unit.answer.sources import source

TERMS = (
    "MADDE 3 – (1) Bu Kanunun uygulanmasında;\na) İş kazası: İşyerinde meydana gelen olayı,\n"
    "b) Risk: Zarar ihtimalini, ifade eder."
)


def law(place: int, text: str, number: str, kind: str = "madde") -> Citation:
    """A source that is of an article."""
    plain = source(place, text)
    chunk = replace(plain.chunks[0], article=Article(kind=kind, number=number))
    return replace(plain, chunks=(chunk,))


def told(question: str, *context: Citation) -> list[Features]:
    """Features of all sentences."""
    return features(question, context, [pieces(one) for one in context])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("İş kazası ne demek?", "law_defines_True"),
        ("İŞ KAZASI NEYE DENİR?", "law_defines_True"),
        ("Kanun iş kazasını nasıl tanımlıyor?", "law_defines_True"),
        ("İş kazası olunca kime haber verilir?", "law_defines_False"),
    ],
)
def test_definition_of_the_asked_word_is_known(question: str, name: str) -> None:
    found = told(question, law(1, TERMS, "3"))
    assert [row.get(name) for row in found if row[name]] == [1.0]


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        ("Patron ücreti kesebilir mi?", "Ücretten kesinti yapılamaz.", "law_whether_True"),
        ("Ödemek zorunda mıyım?", "İşveren ödemekle yükümlüdür.", "law_whether_True"),
        ("Patron ücreti kesebilir mi?", "Ücret paradır.", "law_whether_False"),
        ("Kaç lira ceza var?", "Beşyüz Türk Lirası verilir.", "law_fine_True"),
        ("Kaç lira ceza var?", "İşveren kayıt tutar.", "law_fine_False"),
    ],
)
def test_duties_and_fines_are_known(question: str, text: str, name: str) -> None:
    assert told(question, law(1, text, "5"))[0][name] == 1.0


def test_article_has_the_words_of_all_its_sentences() -> None:
    first, second, other = told(
        "Ücret kesme cezası ne zaman bildirilir?",
        law(1, "Ücret kesme cezası verilebilir. Derhal bildirilir.", "38"),
        law(2, "Ceza yoktur.", "39"),
    )
    assert first["law_article"] == second["law_article"] == pytest.approx(1.0)
    assert other["law_behind"] == pytest.approx(1.0 - other["law_article"])


def test_other_texts_have_none_of_them() -> None:
    found = told("İş kazası ne demek?", source(1, TERMS))
    assert not any(name.startswith("law_") for row in found for name in row)


def test_transitional_article_is_known() -> None:
    assert told("Ceza?", law(1, "Ceza verilir.", "4", "gecici"))[0]["law_transitional"] == 1.0
