"""The chunker for laws, over a small law that has every form once."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrag.api import Article, Chunk, Page, SettingsError
from docrag.chunkers.legal import LegalChunker, finds_law

LAW = (Path(__file__).parents[2] / "fixtures" / "mini_kanun.txt").read_text(encoding="utf-8")


def law_pages() -> list[Page]:
    return [Page(number=n, text=text) for n, text in enumerate(LAW.split("\f"), start=1)]


def chunks(*texts: str, size: int = 1200) -> list[Chunk]:
    pages = [Page(number=n, text=text) for n, text in enumerate(texts, start=1)]
    return list(LegalChunker(size=size).split(pages))


@pytest.fixture(scope="module")
def law() -> dict[str, Chunk]:
    """Chunks of the small law by label; those without one as ``""``."""
    return {chunk.label: chunk for chunk in LegalChunker().split(law_pages())}


def test_legal_names_itself() -> None:
    assert LegalChunker().fingerprint == "legal_tr/1200/v4"


@pytest.mark.parametrize(("size", "overlap"), [(49, 0), (100, 51), (100, -1)])
def test_legal_refuses_wrong_limits(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match="legal_tr"):
        LegalChunker(size=size, overlap=overlap)


def test_legal_makes_one_chunk_of_each_article(law: dict[str, Chunk]) -> None:
    assert list(law) == [
        "",
        "Madde 1",
        "Madde 2",
        "Madde 3",
        "Madde 3/A",
        "Madde 4 (mülga)",
        "Madde 5",
        "Geçici madde 1",
        "Ek madde 1",
        "Madde 6",
        "Madde 7",
        "EK-1",
        "Değişiklik listesi",
    ]


@pytest.mark.parametrize(
    ("label", "section"),
    [
        ("Madde 1", "BİRİNCİ KISIM > BİRİNCİ BÖLÜM > Madde 1 (Amaç ve kapsam)"),
        ("Madde 3", "BİRİNCİ KISIM > BİRİNCİ BÖLÜM > Madde 3 (Yazılı bildirim)"),
        ("Madde 4 (mülga)", "BİRİNCİ KISIM > İKİNCİ BÖLÜM > Madde 4 (mülga) (Eski hüküm)"),
        ("Ek madde 1", "BİRİNCİ KISIM > İKİNCİ BÖLÜM > Ek madde 1"),
        ("EK-1", "EK-1"),
    ],
)
def test_legal_gives_heading_path(law: dict[str, Chunk], label: str, section: str) -> None:
    assert law[label].section == section


@pytest.mark.parametrize(
    ("label", "article"),
    [
        ("Madde 2", Article(kind="madde", number="2", paragraph_first=1, paragraph_last=2)),
        ("Madde 3/A", Article(kind="madde", number="3/a")),
        ("Madde 4 (mülga)", Article(kind="madde", number="4", status="mulga")),
        (
            "Geçici madde 1",
            Article(kind="gecici", number="1", paragraph_first=1, paragraph_last=1),
        ),
        ("Ek madde 1", Article(kind="ek", number="1")),
        ("EK-1", None),
        ("", None),
    ],
)
def test_legal_fills_article(law: dict[str, Chunk], label: str, article: Article | None) -> None:
    assert law[label].article == article


def test_legal_carries_title_across_page(law: dict[str, Chunk]) -> None:
    chunk = law["Madde 3"]
    assert (chunk.page_first, chunk.page_last) == (1, 2)
    assert chunk.text.startswith("Yazılı bildirim\n–––")
    assert chunk.page_at(0) == 1
    assert chunk.page_at(chunk.text.index("MADDE 3")) == 2


def test_legal_keeps_quoted_article_with_amending_one(law: dict[str, Chunk]) -> None:
    assert law["Madde 5"].text.endswith(
        "“Yeni başlık\nMADDE 23 – (1) Yeni hüküm budur.\n(2) İkinci yeni hüküm budur.”"
    )
    assert law["Madde 5"].article == Article(
        kind="madde", number="5", paragraph_first=1, paragraph_last=1
    )


def test_legal_stops_at_table_of_amendments(law: dict[str, Chunk]) -> None:
    assert law["Değişiklik listesi"].text.endswith("MADDE 8 – 1/1/2022")
    assert law["Değişiklik listesi"].article is None


def test_legal_drops_printed_page_numbers_at_chunk_ends(law: dict[str, Chunk]) -> None:
    assert law["Madde 7"].text.endswith("yürütür.")
    assert law["Madde 7"].page_last == 2


def test_legal_splits_long_article_by_paragraphs_and_items() -> None:
    parts = list(LegalChunker(size=120).split(law_pages()))
    assert [chunk.label for chunk in parts if chunk.label.startswith("Madde 2")] == [
        "Madde 2, fıkra 1, bent a–b",
        "Madde 2, fıkra 1, bent c–ç",
        "Madde 2, fıkra 2",
    ]


def test_legal_names_item_of_item_in_long_article() -> None:
    item = "uzun bir yükümlülük cümlesi " * 3
    article = f"MADDE 3 – (1) İşveren;\na) {item}:\n1) {item}\n2) {item}\nb) bildirir.\n(2) Son."
    parts = chunks(f"MADDE 1 – (1) A.\nMADDE 2 – (1) B.\n{article}", size=130)
    assert [chunk.label for chunk in parts[2:]] == [
        "Madde 3, fıkra 1",
        "Madde 3, fıkra 1, bent a",
        "Madde 3, fıkra 1, bent a, alt bent 1",
        "Madde 3, fıkra 1, bent a, alt bent 2",
        "Madde 3, fıkra 1, bent b",
        "Madde 3, fıkra 2",
    ]


def test_legal_cuts_only_too_long_item_at_sentences() -> None:
    sentence = "İşveren çığ altında kalan işçiyi arar. "
    long = "MADDE 3 – (1) Kısa;\na) " + sentence * 3 + "\nb) Biter."
    parts = chunks(f"MADDE 1 – (1) A.\nMADDE 2 – (1) B.\n{long}", size=100)
    assert [(chunk.label, chunk.text[-6:]) for chunk in parts[3:]] == [
        ("Madde 3, fıkra 1, bent a", " arar."),
        ("Madde 3, fıkra 1, bent a", " arar."),
        ("Madde 3, fıkra 1, bent b", "Biter."),
    ]


def test_legal_puts_footnote_of_long_article_apart() -> None:
    note = "______\n(1) Bu fıkra değişti.\n(2) Bu bir dipnottur."
    parts = chunks(
        f"MADDE 1 – (1) A.\nMADDE 2 – (1) B.\nMADDE 3 – (1) {'Bir cümle. ' * 9}\n{note}",
        f"(2) {'İki cümle. ' * 9}",
        size=120,
    )
    assert [(chunk.label, chunk.page_first) for chunk in parts[2:]] == [
        ("Madde 3, fıkra 1", 1),
        ("Dipnot", 1),
        ("Madde 3, fıkra 2", 2),
    ]
    assert (parts[3].text, parts[3].article) == (note, None)


def test_legal_keeps_footnote_inside_of_sentence() -> None:
    parts = chunks(
        "MADDE 1 – (1) A.\nMADDE 2 – (1) B.\nMADDE 3 – (1) İşveren, çalışanların\n______\n(1) Not.",
        "ücretini öder.\n(2) Son.",
    )
    assert parts[-1].text.endswith("çalışanların\n______\n(1) Not.\nücretini öder.\n(2) Son.")
    assert parts[-1].page_breaks == (parts[-1].text.index("ücretini"),)


def test_legal_names_paragraph_only_if_number_is_known() -> None:
    long = "Kırk beş saatten çok çalışan işçiye yüzde elli fazlası ödenir ve bu süre"
    named = f"(Değişik yedinci fıkra: 1/1/2010) {long}\nbiter."
    article = f"Madde 3 - {long}\naşılamaz.\n{named}\nSon fıkra {long}\nbiter."
    parts = chunks(f"MADDE 1 – (1) A.\nMADDE 2 – (1) B.\n{article}", size=230)
    assert [chunk.label for chunk in parts[2:]] == [
        "Madde 3",
        "Madde 3, fıkra 7–8",
    ]


def test_legal_begins_second_law_in_the_same_file_anew() -> None:
    first = "".join(f"MADDE {n} – (1) Hüküm {n}.\n" for n in range(1, 4))
    last = "MADDE 4 – (1) Bu Yönerge hükümlerini Rektör yürütür.\n"
    second = "YÖNERGEDE\nDEĞİŞİKLİK YAPILMASINA DAİR YÖNERGE\nMADDE 1 – Değişti.\nMADDE 2 – Bitti."
    parts = chunks(f"{first}{last}{second}")
    assert [(chunk.label, chunk.article is None) for chunk in parts[-4:]] == [
        ("Madde 4", False),
        ("", True),
        ("Madde 1", True),
        ("Madde 2", True),
    ]
    assert parts[-1].section == "YÖNERGEDE DEĞİŞİKLİK YAPILMASINA DAİR YÖNERGE > Madde 2"


def test_legal_passes_over_contents() -> None:
    contents = "İÇİNDEKİLER\n" + "".join(f"MADDE {n} – Başlık {n}\n" for n in range(1, 6))
    law = "".join(f"MADDE {n} – (1) İşveren çığ önler.\n(2) Bildirir.\n" for n in range(1, 6))
    parts = chunks(f"{contents}YÖNERGE\n{law}")
    assert [chunk.label for chunk in parts] == ["", *(f"Madde {n}" for n in range(1, 6))]
    assert parts[-1].text.endswith("Bildirir.")


def test_legal_reads_sections_without_pages() -> None:
    pages = [
        Page(
            number=None,
            text=f"MADDE {n} – Amaç\n(1) Hüküm.",
            section=f"Yönerge > MADDE {n} – Amaç",
        )
        for n in (1, 2, 3)
    ]
    found = list(LegalChunker().split(pages))
    assert [chunk.section for chunk in found] == [f"Yönerge > Madde {n} (Amaç)" for n in (1, 2, 3)]
    assert {(chunk.page_first, chunk.page_breaks) for chunk in found} == {(None, ())}


def test_legal_goes_on_with_article_in_next_section() -> None:
    pages = [
        Page(number=None, text="MADDE 1 – (1) A.\nMADDE 2 – (1) B."),
        Page(number=None, text="MADDE 3 – (1) İlk fıkra."),
        Page(number=None, text="(2) İkinci fıkra."),
    ]
    last = list(LegalChunker().split(pages))[-1]
    assert last.article == Article(kind="madde", number="3", paragraph_first=2, paragraph_last=2)


@pytest.mark.parametrize(
    ("text", "is_law"),
    [
        (LAW, True),
        ("MADDE 10 – (1) A.\nMADDE 11 – (1) B.\nMADDE 12 – (1) C.", True),
        ("MADDE 1 – (1) A.\nMADDE 2 – (1) B.", False),
        ("Madde 1 uyarınca\nMadde 2’de\nMadde 3, 4", False),
        ("", False),
    ],
)
def test_finds_law_by_three_headings(text: str, is_law: bool) -> None:
    assert finds_law([Page(number=1, text=text)]) is is_law


def test_legal_cuts_other_documents_too() -> None:
    text = "# Talimat\nIzgara 12 saatte bir temizlenir. Işık söndürülür."
    (chunk,) = chunks(text)
    assert (chunk.text, chunk.article) == (text, None)
