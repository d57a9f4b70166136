"""Forms of a question's verb in sentences."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.verbs import Deed


@pytest.mark.parametrize(
    ("question", "sentence", "is_told"),
    [
        ("Forklifti kim kullanabilir?", "Forklifti belgesi olan çalışanlar kullanır.", True),
        ("Forklifti kim kullanabilir?", "Forklifti stajyerler kullanamaz.", True),
        ("FORKLİFTİ KİM KULLANABİLİR?", "FORKLİFTİ OPERATÖR KULLANIR.", True),
        ("Forklifti kim kullanabilir?", "Amir forkliftin kullanılmasını engeller.", False),
        ("Arıza için kim aranır?", "Amir, Bakım Birimini arar.", True),
        ("U\u0308cret ne zaman o\u0308denir?", "Ücret ay sonunda ödenir.", True),
        ("Kemer takmalı mıyım?", "Çalışan kemer takar.", True),
        ("Amirim yanıt vermezse ne olur?", "Yanıt verilmezse istek iletilir.", True),
        ("Kararı kim verir?", "Kararı yalnızca müdür verir.", True),
        ("Kararı kim verir?", "İşveren eğitim verir.", False),
        ("Yol izni kaç gün?", "Yol izni dört gündür.", False),
        ("", "Yol izni dört gündür.", False),
    ],
)
def test_deed_is_told_in_other_forms(question: str, sentence: str, is_told: bool) -> None:
    assert Deed.of(question).is_told(sentence) is is_told
