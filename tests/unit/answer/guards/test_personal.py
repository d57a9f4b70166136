"""Personal data are found by their check digits and prefixes, and other numbers are let be."""

from __future__ import annotations

import time
import unicodedata
from typing import Literal

import pytest

from docrag.answer.guards.personal import (
    IBAN_LENGTHS,
    PersonalDatum,
    is_card,
    is_iban,
    is_tckn,
    masked,
    personal,
)
from tests.unit.answer.guards.ordinary import QUESTIONS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TCKN'm 10000000146, izin hakkım kaç gün?", "TCKN'm [TCKN], izin hakkım kaç gün?"),
        ("10000000146'nın izni", "[TCKN]'nın izni"),
        ("100 000 001 46", "[TCKN]"),
        ("TR33 0006 1005 1978 6457 8413 26 hesabına", "[IBAN] hesabına"),
        ("TR330006100519786457841326'ya", "[IBAN]'ya"),
        ("iban: tr33 0006 1005 1978 6457 8413 26.", "iban: [IBAN]."),
        ("TR33-0006-1005-1978-6457-8413-26", "[IBAN]"),
        ("DE89370400440532013000 ve GB29 NWBK 6016 1331 9268 19 var", "[IBAN] ve [IBAN] var"),
        ("FR14 2004 1010 0505 0001 3M02 606", "[IBAN]"),
        ("0532 123 45 67", "[telefon]"),
        ("+90 (532) 123 45 67'yi ara", "[telefon]'yi ara"),
        ("+905321234567, 05321234567, 5321234567", "[telefon], [telefon], [telefon]"),
        ("0(312) 555 12 34 / 0212-555-12-34", "[telefon] / [telefon]"),
        ("0090 532 123 45 67", "[telefon]"),
        ("Ali Veli <ali.veli+is@kurum.gov.tr>.", "Ali Veli <[e-posta]>."),
        ("şükrü@örnek.com.tr'ye yaz", "[e-posta]'ye yaz"),
        ("4111 1111 1111 1111", "[kart]"),
        ("5555-5555-5555-4444", "[kart]"),
        ("9792030394440796 ve 378282246310005", "[kart] ve [kart]"),
        ("10000000146,10000000146", "[TCKN],[TCKN]"),
        ("7,10000000146,05321234567,a@b.tr", "7,[TCKN],[telefon],[e-posta]"),
        ("4111111111111111;10000000146-5321234567", "[kart];[TCKN]-[telefon]"),
        ("TC10000000146 tc_10000000146 TCKN10000000146", "TC[TCKN] tc_[TCKN] TCKN[TCKN]"),
        ("1\u200b0000000\u00ad146 yok", "[TCKN] yok"),
        ("ığ １００００００0146 ve ０５３２ １２３ ４５ ６７!", "ığ [TCKN] ve [telefon]!"),
        ("ayşe＠örnek．com", "[e-posta]"),
        ("ＴＲ33 0006 1005 1978 6457 8413 26", "[IBAN]"),
        ("1 0 0 0 0 0 0 0 1 4 6 ve 1-0-0-0-0-0-0-0-1-4-6", "[TCKN] ve [TCKN]"),
        ("100-000-001-46 / 100.000.001.46", "[TCKN] / [TCKN]"),
        ("212 555 12 34, (212) 555 12 34", "[telefon], [telefon]"),
        ("0532-123-45-67/0533-123-45-67", "[telefon]/[telefon]"),
        ("Tel: 0212 555 12 34/35", "Tel: [telefon]/35"),
        ("TR330006100519786457841326ya", "[IBAN]ya"),
        ("tel0532 123 45 67 gsm_05321234567", "tel[telefon] gsm_[telefon]"),
        ("", ""),
    ],
)
def test_personal_data_are_masked(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "6331 sayılı kanunun 10. maddesi",
        "2012/1234 sayılı karar, Tebliğ 2012/0532",
        "TS EN 14511-2 ve TS EN ISO 45001:2018",
        "30.06.2012 tarihli 28339 sayılı Resmî Gazete",
        "1.250.000,00 TL ve 5321234567,50 TL ve 5.321.234.567",
        "10000000147",
        "12345678901 numaralı fatura",
        "100000001461",
        "TR34 0006 1005 1978 6457 8413 26",
        "TR33 0006 1005 1978 6457 8413 2",
        "XX33 0006 1005 1978 6457 8413 26",
        "0532 123 45 678",
        "0521 123 45 67",
        "0199 123 45 67",
        "1 0532 123 45 67",
        "2023-0532 1234567",
        "444 1 444",
        "10000000146,5 TL",
        "6331/10000000146",
        "10.000.000.146 TL",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "1 0 0 0 0 0 0 0 1 4 6 1",
        "AB10000000146",
        "200 555 12 34",
        "212 155 12 34",
        "3 212 555 12 34 5",
        "212 555 1234",
        "212 555 12 345",
        "1,5321234567",
        "2012/5321234567",
        "TR330006100519786457841326A",
        "4111 1111 1111 1112",
        "4111 1111 1111 1111 1",
        "0000 0000 0000 0000",
        "8690123456789",
        "192.168.100.100",
        "kurum@yerel ve @kullanici",
        "a@b@c.com",
        "MADDE 4 - (1) 5 6 7 8 9 10 11 12 13 14 15 16 17",
    ],
)
def test_other_numbers_are_let_be(text: str) -> None:
    assert personal(text) == ()


@pytest.mark.parametrize("text", [q for q in QUESTIONS if "@" not in q])
def test_ordinary_question_holds_none(text: str) -> None:
    assert personal(text) == ()


def test_data_are_told_in_reading_order() -> None:
    text = "0532 123 45 67 ve a@b.tr"
    assert personal(text) == (
        PersonalDatum(kind="phone", start=0, end=14),
        PersonalDatum(kind="email", start=18, end=24),
    )


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_text_around_stays_as_it_is(form: Literal["NFC", "NFD"]) -> None:
    around = unicodedata.normalize(form, "İşçi ığdır ŞÜKRÜ: {} çağrıldı")
    assert masked(around.format("10000000146")) == around.format("[TCKN]")


@pytest.mark.parametrize("place", range(11))
def test_one_wrong_digit_makes_no_tckn(place: int) -> None:
    digits = list("10000000146")
    digits[place] = str((int(digits[place]) + 1) % 10)
    assert is_tckn("10000000146") and not is_tckn("".join(digits))


@pytest.mark.parametrize("place", range(16))
def test_one_wrong_digit_makes_no_card(place: int) -> None:
    digits = list("4111111111111111")
    digits[place] = str((int(digits[place]) + 1) % 10)
    assert is_card("4111111111111111") and not is_card("".join(digits))


@pytest.mark.parametrize(
    "iban",
    [
        "AT611904300234573201",
        "BE68539007547034",
        "NL91ABNA0417164300",
        "NO9386011117947",
        "SA0380000000608010167519",
        "AZ21NABZ00000000137010001944",
        "MT84MALT011000012345MTLCAST001S",
    ],
)
def test_ibans_of_other_countries_are_known(iban: str) -> None:
    assert is_iban(iban) and not is_iban(iban[:-1]) and len(iban) == IBAN_LENGTHS[iban[:2]]


@pytest.mark.parametrize(
    "piece", ["0", "1 ", "a.", "a@", "TR33 ", "TR33", "a-", "(", "0 5", "1-", "１"]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    started = time.process_time()
    personal(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 8
