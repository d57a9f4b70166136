"""Whom sentences speak of."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.persons import has_person


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kararı yalnızca fabrika müdürü verir.", True),
        ("MÜDÜRÜN ONAYI GEREKİR.", True),
        ("Kararı Ayşe Kaya verir.", True),
        ("Bir yıl çalışmış olanlar izne hak kazanır.", True),
        ("(2) Yetki kartı 2 yıl geçerlidir.", False),
        ("MADDE 9 – (1) Aküler istasyonda şarj edilir.", False),
        ("a) Fren, direksiyon, korna,", False),
        ("", False),
    ],
)
def test_names_roles_and_whoever_are_persons(text: str, expected: bool) -> None:
    assert has_person(text) is expected
