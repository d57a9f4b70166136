from __future__ import annotations

import unicodedata

import pytest

from docrag.glyphs import readings

TEXT = (
    "Öğrencilerin kişisel eğitimi ile ilgili iş ve işlemleri, değişiklik değerlendirmesi "
    "sınavı, yazılı şartları, doğru bağlı ayrı sınıf kişiler değil. "
)


@pytest.mark.parametrize("letter", ["i", "ı", "ş", "ğ"])
def test_readings_find_each_letter(letter: str) -> None:
    assert readings([TEXT.replace(letter, "\ue001") * 20]) == {"\ue001": letter}


def test_readings_find_a_ligature() -> None:
    assert readings(["pro\x1el, de\x1en ve te\x1etiş; bir ofis " * 20]) == {"\x1e": "fi"}


def test_readings_find_letters_of_the_wrong_table() -> None:
    text = TEXT.translate({ord("ş"): "þ", ord("ğ"): "ð", ord("ı"): "ý"})
    found = readings([text * 20])
    assert found == {"þ": "ş", "ð": "ğ", "ý": "ı", "Þ": "Ş", "Ð": "Ğ", "Ý": "İ"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT,
        unicodedata.normalize("NFD", TEXT),
        "l’été déjà vu – 5 µm; x² ve eğitim­öğretim a\ufffeb, don‟t, na\ufb01le",
        "Ελληνικά κείμενα, русский текст, نص عربي",
    ],
)
def test_readings_find_nothing_in_sound_text(text: str) -> None:
    assert readings([text * 40]) == {}


@pytest.mark.parametrize("sign", ["\x0f", "Ж", "\ufffd"])
def test_readings_give_no_letter_where_none_makes_words(sign: str) -> None:
    assert readings([f"qx{sign}w kr{sign}zt " * 20]) == {sign: ""}
