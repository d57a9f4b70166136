from __future__ import annotations

import unicodedata

from docrag.api import f5, fold, lower, words


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
