from __future__ import annotations

import time

import pytest

from docrag.api import printable, repair, unreadable

#: A font without a table for its i; U+0D74 is what readers print.
BARE = "Bu yönetmel൴k, Ün൴vers൴ten൴n b൴r b൴r൴m൴ ൴ç൴n eğ൴t൴m ve öğret൴m ൴le sınavı düzenler. "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc\x0bd\u2028e", "a\nb\nc\nd\ne"),
        ("\ufeffa\x07b\x9fc\u200bd", "abcd"),
        ("eğitim\x02öğretim", "eğitim-öğretim"),
        ("eğitim\ufffeöğretim", "eğitim-öğretim"),
        ("sını\ufb01 ve \ufb04", "sınıfi ve ffl"),
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
    "text",
    [
        "Il-Gvern ġabar il-ġurnali fil-Ġimgħa; Ġorġ u Ġwanni, Mġarr",
        "Sayın Ġorġ Borġ (Malta) ile sözleşme imzalandı.",
        "Ģimene, ķīmija, Ģertrūdes iela",
    ],
)
def test_repair_leaves_letters_of_other_languages(text: str) -> None:
    assert repair([text]) == [text]


def test_repair_maps_broken_font_letters_of_known_words() -> None:
    assert repair(["Ġlgili ġekil YÖNETĠM"]) == ["İlgili Şekil YÖNETİM"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L\x00sansüstü eğ\x00t\x00m", "Lisansüstü eğitim"),
        ("N\x00san ayında\x00 yapılır", "Nisan ayında yapılır"),
        ("YÖNETMEL\x00K", "YÖNETMELİK"),
        ("k\x00z ve kız", "kız ve kız"),
        ("maddes\x00 \x00ç\x00n", "maddesi için"),
        ("a \x00 b\x00\x00", "a  b"),
        ("1\x0005 bar, 3\x00kg", "1\ufffd05 bar, 3\ufffdkg"),
        ("1\x00\x002 bar, 12\x00\x00 kg", "1\ufffd2 bar, 12 kg"),
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
        ("değerlen\ufffedirme yapılır", "değerlendirme\nyapılır"),
        ("eğitim\x02\r\nöğretim yılı", "eğitim-öğretim\nyılı"),
        ("(Ek ibare:RG\ufffe21/8/2022-31930) yok", "(Ek ibare:RG-21/8/2022-31930)\nyok"),
        ("5\xad10 kg, %5\xad%10", "5-10 kg, %5-%10"),
        ("N-\nmetil, C-\nvitamini", "N-metil,\nC-vitamini\n"),
        ("e-\nposta, eposta", "e-posta,\neposta"),
        ("kurul\ufffepanel-ders; panel, kurul", "kurul-panel-ders;\npanel, kurul"),
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
    [
        "a" * 2_000_000 + "\x00",
        "a" * 2_000_000 + " Ġ \uf0b3",
        "\xad" + "a" * 2_000_000,
        "a-\n" * 500_000,
        "\x00a" * 500_000,
    ],
)
def test_repair_takes_linear_time(text: str) -> None:
    start = time.monotonic()
    repair([text])
    assert time.monotonic() - start < 10


def test_repair_finds_the_letter_behind_a_foreign_sign() -> None:
    assert repair([BARE * 3])[0].startswith(
        "Bu yönetmelik, Üniversitenin bir birimi için eğitim ve öğretim ile sınavı düzenler."
    )


def test_repair_leaves_a_foreign_sign_that_is_rare() -> None:
    assert "൴" in repair([BARE])[0]


def test_unreadable_names_signs_that_make_no_words() -> None:
    assert unreadable(["q൴x z൴w kr൴t " * 10]) == {"൴"}
    assert unreadable([BARE * 3, ""]) == frozenset()


def test_repair_takes_letters_that_are_known() -> None:
    texts = ["q\ue001z kr\ue001t"]
    assert repair(texts) == texts
    assert repair(texts, letters={"\ue001": "ı"}) == ["qız krıt"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a-\nb-\nc", "a-b-\nc"),
        ("(-\nal-\nma", "(-\nalma\n"),
        ("al- \t\n  ma, ver-\nme.", "alma,\nverme.\n"),
        ("_-\n5 ve k-\n5", "_-\n5 ve k-5\n"),
    ],
)
def test_repair_joins_each_break_once(text: str, expected: str) -> None:
    assert repair([text]) == [expected]


def test_repair_takes_many_blanks_behind_a_hyphen_in_no_time() -> None:
    began = time.monotonic()
    assert repair(["a\ufffe" + " " * 50_000 + "."])[0].startswith("a- ")
    assert time.monotonic() - began < 2
