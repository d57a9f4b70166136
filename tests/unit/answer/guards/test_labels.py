"""Masks and the words that announce them are no part of what is searched."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.guards.labels import without_masks
from docrag.answer.question import asked, core


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("TC [TCKN] baret nerede?", "baret nerede?"),
        ("Telefonum [telefon], baret nerede?", "baret nerede?"),
        ("T.C. kimlik numaram: [TCKN]. Baret nerede?", "Baret nerede?"),
        ("TC KİMLİK NO [TCKN] baret nerede?", "baret nerede?"),
        ("[TCKN]'nın izni kaç gün?", "izni kaç gün?"),
        ("Baret [TCKN] numaralı çalışana ne zaman verilir?", "Baret çalışana ne zaman verilir?"),
        ("IBAN'ım [IBAN], e-postam [e-posta]: izin kaç gün?", "izin kaç gün?"),
        ("cep tel no: [telefon] İzin kaç gün?", "İzin kaç gün?"),
        ("İzin kaç gün ([TCKN])?", "İzin kaç gün ( )?"),
        ("My phone number is [telefon]; where is the helmet?", "where is the helmet?"),
        ("Telsiz [telefon] nerede?", "Telsiz nerede?"),
        ("Kartımı kaybettim, [kart] nerede?", "Kartımı kaybettim, nerede?"),
        ("[TCKN]", "[TCKN]"),
        ("TC kimlik numarası nereye yazılır?", "TC kimlik numarası nereye yazılır?"),
        ("", ""),
    ],
)
def test_masks_and_their_labels_are_left_out(text: str, left: str) -> None:
    assert without_masks(text) == left


def test_decomposed_labels_are_known() -> None:
    text = unicodedata.normalize("NFD", "KİMLİK NUMARASI [TCKN] izin kaç gün?")
    assert without_masks(text) == "izin kaç gün?"


@pytest.mark.parametrize("clean", [asked, core])
def test_question_is_searched_and_weighed_without_masks(clean: object) -> None:
    assert callable(clean)
    assert clean("Telefonum [telefon], izin kaç gün?") == "izin kaç gün?"
