"""What people call otherwise than documents do."""

from __future__ import annotations

import re
import timeit

import pytest

from docrag.api import fold, lower
from docrag.everyday import SAME, WIDER, Names, other_names, other_stems
from docrag.everyday_labour import LABOUR
from docrag.everyday_law import CALLED
from docrag.everyday_plant import PLANT
from docrag.everyday_safety import SAFETY

#: A stem as the tables write it: folded, with ``_`` behind a whole word.
_STEM = re.compile(r"[a-z]{2,}_?")
_ENTRIES = [entry for table in (CALLED, SAFETY, LABOUR, PLANT) for entry in table.items()]


@pytest.mark.parametrize(
    ("asked", "called"),
    [
        ("patronumuz", "isveren"),
        ("kovulursam", "fesih"),
        ("maasim", "ucret"),
        ("hamileyim", "gebe"),
        ("taseron", "alt "),
        ("bordromu", "pusula"),
        ("vardiyam", "posta"),
        ("izni", "izin"),
        ("izin", "izn"),
        ("osgb", "ortak"),
        ("myk", "mesleki"),
    ],
)
def test_everyday_word_is_called_otherwise(asked: str, called: str) -> None:
    assert (called, SAME) in other_names(asked)
    assert called in other_stems(asked)


@pytest.mark.parametrize(
    ("asked", "called"), [("tutanak", "kayit"), ("sikayet", "dava"), ("vize", "sonu")]
)
def test_wider_thing_does_not_mean_the_same(asked: str, called: str) -> None:
    assert (called, SAME) not in other_names(asked)
    assert called not in other_stems(asked)


def test_wider_thing_stands_for_less() -> None:
    assert ("dava", WIDER) in other_names("sikayet")
    assert 0 < WIDER < SAME < 1


def test_law_is_not_asked_for_by_what_it_is_called() -> None:
    assert "patron" not in other_stems("isveren")
    assert "bordro" not in other_stems("pusula")


@pytest.mark.parametrize("word", ["masa", "", "is", "yolculuklarimizdaki"])
def test_word_of_no_table_is_called_nothing_else(word: str) -> None:
    assert other_names(word) == ()


def test_whole_words_are_no_beginnings() -> None:
    assert ("serbest", SAME) in other_names("bos")
    assert ("serbest", SAME) not in other_names("bosanma")


@pytest.mark.parametrize(
    ("asked", "called"),
    [
        ("BARETİM", "koruyucu"),
        ("eldivenlerimi", "donanim"),
        ("forklifti", "ekipman"),
        ("tineri", "kimyasal"),
        ("mühürlediler", "durdur"),
        ("müteahhit", "yuklenici"),
        ("ölürse", "olum "),
        ("nöbetimi", "posta"),
        ("parttime", "kismi"),
        ("avansım", "pesin"),
        ("cenazeye", "olum "),
        ("haksız", "gecersiz"),
        ("şifremi", "parola"),
        ("tamir", "onar"),
        ("paketi", "ambalaj"),
    ],
)
def test_word_of_the_shop_floor_is_called_as_documents_do(asked: str, called: str) -> None:
    assert (called, SAME) in other_names(fold(lower(asked)))


@pytest.mark.parametrize(
    ("asked", "called"),
    [
        ("korkuluk", "tehlike"),
        ("tartışma", "agirlik"),
        ("kazanır", "olay"),
        ("önlemek", "tedbir"),
        ("iskelet", "ekipman"),
        ("fıkra", "teklif"),
        ("sözlük", "yazili"),
        ("nişan", "bayram"),
        ("olursa", "olum "),
        ("duruşma", "ariza"),
    ],
)
def test_word_that_only_begins_alike_is_called_nothing(asked: str, called: str) -> None:
    assert called not in dict(other_names(fold(lower(asked))))


@pytest.mark.parametrize("passage", ["olumsuz", "acilan", "kazanir", "gecerli", "yapilan"])
@pytest.mark.parametrize("asked", ["cenaze", "deprem", "kapti", "geceleri", "insaat"])
def test_name_begins_no_other_common_word(asked: str, passage: str) -> None:
    assert [name for name, _ in other_names(asked) if f"{passage} ".startswith(name)] == []


def test_decomposed_word_is_called_alike() -> None:
    assert other_names(fold(lower("mu\u0308hu\u0308r"))) == other_names("muhur") != ()


def test_another_language_has_its_own_tables() -> None:
    english = Names([{"boss": "employer | manager"}], ["pay_ wage"])
    assert english.of("bosses") == (("employer", SAME), ("manager", WIDER))
    assert english.of("pay") == (("wage", SAME),)
    assert english.of("wages") == (("pay ", SAME),)
    assert english.of("patron") == Names([], []).of("boss") == ()


def test_word_is_looked_up_fast() -> None:
    assert timeit.timeit(lambda: other_names("masalarimizdan"), number=100) < 0.02


@pytest.mark.parametrize(("everyday", "called"), _ENTRIES)
def test_table_is_of_folded_stems(everyday: str, called: str) -> None:
    stems = [*everyday.split(), *called.replace("|", " ").split()]
    assert [stem for stem in stems if not _STEM.fullmatch(stem)] == []
    assert called.count("|") <= 1
    assert called.strip(" |")


@pytest.mark.parametrize(("everyday", "called"), _ENTRIES)
def test_stems_are_long_enough_to_be_looked_up(everyday: str, called: str) -> None:
    assert [stem for stem in everyday.split() if len(stem) < 3] == []
    assert len(set(everyday.split())) == len(everyday.split())
