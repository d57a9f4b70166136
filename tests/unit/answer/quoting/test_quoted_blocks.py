"""What quoted sentences are joined with, and what a question of several parts gets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.extractive import quote
from docrag.api import Article
from tests.unit.answer.sources import source


def said(question: str, *texts: str) -> str:
    """The quoted answer over these sources."""
    sources = [source(n, text) for n, text in enumerate(texts, start=1)]
    return "".join(delta.text for delta in quote(question, sources))


LEAVE = (
    "Yıllık izin süreleri şöyledir:\n\n| Kıdem | Yıllık izin |\n|---|---|\n"
    "| 1 yıldan 5 yıla kadar (5 yıl dâhil) | 15 iş günü |\n| 5 yıldan fazla, 15 yıldan az | 21 iş "
    "günü |\n| 15 yıl ve daha fazla | 27 iş günü |\n\nElli yaşından büyük çalışanların izni, "
    "kıdemlerine bakılmaksızın 21 iş gününden az olamaz. Hafta tatili izin süresinden sayılmaz."
)


def test_row_of_the_amount_comes_alone_with_its_columns() -> None:
    text = said("15 yıl çalışanın yıllık izni kaç gün?", LEAVE)
    assert "Kıdem: 15 yıl ve daha fazla; Yıllık izin: 27 iş günü" in text
    assert "15 iş günü" not in text


def test_rule_behind_the_table_comes_with_its_row() -> None:
    assert "21 iş gününden az olamaz" in said("15 yıl çalışanın yıllık izni kaç gün?", LEAVE)


def test_all_amounts_come_where_the_question_tells_none() -> None:
    text = said("Yıllık izin kaç gün?", LEAVE)
    assert all(days in text for days in ("15 iş günü", "21 iş günü", "27 iş günü"))


def test_rows_stand_on_lines_of_their_own() -> None:
    text = said("Yıllık izin kaç gün?", LEAVE)
    assert "|" not in text
    assert all(line.count("Kıdem:") <= 1 for line in text.split("\n"))


@pytest.mark.parametrize(
    "limit",
    [
        "Ancak stajyerler bundan yararlanamaz.",
        "Şu kadar ki bu süre uzatılamaz.",
        "Stajyerler hariçtir.",
        "Gece çalışanlara ilişkin hükümler saklıdır.",
        "Uzak iller için ise bu süre altı güne çıkarılır.",
    ],
)
def test_limit_comes_with_its_rule(limit: str) -> None:
    text = said("Yol izni kaç gündür?", f"Yol izni dört gündür. {limit} Form portalda bulunur.")
    assert text.startswith(f"Yol izni dört gündür. {limit}")


def test_sentence_that_points_back_comes_with_the_one_before() -> None:
    law = "Kurul üyeleri seçimle gelir. Bu üyelerin görev süresi üç yıldır. Baret takılır."
    assert "Kurul üyeleri seçimle gelir. Bu üyelerin" in said("Görev süresi kaç yıldır?", law)


def test_remark_between_a_rule_and_its_limit_does_not_part_them() -> None:
    law = (
        "Gece çalışması yedi buçuk saati geçemez.\n\n(Ek cümle: 4/4/2015-6645/37 md.)\n\n"
        "Ancak turizm işlerinde bu süre aşılabilir."
    )
    assert "Ancak turizm" in said("Gece çalışması kaç saati geçemez?", law)


def test_items_of_a_short_list_come_together() -> None:
    rules = (
        "Operatör şunları denetler:\na) Fren ve korna,\nb) Zincir,\nc) Lastik.\n(2) Kayıt tutulur."
    )
    text = said("Operatör fren ve korna için ne yapar?", rules)
    assert text.startswith("Operatör şunları denetler:\na) Fren ve korna,\nb) Zincir,\nc) Lastik.")


def test_both_parts_of_a_question_are_quoted() -> None:
    text = said(
        "Baret takmak zorunlu mu, kavga edene hangi ceza verilir?",
        "Baret takmak zorunludur. Eldiven verilir. Maske verilir.",
        "Kavga edene uyarma cezası verilir. Kayıt tutulur.",
    )
    assert "[1]" in text
    assert "[2]" in text


def test_sentence_of_two_sources_is_quoted_once() -> None:
    rule = "Forklift bina içinde en çok altı kilometre hızla gider."
    assert said("Forklift hızı en çok kaç kilometre?", rule, rule).count("Forklift") == 1


def test_repealed_and_valid_sentences_are_apart() -> None:
    gone = Article(kind="madde", number="8", status="mulga")
    one = source(1, "Hekim her ay rapor verir.")
    own = replace(one, chunks=(replace(one.chunks[0], article=gone),))
    text = "".join(delta.text for delta in quote("Hekim rapor verir mi?", [own]))
    assert text == "Hekim her ay rapor verir. (yürürlükten kaldırılmış) [1]"


def long_limit(words: int) -> str:
    """An exception of many words that ends with what it says."""
    return f"Ancak {'evden çalışan, ' * words}izinde olan çalışanlara bu bedel ödenmez."


def meal(*behind: str, is_law: bool = True) -> str:
    """The quoted answer over a rule with sentences behind it."""
    found = source(1, " ".join(("Kalan çalışana günlük 150 TL yemek bedeli ödenir.", *behind)))
    if is_law:
        article = Article(kind="madde", number="1")
        chunks = tuple(replace(one, article=article) for one in found.chunks)
        found = replace(found, chunks=chunks)
    quoted = quote("Kalan çalışana günlük kaç TL yemek bedeli ödenir?", [found])
    return "".join(delta.text for delta in quoted)


@pytest.mark.parametrize("is_law", [True, False])
def test_long_exception_comes_whole_with_its_rule(is_law: bool) -> None:
    limit = long_limit(30)
    assert 400 < len(limit) <= 600
    assert limit in meal(limit, is_law=is_law)


def test_beginning_of_a_very_long_exception_comes_with_a_sign() -> None:
    text = meal(long_limit(70))
    assert "ödenir. Ancak evden çalışan" in text
    assert "…" in text


@pytest.mark.parametrize(
    "between",
    [
        ("Ödeme ayın on beşinde yapılır.",),
        ("(Ek cümle: 4/4/2015-6645/37 md.)", "Ödeme ayın on beşinde yapılır."),
        ("(Ek ücret hafta sonu iki kat verilir.)", "Ödeme ayın on beşinde yapılır."),
    ],
)
def test_exception_behind_a_short_sentence_comes_with_its_rule(between: tuple[str, ...]) -> None:
    assert long_limit(30) in meal(*between, long_limit(30))
