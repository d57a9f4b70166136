from __future__ import annotations

import time
import unicodedata

import pytest

from docrag.api import f5, fold, lower, printable, repair, words


def test_lower_knows_dotted_and_dotless_i() -> None:
    assert lower("IĞDIR İZMİR") == "ığdır izmir"


def test_lower_composes_first() -> None:
    assert lower(unicodedata.normalize("NFD", "İŞÇİ")) == "işçi"


def test_words_split_at_apostrophe() -> None:
    assert words("Türkiye'nin 10. maddesi") == ["türkiye", "nin", "10", "maddesi"]


def spelt_out(word: str) -> str:
    """What :func:`fold` gives, sign by sign and without its short way."""
    signs = {"ı": "i", "İ": "i"}
    composed = unicodedata.normalize("NFC", word)
    plain = "".join(signs.get(sign, sign) for sign in composed).lower()
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(sign for sign in decomposed if sign.isalnum() or sign == "_")


def test_fold_of_plain_words_is_that_of_all_others() -> None:
    """Plain words take a short way; no sign, alone or beside another, may tell."""
    signs = [chr(code) for code in range(0x3000) if not 0xD800 <= code < 0xE000]
    signs += ["\u212a", "\u212b", "\ufb01", "\uff21"]
    words = [form for sign in signs for form in (sign, f"a{sign}", f"{sign}I", f"ş{sign}x")]
    assert [word for word in words if fold(word) != spelt_out(word)] == []


def test_fold_gives_plain_letters() -> None:
    assert fold("ÇĞİÖŞÜçğıöşüâîû") == "cgiosucgiosuaiu"


def test_f5_keeps_order_and_repeats() -> None:
    assert f5("Çalışanlar çalışır; işveren") == ["calis", "calis", "isver"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc\x0bd\u2028e", "a\nb\nc\nd\ne"),
        ("\ufeffa\x07b\x9fc\u200bd", "abcd"),
        ("eğitim\x02öğretim", "eğitim-öğretim"),
        ("\uf0b7 madde", "• madde"),
        ("s\u0327", "ş"),
        ("x\ud800y", "xy"),
        ("a\tb\n", "a\tb\n"),
    ],
)
def test_printable_leaves_readable_text(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_repair_maps_broken_font_letters() -> None:
    assert repair(["DEĞĠġĠKLĠK", "araĢtırma"]) == ["DEĞİŞİKLİK", "araştırma"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L\x00sansüstü eğ\x00t\x00m", "Lisansüstü eğitim"),
        ("N\x00san ayında\x00 yapılır", "Nisan ayında yapılır"),
        ("YÖNETMEL\x00K", "YÖNETMELİK"),
        ("k\x00z ve kız", "kız ve kız"),
        ("maddes\x00 \x00ç\x00n", "maddesi için"),
        ("a \x00 b\x00\x00", "a  b"),
    ],
)
def test_repair_restores_letter_behind_nul(text: str, expected: str) -> None:
    assert repair([text]) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("değerlen-\ndirme yapılır", "değerlendirme\nyapılır"),
        ("eğitim-\nöğretim yılı", "eğitim-öğretim\nyılı"),
        ("İSG-\nKÂTİP kaydı", "İSG-KÂTİP\nkaydı"),
        ("değerlendir\xad\nmesi, her", "değerlendirmesi,\nher"),
        ("yazı-\nlım; yazı-lım", "yazı-lım;\nyazı-lım"),
        ("MADDE 5\xad (1)", "MADDE 5- (1)"),
        ("2020-\n2021", "2020-\n2021"),
    ],
)
def test_repair_joins_broken_words(text: str, expected: str) -> None:
    assert repair([text]) == [expected]


def test_repair_learns_from_other_pages() -> None:
    assert repair(["gelgit-\nler", "Gelgitler gelir."])[0] == "gelgitler\n"


def test_repair_of_nothing_is_nothing() -> None:
    assert repair([]) == []


@pytest.mark.parametrize(
    "text",
    ["a" * 2_000_000 + "\x00", "\xad" + "a" * 2_000_000, "a-\n" * 500_000, "\x00a" * 500_000],
)
def test_repair_takes_linear_time(text: str) -> None:
    start = time.monotonic()
    repair([text])
    assert time.monotonic() - start < 10
