"""Amounts of a question within the ranges of a text."""

from __future__ import annotations

import pytest

from docrag.answer.quoting.ranges import Amounts, has_range

FIRST = "Kıdem: 1 yıldan 5 yıla kadar (5 yıl dâhil); Yıllık izin: 15 iş günü"
SECOND = "b) Beş yıldan fazla onbeş yıldan az olanlara yirmi günden,"
THIRD = "Onbeş yıl (dahil) ve daha fazla olanlara yirmialtı günden,"


@pytest.mark.parametrize(
    ("question", "text", "within"),
    [
        ("15 yıl çalışanın izni kaç gün?", FIRST, False),
        ("15 yıl çalışanın izni kaç gün?", SECOND, False),
        ("15 yıl çalışanın izni kaç gün?", THIRD, True),
        ("Üç yıldır buradayım, iznim ne kadar?", FIRST, True),
        ("ALTI YILLIK ÇALIŞAN", SECOND, True),
        ("18 aylık çalışan", FIRST, True),
        ("620 kişiyiz", "ç) Beşyüzbir ile bin arasında çalışanı bulunan işyerlerinde dört.", True),
        ("620 kişiyiz", "b) Ellibir ile yüz arasında çalışanı bulunan işyerlerinde iki.", False),
        ("620 çalışanımız var", "501 ilâ 1000 çalışan: 4 temsilci", True),
        ("620 işçi", "Çalışan sayısı: 51-100; Temsilci: 2", False),
        ("2500 çalışan", "İkibinbir ve üzeri çalışanı bulunan işyerlerinde altı.", True),
        ("40 çalışan", "Elliden fazla çalışanın bulunduğu işyerlerinde kurul oluşturulur.", False),
        ("60 kişiyiz", "Elli veya daha fazla işçi çalıştıran işyerlerinde yüzde üç.", True),
        ("25 kişiyiz", "Otuz ya da daha çok işçi çalıştıran işyerlerinde aranır.", False),
        ("8 yıl çalışan", "Kıdem: 6-14 yıl; İzin: 20 gün", True),
        ("8 yıl çalışan", "Kıdem: 1-5 yıl; İzin: 14 gün", False),
        ("70 kişi", "51 ile 100 kişi arasında iki temsilci", True),
        ("5 ay çalıştım", "İşi altı aydan az sürmüş olan işçi için iki hafta", True),
        ("55 yaşında", "On sekiz yaşından küçük ve elli yaşından büyük çalışanlar", True),
    ],
)
def test_amount_is_within_or_not(question: str, text: str, within: bool) -> None:
    assert Amounts.of(question).within(text) is within


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Yıllık izin kaç gün?", FIRST),
        ("15 yıl çalışanın izni?", "İzin 21 iş gününden az olamaz."),
        ("15 metre", FIRST),
        ("15 yıl", ""),
        ("620 kişi", "Telefon: 0212 444-5555"),
    ],
)
def test_text_that_does_not_tell_has_no_say(question: str, text: str) -> None:
    assert Amounts.of(question).within(text) is None


def test_decomposed_letters_are_read_alike() -> None:
    assert Amounts.of("u\u0308ç yıl").within(FIRST) is True


def test_limit_is_no_range() -> None:
    assert not has_range("İzin 21 iş gününden az olamaz.")


def test_range_of_a_text_is_seen() -> None:
    assert has_range(SECOND)
