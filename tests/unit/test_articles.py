"""Articles that a question names."""

from __future__ import annotations

import os
import time
import unicodedata
from pathlib import Path

import pytest

from docrag.articles import Naming, named_articles
from eval import tquad


def read(question: str) -> list[tuple[str, str, int | None]]:
    naming = named_articles(question)
    articles = naming.articles if naming else ()
    return [(item.kind, item.number, item.paragraph_first) for item in articles]


def naming(question: str) -> Naming:
    found = named_articles(question)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "kind", "number", "paragraph"),
    [
        ("10. madde", "madde", "10", None),
        ("10. madde ne diyor?", "madde", "10", None),
        ("10.madde", "madde", "10", None),
        ("md. 10/2", "madde", "10", 2),
        ("md 10", "madde", "10", None),
        ("m.10/2", "madde", "10", 2),
        ("m. 30'da ne yazıyor", "madde", "30", None),
        ("madde 10", "madde", "10", None),
        ("MADDE 10 (2)", "madde", "10", 2),
        ("madde no: 10", "madde", "10", None),
        ("10 uncu madde", "madde", "10", None),
        ("10'uncu maddesi", "madde", "10", None),
        ("10 NCU MADDE", "madde", "10", None),
        ("10/2. madde", "madde", "10", 2),
        ("10/2 maddesi", "madde", "10", 2),
        ("10 maddesi ne diyor", "madde", "10", None),
        ("onuncu madde", "madde", "10", None),
        ("ONUNCU MADDE", "madde", "10", None),
        ("yirmi beşinci madde", "madde", "25", None),
        ("yuz on ikinci maddede ne var", "madde", "112", None),
        ("geçici 4", "gecici", "4", None),
        ("GEÇİCİ 4 NEDİR", "gecici", "4", None),
        ("GECICI MADDE 4", "gecici", "4", None),
        ("geçici 4. maddede", "gecici", "4", None),
        ("geçici dördüncü madde", "gecici", "4", None),
        ("dördüncü geçici madde", "gecici", "4", None),
        ("kanunun geçici 4'üncü maddesi", "gecici", "4", None),
        ("ek 3", "ek", "3", None),
        ("ek 3 ne diyor", "ek", "3", None),
        ("ek madde 3", "ek", "3", None),
        ("mükerrer 20. madde", "mukerrer", "20", None),
        ("mükerrer madde 20", "mukerrer", "20", None),
        ("25/A", "madde", "25/a", None),
        ("25/A maddesi", "madde", "25/a", None),
        ("madde 25/Ç fıkra 1", "madde", "25/ç", 1),
        ("25/II maddesi", "madde", "25", None),
        ("25/II-e maddesi", "madde", "25", None),
        ("madde 5/1-b'ye göre", "madde", "5", 1),
        ("6331 sayılı kanunun 10. maddesi", "madde", "10", None),
        ("10. maddenin 2. fıkrası", "madde", "10", 2),
        ("Onuncu maddenin üçüncü fıkrası nedir?", "madde", "10", 3),
        ("26 ncı maddesinin birinci fıkrası", "madde", "26", 1),
        ("madde 10 fıkra 2", "madde", "10", 2),
        ("What does article 10 say?", "madde", "10", None),
        ("7 numaralı madde ne diyor", "madde", "7", None),
        ("7 nolu madde", "madde", "7", None),
        ("7 no'lu maddede ne var", "madde", "7", None),
        ("madde numarası 7", "madde", "7", None),
        ("25 A maddesi", "madde", "25/a", None),
        ("25-A maddesi", "madde", "25/a", None),
        ("25a maddesi", "madde", "25/a", None),
        ("25/A'ya göre", "madde", "25/a", None),
        ("kanunun 26/b bendi ne diyor", "madde", "26/b", None),
        ("4857/25", "madde", "25", None),
        ("4857 s. K. 25. md", "madde", "25", None),
        ("10(2)", "madde", "10", 2),
        ("madde yedi", "madde", "7", None),
        ("madde on yedi ne diyor", "madde", "17", None),
        ("13'üncü maddenin (3) numaralı fıkrası", "madde", "13", 3),
    ],
)
def test_article_is_read(question: str, kind: str, number: str, paragraph: int | None) -> None:
    assert read(question) == [(kind, number, paragraph)]
    assert read(unicodedata.normalize("NFD", question)) == [(kind, number, paragraph)]


@pytest.mark.parametrize(
    "question",
    [
        "", "madde", "10", "10/2", "7734/10", "2019/12 sayılı genelge", "6331 sayılı kanun",
        "birinci fıkra", "m10",
        "10 madde var mı?", "kimyasal maddeler", "tehlikeli madde 5 kg", "madde 4.2",
        "ek 3 gün izin", "EK-3 form", "geçici 4 işçi", "5 m. 10 cm", "9/A sınıfı", "No: 25/A",
        "on kişi", "maddede 3 şart", "01/02/2024 tarihinde",
        "yanıcı madde 200 litreden fazla", "madde 3 metreden yakın", "kimyasal madde 25 derecede",
        "zararlı madde 8 saatlik maruziyet", "madde 5 ppm", "madde 15 dakika gözle temas ederse",
        "madde 2. kez yakalanırsa", "2/C katında yangın tüpü", "20/A beden ayakkabı",
        "madde 8-hour", "vardiya 2/A", "Hat 3/B", "Hat 3/B nedir", "M.5 cıvata",
        "7/24 madde bağımlılığı", "madde 0",
        "ISO 9001 8.5 maddesi", "madde bir kez dökülürse", "madde altı kişiye bulaşırsa",
    ],
)  # fmt: skip
def test_other_numbers_name_no_article(question: str) -> None:
    assert named_articles(question) is None


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("8, 9 ve 10. maddeler", ["8", "9", "10"]),
        ("8 ve 9 uncu maddeler", ["8", "9"]),
        ("10. ve 11. madde", ["10", "11"]),
        ("madde 3 ile madde 7", ["3", "7"]),
        ("madde 3, yine madde 3", ["3"]),
        ("madde 3, 4 ve 5", ["3", "4", "5"]),
        ("6331 md 3, 4 ve 5", ["3", "4", "5"]),
        ("10-12. maddeler", ["10", "11", "12"]),
        ("10 ila 12. maddeler", ["10", "11", "12"]),
        ("madde 10 ile 12 arası", ["10", "11", "12"]),
        ("birinci ve ikinci maddeler", ["1", "2"]),
        ("birinci, ikinci ve on üçüncü maddeler", ["1", "2", "13"]),
        ("10., 11. ve 12. maddeler", ["10", "11", "12"]),
        ("10. 11. ve 12. maddeler", ["10", "11", "12"]),
        (" ".join(f"madde {n};" for n in range(1, 20)), [str(n) for n in range(1, 11)]),
        ("1-9999. maddeler", [str(n) for n in range(1, 11)]),
    ],
)
def test_several_articles_are_read(question: str, numbers: list[str]) -> None:
    assert [number for _, number, _ in read(question)] == numbers


@pytest.mark.parametrize(
    "question",
    ["10. madde ne diyor?", "6331 sayılı Kanun'un 10'uncu maddesini açıkla", "MADDE 10 NEDİR"],
)
def test_question_for_an_article_has_no_rest(question: str) -> None:
    assert naming(question).rest == ()


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("4857 md 25", ("4857",)),
        ("6331'in 3. maddesi", ("6331",)),
        ("4857/25", ("4857",)),
        ("İş Kanunu madde 4", ("4857",)),
        ("iş kanununun 4. maddesi", ("4857",)),
        ("İŞ KANUNU'NUN 4. MADDESİ", ("4857",)),
        ("İSG Kanunu 4. madde", ("6331",)),
        ("iş sağlığı ve güvenliği kanununun 4. maddesi", ("6331",)),
        ("Deniz İş Kanunu madde 4", ("854",)),
        ("TBK md. 417", ("6098",)),
        ("Anayasanın 2. maddesi", ("2709",)),
        ("ISO 45001 madde 8", ("45001",)),
        ("2024 madde 5", ()),
        ("kanunun 4. maddesi", ()),
        ("hangi kanunun 4. maddesi", ()),
        ("Sağlık Kanunu 4. madde", ()),
    ],
)
def test_law_is_named(question: str, numbers: tuple[str, ...]) -> None:
    assert naming(question).laws == numbers


@pytest.mark.parametrize(
    "question", ["işverenin yönergesinin 5. maddesi", "bu talimatın 2. maddesi"]
)
def test_kind_alone_names_no_document(question: str) -> None:
    assert not naming(question).document


def test_question_is_read_in_time() -> None:
    question = "Deniz İş Kanununun 10., 11. ve on ikinci maddelerine göre gemi adamı ne yapar?"
    named_articles(question)
    start = time.process_time()
    for _ in range(200):
        named_articles(question)
    assert (time.process_time() - start) / 200 < 0.002


def test_rest_is_what_is_asked_besides() -> None:
    found = naming("6331 sayılı kanunun 10. maddesine göre kurul kaç kişiden oluşur?")
    assert found.laws == ("6331",)
    assert found.rest == ("kurul", "kac", "kisiden", "olusur")


def test_end_of_long_text_is_read() -> None:
    pasted = "madde 7 uzun metin " * 1_000
    assert read(f"{pasted}. {'x ' * 1_100} onuncu madde") == [("madde", "10", None)]


@pytest.mark.parametrize("part", ["1 ve ", "ek 1 ", "madde ", "x", "1", "10/a", "onuncu ", "(1)"])
def test_articles_are_read_in_linear_time(part: str) -> None:
    start = time.process_time()
    named_articles(part * 100_000)
    assert time.process_time() - start < 0.5


def test_ordinary_questions_name_no_article(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(os.environ.get("DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not (folder / "tquad").is_dir():
        pytest.skip(f"SHARED TEST DATA ABSENT: no tquad in {folder.name!r}; set DATA")
    monkeypatch.setenv("DATA", str(folder))
    assert [question.text for question in tquad.load().dev if named_articles(question.text)] == []
