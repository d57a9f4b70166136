"""What a question counts."""

from __future__ import annotations

import pytest

from docrag.answer.gate.counted import Counted
from docrag.answer.gate.weighing import tokens


def told(question: str, text: str) -> bool:
    """Whether a sentence has a number of what a question counts."""
    counted = Counted.of(question)
    assert counted is not None
    return counted.is_told(tokens(text), text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Yıllık izin kaç gün?", "15 iş günü verilir."),
        ("YILLIK İZİN KAÇ GÜN?", "On beş günden az olamaz."),
        ("Günde en fazla kaç saat çalışılır?", "Günde onbir saati aşamaz."),
        ("F-03 kaç kilo kaldırır?", "F-03 LPG 3.500 kg"),
        ("Forklift kaç yaşında kullanılır?", "On sekiz yaşından küçükler kullanamaz."),
        ("Kart kaç yıl geçerli?", "Kart 18 ay geçerlidir."),
        ("Maaşı ne kadar?", "Ücret 30.000 TL'dir."),
        ("Ücret kaç lira?", "Ücretin yüzde 25'i verilir."),
        ("Avans ücreti ne kadar?", "Avans en çok %25'tir."),
        ("Eğim kaç derece?", "Eğim 8°'dir."),
    ],
)
def test_number_of_the_unit_tells_it(question: str, text: str) -> None:
    assert told(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Forklift kaç yaşında kullanılır?", "Yetki kartı 2 yıl geçerlidir."),
        ("Ücretsiz izin kaç ay?", "Dört güne kadar ücretsiz izin verilir."),
        ("Doğum izni kaç ay?", "En az bir yıl çalışmış olmalıdır."),
        ("LPG tüpü kaç kilo?", "Tüp 5 dakikada değişir."),
        ("Operatörün maaşı ne kadar?", "Operatör 2 yılda bir eğitim alır."),
        ("Operatörün maaşı ne kadar?", "Eğim yüzde 10'dan fazla olamaz."),
        (
            "Operatörün maaşı ne kadar?",
            "Operatör direksiyonu sıkıca tutar, 8 saat eğitime katılır.",
        ),
        ("Kaç gün?", "Aynı gün bildirilir."),
    ],
)
def test_number_of_something_else_does_not(question: str, text: str) -> None:
    assert not told(question, text)


@pytest.mark.parametrize(
    "question", ["", "İzin ne kadar?", "Hangi yıl?", "Kaç yılında kuruldu?", "Kaç tane?", "Kaç"]
)
def test_question_without_a_known_unit_counts_nothing(question: str) -> None:
    assert Counted.of(question) is None
