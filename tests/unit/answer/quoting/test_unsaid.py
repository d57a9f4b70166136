"""Words of a question that a quoted answer lacks."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.unsaid import unsaid


@pytest.mark.parametrize(
    ("question", "quoted", "expected"),
    [
        ("İzinden kimler yararlanamaz?", "İzin 15 iş günüdür. [1]", (("yararlanamaz",), 2)),
        ("Arıza için kim aranır?", "Arızada amir Bakım Birimini arar. [1]", ((), 2)),
        ("Maaş ne zaman ödenir?", "Ücret ay sonunda ödenir. [1]", ((), 2)),
        ("Göz duşu nerede?", "Göz duşu girişindedir. [1]", ((), 2)),
        ("Bakım 1 günde biter mi?", "Bakım uzun sürer. [1]", (("günde", "biter"), 3)),
        (
            "Birimlerden hangisi aranır?",
            "Bir arıza olursa Bakım aranır. [1]",
            (("Birimlerden",), 2),
        ),
        ("10. madde ne diyor?", "MADDE 10 – Yangını gören düğmeye basar. [1]", ((), 0)),
    ],
)
def test_words_are_missing_that_no_sentence_says(
    question: str, quoted: str, expected: tuple[tuple[str, ...], int]
) -> None:
    assert unsaid(question, quoted) == expected
