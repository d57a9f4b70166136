"""What people call otherwise than documents do."""

from __future__ import annotations

import re

import pytest

from docrag.answer.gate.everyday import SAME, WIDER, other_names, other_stems
from docrag.answer.gate.everyday_law import CALLED

#: A stem as the tables write it: folded, with ``_`` behind a whole word.
_STEM = re.compile(r"[a-z]{2,}_?")


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


@pytest.mark.parametrize("everyday", CALLED)
def test_table_is_of_folded_stems(everyday: str) -> None:
    stems = [*everyday.split(), *CALLED[everyday].replace("|", " ").split()]
    assert [stem for stem in stems if not _STEM.fullmatch(stem)] == []
    assert CALLED[everyday].count("|") <= 1
    assert CALLED[everyday].strip(" |")
