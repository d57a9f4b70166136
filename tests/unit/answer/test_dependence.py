"""Whether a question hangs on the one before."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.dependence import depends


@pytest.mark.parametrize(
    "question",
    [
        "620 kişi olursa?", "ya 620 kişi olursa?", "YA 620 KİŞİ OLURSA?", "Peki ya gece olursa?",
        "620 kişi için?", "Neden?", "Kaç gün?", "Kim?", "kimler için?", "Bunun cezası nedir?",
        "Bunun yapılmaması halinde işverene hangi ceza verilir?", "Onu kim onaylar?",
        "Bu süre ne zaman başlar?", "Şu madde?", "Peki stajyerler?", "Aynısı stajyerde?",
        "Kısmi süreli çalışanlar için?", "O zaman ne yapılır?", "Peki ya İstanbul?",
        "And for part-time workers?", "What about part-time workers?", "What if 620 people work?",
        "Who signs it?", "Why?", "How long is this valid?",
    ],
)  # fmt: skip
def test_question_without_a_topic_depends(question: str) -> None:
    assert depends(question)
    assert depends(unicodedata.normalize("NFD", question))


@pytest.mark.parametrize(
    "question",
    [
        "Yıllık izin kaç gün?", "Forklift hızı en fazla kaçtır?", "Su deposu kaç ton?",
        "İşe giriş muayenesi zorunlu mu?", "IT güvenlik politikası nedir?",
        "Peki yangın tüpleri ne sıklıkla kontrol edilir?", "Çalışan temsilcisi sayısı kaç?",
        "O zaman risk değerlendirmesi kaç yılda bir yenilenir?", "Kaza olursa kim aranır, nereye?",
        "Iğdır şubesi servis saatleri", "Depoda baret takmak zorunlu mu?",
        "Is it mandatory to wear a helmet in the warehouse?", "How many days of annual leave?",
        "What are the duties and rights of employees?", "Fire extinguisher inspection period?",
    ],
)  # fmt: skip
def test_question_with_a_topic_stands_alone(question: str) -> None:
    assert not depends(question)
    assert not depends(unicodedata.normalize("NFD", question))
