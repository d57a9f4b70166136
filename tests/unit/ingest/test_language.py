"""The language of a document, on real documents and on single sentences."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docrag.ingest.language import PIECES, SAMPLE, detect
from docrag.loaders.pdf import PdfLoader
from docrag.loaders.txt import TextLoader

DOCS = Path(os.environ.get("DATA", "../shared/data")) / "docs"
SENTENCE = "İşveren kazayı üç iş günü içinde kuruma bildirmekle yükümlüdür."
ENGLISH = "The employer shall report the accident within three working days."


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        "Isveren kazayi uc is gunu icinde kuruma bildirmekle yukumludur.",
        "İŞVEREN KAZAYI ÜÇ İŞ GÜNÜ İÇİNDE KURUMA BİLDİRİR.",
        "IS KAZASI OLAN HER CALISAN BUNU AYNI GUN ICINDE AMIRINE BILDIRIR",
        "I\u0307s\u0327veren kazayı u\u0308c\u0327 is\u0327 gu\u0308nu\u0308nde bildirir.",
        "Sistemde single sign-on için OAuth token kullanılır; the user is redirected to the "
        "login page hatası alınırsa destek ekibine yazın, parola ise hiç sorulmaz.",
        "Erkan-i Harbiye Mektebi, Osmanli Ordusu'na kurmay subay yetistiren okuldur.",
    ],
)
def test_turkish_is_known_in_every_spelling(text: str) -> None:
    assert detect([text]) == "tr"


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        "Hard hats must be worn at all times in the workshop.",
        "NO PERSON SHALL ENTER THE AREA WITHOUT A HELMET AND GLOVES.",
        "I, the undersigned, have read this and will wear the gloves that I was given.",
        "The plant in İzmir was inspected by Işık Yıldız, and all of its cranes were in order. "
        "They are to be tested again within a year, as the law of the country says.",
    ],
)
def test_english_is_known_by_a_sentence(text: str) -> None:
    assert detect([text]) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "Der Arbeitgeber hat die Arbeitnehmer in allen Fragen der Sicherheit zu unterweisen. Was "
        "zu tun ist, wenn ein Brand ausbricht, steht im Plan. So will es das Gesetz.",
        "De werkgever is verplicht om te zorgen voor de veiligheid van de werknemers. Er was in "
        "de hal een ongeluk, en dat is in het boek geschreven.",
        "L'employeur doit assurer la sécurité des travailleurs. On ne doit pas monter sur la "
        "machine, et tout accident est déclaré au plus tard deux jours après.",
        "Il datore di lavoro garantisce la sicurezza. Non si deve salire sulla macchina.",
        "Работодатель обязан обеспечить безопасность труда.",
    ],
)
def test_other_language_is_the_default(text: str) -> None:
    assert detect([text]) == "tr"


@pytest.mark.parametrize(
    "texts", [[], [""], [" \n", ""], ["1 2 3 | 4 5 6"], ["Of the"], ["\x00"], ["Hello World"]]
)
def test_too_little_text_is_the_default(texts: list[str]) -> None:
    assert detect(texts) == "tr"


def test_pages_count_together() -> None:
    assert detect(["The", "employer of", "the person"]) == "en"


def test_cover_in_another_language_does_not_decide() -> None:
    assert detect([f"{ENGLISH} " * 20, f"{SENTENCE} " * 2000]) == "tr"


def test_half_of_each_is_turkish() -> None:
    assert detect([f"{SENTENCE} {ENGLISH} " * 400]) == "tr"


def test_only_a_sample_is_read() -> None:
    # Every piece lies in Turkish text, although most of the document is English.
    piece = SAMPLE // PIECES
    turkish = (SENTENCE * piece)[:piece]
    gap = ENGLISH * 200
    assert detect([gap.join([turkish] * PIECES)]) == "tr"


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("tr/firat_002.pdf", "tr"),
        ("tr/firat_118.pdf", "tr"),
        ("tr/firat_106.pdf", "tr"),
        ("text/kanun_6331_s7-9_cp1254.txt", "tr"),
        ("text/talimat_utf16le_bom.txt", "tr"),
        ("nasty/pypdf__AutoCad_Diagram.pdf", "en"),
        ("nasty/plumber__issue-598-example.pdf", "en"),
        ("nasty/pdfjs__attachment.pdf", "en"),
        ("nasty/samples__026-latex-multicolumn_multicolumn.pdf", "tr"),
    ],
)
def test_real_document_has_its_language(name: str, language: str) -> None:
    path = DOCS / name
    if not path.exists():
        pytest.skip(f"{path} is missing: set DATA to the folder of the shared data")
    loader = PdfLoader() if name.endswith("pdf") else TextLoader()
    pages = loader.load(path.read_bytes(), filename=path.name)
    assert detect([page.text for page in pages]) == language
