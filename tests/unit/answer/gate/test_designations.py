"""Codes and letters that no source has."""

from __future__ import annotations

import pytest

from docrag.answer.gate.designations import absent
from tests.unit.answer.sources import source

CODES = [source(1, "İzin FR-İK-012 formuyla istenir. F-03 3.500 kg kaldırır. B12 eksikliği olur.")]
PLACES = [source(1, "A binasındakiler kuzeyde, B binasındakiler güneyde toplanır. C vitamini.")]


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("FR-İK-013 nerede?", ("FR-İK-013",)),
        ("fr-ik-013 nerede", ("fr-ik-013",)),
        ("F-04'ün kapasitesi nedir?", ("F-04",)),
        ("F-0 nedir, F-031 nedir?", ("F-0", "F-031")),
        ("FR-İK-012 nerede?", ()),
        ("fr-ik-012 nerede", ()),
        ("F-03'ün kapasitesi, F03, F-03?", ()),
        ("B12 nedir, B13 nedir?", ("B13",)),
        ("2019-2020 yılında 5-10 kişi var mı?", ()),
    ],
)
def test_codes_must_be_the_very_same(question: str, codes: tuple[str, ...]) -> None:
    assert absent(question, CODES) == codes


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("C binasındakiler nerede toplanır?", ("C binasındakiler",)),
        ("C BİNASI NEREDE?", ("C BİNASI",)),
        ("c binasi nerede", ("c binasi",)),
        ("A binası nerede, B binası nerede?", ()),
        ("b binası nerede", ()),
        ("C vitamini nedir?", ()),
        ("O bina nerede? a bendi, e posta, (b) bendi", ()),
    ],
)
def test_letters_must_stand_with_their_noun(question: str, letters: tuple[str, ...]) -> None:
    assert absent(question, PLACES) == letters


def test_title_may_have_the_code() -> None:
    assert absent("talimat.pdf F-9 nedir?", []) == ("F-9",)
    assert absent("Talimat", []) == ()
