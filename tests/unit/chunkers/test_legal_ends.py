"""Where a law ends: annexes, a second law, parts that count anew, contents, footnotes, quotes."""

from __future__ import annotations

import pytest

from docrag.api import Chunk, Page
from docrag.chunkers.legal import LegalChunker, finds_law


def chunks(*texts: str) -> list[Chunk]:
    pages = [Page(number=n, text=text) for n, text in enumerate(texts, start=1)]
    return list(LegalChunker().split(pages))


def labels(*texts: str) -> list[str]:
    return [chunk.label for chunk in chunks(*texts)]


def articles(first: int, last: int) -> str:
    return "\n".join(f"MADDE {n} – (1) İşveren çığ önler." for n in range(first, last + 1))


@pytest.mark.parametrize(
    "last",
    [
        "MADDE 3 – (1) Bu Yönerge yayımı tarihinde yürürlüğe girer.",
        "MADDE 3 – (1) Bu Yönerge yayımı tarihinde yürürlüğe girer",
        "MADDE 3 – (1) Bu Yönergenin yürütülmesinden İSG Kurulu sorumludur.",
        "MADDE 3 – (1) Bakan yürütür.\nGEÇİCİ MADDE 1 – (1) Süre altı aydır.",
        "MADDE 3 – (1) Bu Yönerge yürürlüğe girer.\nRektör",
    ],
)
@pytest.mark.parametrize(
    "annex", ["EK-1", "EK 1", "Ek-A", "EK-1: TELEFONLAR", "EK-1 Acil Telefonlar", "TABLO 1"]
)
def test_annex_begins_behind_last_article(last: str, annex: str) -> None:
    found = chunks(f"{articles(1, 2)}\n{last}", f"{annex}\nTELEFONLAR\nİtfaiye 110", "EK-2\nBenzen")
    assert [chunk.article is None for chunk in found[-2:]] == [True, True]
    assert found[-2].text.startswith(annex)
    assert found[-3].article is not None


@pytest.mark.parametrize(
    "text",
    [
        "(2) Ek-1 sayılı listede yer alan\nEK-1\nuygulanır.",
        "(2) Listeler;\nEK-1 ve\nEK 2\nolarak verilir.",
        "(2) Bu işler için ekte verilen\nEK-1 Risk Formu\nkullanılır.",
        "(2) Biter.\nEK-1 Risk Formu doldurulur.",
        "(2) Aşağıdaki, \nEK-1’de belirtilir.",
    ],
)
def test_annex_named_in_last_article_is_its_text(text: str) -> None:
    assert labels(f"{articles(1, 3)}\n{text}") == ["Madde 1", "Madde 2", "Madde 3"]


def test_annex_named_before_other_articles_is_text() -> None:
    assert labels(f"{articles(1, 3)}\nEK-1\nListe\n{articles(4, 5)}")[-1] == "Madde 5"


def test_articles_of_annex_are_none_of_the_law() -> None:
    annex = "EK-1\nKKD TALİMATI\nMadde 1 – Baret.\nMadde 2 – Eldiven.\nMadde 3 – Gözlük."
    found = chunks(articles(1, 3), annex, "EK-2\nDİĞER")
    assert [(chunk.label, chunk.article is None) for chunk in found[3:]] == [
        ("EK-1", True),
        ("EK-1, Madde 1", True),
        ("EK-1, Madde 2", True),
        ("EK-1, Madde 3", True),
        ("EK-2", True),
    ]


def test_second_law_begins_without_last_sentence() -> None:
    found = chunks(articles(1, 4), f"YANGIN YÖNERGESİ\nAmaç\n{articles(1, 3)}")
    assert [chunk.section for chunk in found[-4:]] == [
        "",
        "YANGIN YÖNERGESİ > Madde 1 (Amaç)",
        "YANGIN YÖNERGESİ > Madde 2",
        "YANGIN YÖNERGESİ > Madde 3",
    ]
    assert found[3].text == "MADDE 4 – (1) İşveren çığ önler."


def test_second_law_behind_annex_has_articles_of_its_own() -> None:
    annex = "EK-1\nTELEFONLAR\nİtfaiye 110\nPolis 155\nAmbulans 112"
    found = chunks(articles(1, 3), annex, f"YANGIN YÖNERGESİ\n{articles(1, 3)}")
    assert [chunk.article is not None for chunk in found[-3:]] == [True] * 3


def test_part_counts_its_articles_anew() -> None:
    found = chunks(f"BİRİNCİ KISIM\n{articles(1, 3)}\nİKİNCİ KISIM\nÖzel\n{articles(1, 3)}")
    assert [chunk.section for chunk in found] == [
        f"{part} KISIM > Madde {n}" for part in ("BİRİNCİ", "İKİNCİ") for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("again", ["(Değişik: RG-1/2/2020-31026) (1) Yeni.", "(1) Yeni metin."])
def test_later_wording_is_an_article(again: str) -> None:
    found = labels(f"{articles(1, 3)}\nMADDE 2 – {again}\n{articles(4, 4)}")
    assert found == ["Madde 1", "Madde 2", "Madde 3", "Madde 2", "Madde 4"]


def test_articles_below_footnotes_are_articles() -> None:
    note = "MADDE 3 – (Mülga: RG-1/2/2020-31026)\n______\n(1) 1/2/2020 tarihli Yönetmelik"
    found = chunks(f"{articles(1, 2)}\n{note}\n{articles(4, 5)}")
    assert [chunk.label for chunk in found[2:]] == ["Madde 3 (mülga)", "Madde 4", "Madde 5"]


def test_article_quoted_in_footnote_is_note() -> None:
    note = "______\n(1) Önceki metin:\nMADDE 3 – (1) Eski."
    assert labels(f"{articles(1, 2)}\n{note}", articles(3, 4)) == [
        f"Madde {n}" for n in range(1, 5)
    ]


@pytest.mark.parametrize("opening", ["“a) Eldiven", '"Baret: koruyucu başlık', "“(3) Fıkra."])
def test_quotation_never_closed_ends_at_due_article(opening: str) -> None:
    text = f"MADDE 1 – (1) Maddesi aşağıdaki şekilde değiştirilmiştir:\n{opening}\n{articles(2, 5)}"
    assert labels(text) == [f"Madde {n}" for n in range(1, 6)]


def test_quoted_articles_that_are_due_are_quoted() -> None:
    quoted = (
        "Yönetmeliğe aşağıdaki maddeler eklenmiştir.\n“Başlık\nMADDE 3 – (1) A.\nMADDE 4 – (1) B.”"
    )
    found = labels(f"{articles(1, 1)}\nMADDE 2 – {quoted}\n{articles(3, 5)}")
    assert found == [f"Madde {n}" for n in range(1, 6)]


@pytest.mark.parametrize("entry", ["Madde {n}\nBaşlık", "MADDE {n} – Başlık", "Madde {n} Başlık 3"])
def test_contents_in_every_form_are_no_articles(entry: str) -> None:
    contents = "\n".join(entry.format(n=n) for n in range(1, 5))
    body = "\n".join(f"Madde {n}\nAmaç\nİşveren çığ önler. Bildirir." for n in range(1, 5))
    found = chunks(f"İÇİNDEKİLER\n{contents}", body)
    assert [chunk.label for chunk in found] == ["", *(f"Madde {n}" for n in range(1, 5))]
    assert found[0].text.endswith(contents[-8:])
    assert found[-1].text.endswith("Bildirir.")


@pytest.mark.parametrize("number", [12, 40])
def test_article_in_full_form_counts_after_any_gap(number: int) -> None:
    assert labels(f"{articles(1, 3)}\n{articles(number, number)}")[-1] == f"Madde {number}"


def test_ordinary_sentence_ends_no_law() -> None:
    text = (
        f"{articles(1, 1)}\nMADDE 2 – (1) Bu işleri Kurul yürütür.\nb) Denetler.\n{articles(3, 4)}"
    )
    assert labels(text) == [f"Madde {n}" for n in range(1, 5)]


def test_references_alone_in_lines_steal_no_article() -> None:
    text = f"{articles(1, 2)}\n(2) Bakınız\nMadde 4: Tanımlar\nMadde 3: Görevler\n{articles(3, 5)}"
    found = chunks(text)
    assert [chunk.label for chunk in found] == [f"Madde {n}" for n in range(1, 6)]
    assert found[1].text.endswith("Madde 3: Görevler")


def test_amended_article_of_the_same_number_hides_none() -> None:
    quoted = "2 nci maddesi aşağıdaki şekilde değiştirilmiştir.\n“Başlık\nMADDE 2 – (1) Yeni.”"
    found = chunks(f"{articles(1, 1)}\nMADDE 2 – Yönetmeliğin {quoted}\n{articles(3, 4)}")
    assert [chunk.label for chunk in found] == [f"Madde {n}" for n in range(1, 5)]
    assert found[1].text.endswith("MADDE 2 – (1) Yeni.”")


def test_check_list_is_no_law() -> None:
    text = "Madde 1: Baret takılıyor mu?\nMadde 2: Eldiven var mı?\nMadde 3: Tüp dolu mu?"
    assert not finds_law([Page(number=1, text=text)])


def test_title_of_law_is_not_that_of_article_1() -> None:
    found = chunks(f"İŞ GÜVENLİĞİ YÖNERGESİ\nAmaç\n{articles(1, 3)}")
    assert [chunk.section for chunk in found[:2]] == ["", "Madde 1 (Amaç)"]


@pytest.mark.parametrize("status", ["(Mülga)", "MÜLGA", "(Yürürlükten kaldırılmıştır.)"])
def test_status_is_no_title(status: str) -> None:
    assert chunks(f"{articles(1, 3)}\nMADDE 4 – {status}")[-1].section == "Madde 4 (mülga)"
