"""Lists, tables and conditions in quoted answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docrag.answer.quoting.extractive import quote
from docrag.api import Citation
from tests.unit.answer.sources import source


def said(question: str, *context: Citation | str) -> str:
    """The quoted answer over these sources, or over sources of these texts."""
    sources = [
        source(n, one) if isinstance(one, str) else one for n, one in enumerate(context, start=1)
    ]
    return "".join(delta.text for delta in quote(question, sources))


def of(number: int, text: str, *, ordinal: int) -> Citation:
    """A source whose chunk stands at this place of its document."""
    one = source(number, text)
    return replace(one, chunks=(replace(one.chunks[0], ordinal=ordinal),))


NUMBERS = (
    "MADDE 16 – (1) Acil durumda aranacak dahili numaralar aşağıdadır.\n"
    "Birim Dahili Çalışma saatleri\nGüvenlik ve yangın 1122 7 gün 24 saat\n"
    "Revir 1155 08.00-17.30\nİş Güvenliği Birimi 1177 08.00-17.30"
)


def test_sentence_that_points_below_brings_its_table() -> None:
    text = said("Acil durumda aranacak numaralar neler?", NUMBERS)
    assert text == f"{NUMBERS} [1]"


def test_table_without_columns_gives_the_row_that_is_meant() -> None:
    text = said("Güvenlik ve yangın için aranacak dahili numara kaç?", NUMBERS)
    assert "saatleri\nGüvenlik ve yangın 1122 7 gün 24 saat … [1]" in text


@pytest.mark.parametrize(
    "beginning",
    ["Daha fazlasında", "Daha azında", "Aksi takdirde", "Bunun dışında", "Diğer hallerde"],
)
def test_condition_comes_with_the_sentence_that_it_hangs_on(beginning: str) -> None:
    rule = "Dökülen sıvı 5 litreden azsa kit kullanılır."
    other = f"{beginning} alan boşaltılır ve ekip çağrılır."
    assert f"{rule} {other}" in said("Alan ne zaman boşaltılır, ekip kim?", f"{rule} {other}")


FINES = (
    "Bu maddede belirtilen idari para cezaları;\na) Ondan az çalışanı bulunan işyerlerinden;\n"
    "1) Az tehlikeli sınıfta yer alanlar için aynı miktarda,\n"
    "2) Tehlikeli sınıfta yer alanlar için yüzde yirmi beş oranında artırılarak,\n"
    "b) On ila kırk dokuz çalışanı bulunan işyerlerinden;\n"
    "1) Az tehlikeli sınıfta yer alanlar için aynı miktarda,\n"
    "2) Tehlikeli sınıfta yer alanlar için yüzde elli oranında artırılarak, uygulanır."
)


def test_list_within_an_item_stays_with_it() -> None:
    text = said("Az tehlikeli işyerinde idari para cezası nasıl artırılır?", FINES)
    assert text == f"{FINES} [1]"


PRINCIPLES = (
    "Aşağıdaki ilkeler göz önünde bulundurulur:\na) Risklerden kaçınmak.\n"
    "b) Riskleri analiz etmek.\nc) Risklerle kaynağında mücadele etmek."
)
MORE = "ç) İşi kişilere uygun hale getirmek.\nd) Tekniğe uyum sağlamak.\nHizmetler\nUzman atanır."


def test_list_goes_on_in_the_source_of_the_next_page() -> None:
    text = said(
        "Göz önünde bulundurulan ilkeler nelerdir?",
        of(1, PRINCIPLES, ordinal=13),
        of(2, MORE, ordinal=13),
    )
    assert text.startswith(f"{PRINCIPLES} [1]\n\nç) İşi")
    assert text.endswith("d) Tekniğe uyum sağlamak. [2]")


def test_list_does_not_go_on_elsewhere() -> None:
    text = said(
        "Göz önünde bulundurulan ilkeler nelerdir?",
        of(1, PRINCIPLES, ordinal=13),
        of(2, MORE, ordinal=20),
    )
    assert text == f"{PRINCIPLES} [1]"


def test_items_that_have_no_room_are_told_by_a_sign() -> None:
    items = "\n".join(f"{n}) Operatör {n}. parçayı gözden geçirir." for n in range(1, 30))
    text = said("Operatör neleri denetler?", f"Operatör şunları denetler:\n{items}")
    assert text.endswith("12) Operatör 12. parçayı gözden geçirir. … [1]")


def test_items_left_out_before_a_quoted_one_are_told_by_a_sign() -> None:
    items = "\n".join(
        f"{letter}) {what} {'her vardiyada bakılır ve yazılır ' * 8}."
        for letter, what in zip("abcç", ("Fren", "Zincir", "Lastik", "Korna"), strict=True)
    )
    text = said("Lastik bakımı?", f"Denetlenecek olanlar:\n{items}")
    assert text.startswith("Denetlenecek olanlar: …\nc) Lastik")
    assert text.endswith(". … [1]")


def test_items_on_lines_of_their_own_are_not_run_together() -> None:
    law = (
        "MADDE 38 – (1) Bu Kanunun;\na) (Değişik: 12/7/2013-6495/56 md.) 6 ve 7 nci maddeleri;\n"
        "1) Kamu kurumları ile az tehlikeli işyerleri için 1/7/2016 tarihinde,\n"
        "2) Çok tehlikeli işyerleri için 1/1/2014 tarihinde,\nb) Diğerleri hemen yürürlüğe girer."
    )
    text = said("Çok tehlikeli işyerleri için tarih nedir?", law)
    assert "(1) Bu Kanunun;\na) (Değişik" in text
    assert "\n1) Kamu kurumları" in text
    assert "tarihinde, … [1]" in text


def test_paragraph_between_two_quoted_sentences_is_quoted() -> None:
    law = (
        "Her kaza amire bildirilir.\n(2) Ramak kala olay formla, ad yazmadan da bildirilebilir. "
        "Formlar her hafta kurulda görüşülür, kaza formları da."
    )
    text = said("Kaza kime bildirilir, formlar nerede görüşülür?", law)
    assert "(2) Ramak kala olay formla" in text


def test_further_list_without_room_is_left_out_with_its_sentence() -> None:
    what = "her vardiyada gözden geçirir ve deftere yazar " * 3
    lists = [
        "\n".join([f"{who} şunları yapar:", *(f"{n}) {who} {n}. işi {what}." for n in range(1, 9))])
        for who in ("Operatör", "Amir", "Uzman")
    ]
    text = said("Operatör, amir ve uzman neleri yapar?", *lists)
    assert text.count("şunları yapar:") == 1
    assert "8) " in text


LPG = (
    "LPG tüpünün değiştirilmesi\nMADDE 10 – (1) LPG tüpü açık havada, motor durdurulduktan sonra "
    "ve eldivenle değiştirilir.\n(2) Gaz kokusu duyulursa vana kapatılır ve güvenlik aranır."
)
NEAR_MISS = (
    "MADDE 14 – (1) Her iş kazası aynı vardiya içinde amire bildirilir.\n(2) Ramak kala olaylar "
    "FR-İSG-021 formuyla, ad yazmadan da bildirilebilir. Formlar her hafta kurulda görüşülür."
)
CLASSES = (
    "(5) Görev alabilmeleri için; çok tehlikeli sınıfta yer alan işyerlerinde (A) sınıfı, "
    "tehlikeli sınıfta en az (B) sınıfı iş güvenliği uzmanlığı belgesi şartı aranır.\n"
    "(6) Uzmanlar kendi aralarında iş birliği yapar."
)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("LPG tüpü nasıl değiştirilir?", LPG, "(1) LPG tüpü açık havada"),
        ("Ramak kala olayı isimsiz bildirebilir miyim?", NEAR_MISS, "ad yazmadan da"),
        ("Çok tehlikeli işyerinde hangi sınıf uzman çalışır?", CLASSES, "(A) sınıfı"),
    ],
)
def test_paragraph_that_answers_is_quoted(question: str, text: str, expected: str) -> None:
    assert expected in said(question, text)
