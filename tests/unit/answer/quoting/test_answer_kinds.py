"""Kinds of answers that questions want and sentences hold."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.answer_kinds import held, wanted
from docrag.api import fold, words


def holds(question: str, text: str) -> set[str]:
    """Kinds that a sentence holds for a question."""
    folded = tuple(fold(word) for word in words(text))
    return set(held(wanted(question), text, folded).kinds)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Kurul kaç ayda bir toplanır?", "number"),
        ("NE KADAR izin verilir?", "number"),
        ("Talimat ne zaman yürürlüğe girdi?", "date"),
        ("Hangi yılda kuruldu?", "date"),
        ("İzni kim onaylar?", "person"),
        ("Göz duşu nerede?", "place"),
        ("Neden eldiven takılır?", "reason"),
        ("Tüp nasıl değiştirilir?", "manner"),
        ("Ramak kala ne demek?", "name"),
        ("How many days?", "number"),
    ],
)
def test_kind_of_a_question(question: str, kind: str) -> None:
    assert kind in wanted(question).kinds


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("Kurul kaç ayda bir toplanır?", "Kurul üç ayda bir toplanır.", "Kurul toplanır."),
        ("Ne zaman kuruldu?", "Şirket 1987'de kuruldu.", "Şirket kuruldu."),
        ("Kim onaylar?", "İzni bugün Ayşe Kaya onaylar.", "İzin onaylanır."),
        ("Neden yasak?", "Gaz biriktiği için yasaktır.", "Sigara yasaktır."),
    ],
)
def test_sentence_holds_its_kind(question: str, right: str, wrong: str) -> None:
    assert wanted(question).kinds & holds(question, right)
    assert not holds(question, wrong) - {"thing"}


def test_number_of_the_question_is_no_answer() -> None:
    assert not holds("50 çalışan için kaç temsilci?", "50 çalışan için temsilci seçilir.")


def test_unit_stands_behind_its_number() -> None:
    told = held(wanted("İzin kaç gün?"), "İzin on dört gündür.", ("izin", "on", "dort", "gundur"))
    assert told.has_unit
