"""Articles that a question names."""

from __future__ import annotations

import time
import unicodedata

import pytest

from docrag.articles import Naming, named_articles


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
        ("madde 5/1-b'ye göre", "madde", "5", 1),
        ("6331 sayılı kanunun 10. maddesi", "madde", "10", None),
        ("10. maddenin 2. fıkrası", "madde", "10", 2),
        ("Onuncu maddenin üçüncü fıkrası nedir?", "madde", "10", 3),
        ("26 ncı maddesinin birinci fıkrası", "madde", "26", 1),
        ("madde 10 fıkra 2", "madde", "10", 2),
        ("What does article 10 say?", "madde", "10", None),
    ],
)
def test_article_is_read(question: str, kind: str, number: str, paragraph: int | None) -> None:
    assert read(question) == [(kind, number, paragraph)]
    assert read(unicodedata.normalize("NFD", question)) == [(kind, number, paragraph)]


@pytest.mark.parametrize(
    "question",
    [
        "", "madde", "10", "10/2", "6331/10", "6331 sayılı kanun", "birinci fıkra", "m10",
        "10 madde var mı?", "kimyasal maddeler", "tehlikeli madde 5 kg", "madde 4.2",
        "ek 3 gün izin", "EK-3 form", "geçici 4 işçi", "5 m. 10 cm", "9/A sınıfı", "No: 25/A",
        "on kişi", "maddede 3 şart", "01/02/2024 tarihinde",
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
        (" ".join(f"madde {n}." for n in range(1, 9)), ["1", "2", "3", "4", "5"]),
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
