"""Phrases that mean the same as those of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import SettingsError, fold, words
from docrag.retrievers.equivalents import DEFAULT, MOST, Equivalents


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("KKD nedir?", ["kişisel koruyucu donanım"]),
        ("KKD'nin bakımı", ["kişisel koruyucu donanım"]),
        ("kişisel koruyucu donanımların bakımı", ["KKD"]),
        ("KISISEL KORUYUCU DONANIM", ["KKD"]),
        ("İSG kurulu", ["iş sağlığı ve güvenliği"]),
        ("İs\u0327 sag\u0306lıg\u0306ı ve gu\u0308venlig\u0306ine", ["İSG"]),
        ("İSGB kurulması", ["işyeri sağlık ve güvenlik birimi"]),
        ("resmî gazetede", ["RG"]),
        ("işyerinde", ["iş yeri"]),
        ("iş yerlerinde", ["işyeri"]),
        ("IS YERI", ["işyeri"]),
        ("ilkyardım eğitimi", ["ilk yardım"]),
        ("3 iş günü", ["işgünü", "üç"]),
    ],
)
def test_phrase_has_those_that_mean_the_same(question: str, expected: list[str]) -> None:
    assert Equivalents().alternatives(question) == expected


@pytest.mark.parametrize(
    "question",
    ["", "?!", "yıllık izin", "bir işçi", "iş başvurusu", "KKDS", "sgkx", "iş", "sosyal güvenlik"],
)
def test_no_match_has_none(question: str) -> None:
    assert Equivalents().alternatives(question) == []


def test_what_the_question_says_itself_is_left_out() -> None:
    assert Equivalents().alternatives("KKD (kişisel koruyucu donanım) 3 (üç) adet") == []


def test_longest_phrase_counts() -> None:
    own = [["genel müdür", "GM"], ["genel müdür yardımcısı", "GMY"], ["müdür yardımcısı", "MY"]]
    assert Equivalents(own).alternatives("genel müdür yardımcısına") == ["GMY"]


def test_own_group_joins_one_of_the_defaults() -> None:
    found = Equivalents([["KKD", "koruyucu ekipman"]]).alternatives("KKD")
    assert found == ["koruyucu ekipman", "kişisel koruyucu donanım"]


def test_long_question_has_a_bounded_number() -> None:
    question = " ".join(str(number) for number in range(2, 300))
    assert len(Equivalents().alternatives(question)) == MOST


@pytest.mark.parametrize(
    "groups",
    [
        "KKD",
        {"KKD": "kişisel koruyucu donanım"},
        [["KKD"]],
        ["KKD", "kişisel koruyucu donanım"],
        [["KKD", ""]],
        [["KKD", "?!"]],
        [["KKD", 3]],
        [["KKD", "a" * 101]],
        [["a", "b"]] * 1001,
        None,
    ],
)
def test_wrong_groups_are_refused(groups: object) -> None:
    with pytest.raises(SettingsError, match=r"equivalents.*kişisel koruyucu donanım"):
        Equivalents(groups)  # type: ignore[arg-type]  # as JSON may give them


def test_refusal_names_the_group() -> None:
    with pytest.raises(SettingsError, match="group 2"):
        Equivalents([["a", "b"], ["c"]])


def test_no_phrase_stands_in_two_groups() -> None:
    phrases = [tuple(map(fold, words(phrase))) for group in DEFAULT for phrase in group]
    assert len(phrases) == len(set(phrases))


@given(st.text(max_size=1000))
def test_any_question_has_a_bounded_number(question: str) -> None:
    assert len(Equivalents().alternatives(question)) <= MOST
