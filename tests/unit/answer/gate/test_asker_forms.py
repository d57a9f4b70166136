"""Verbs in a form of who asks."""

from __future__ import annotations

import unicodedata

import pytest

from docrag.answer.gate.asker_forms import (
    asker_verbs,
    is_case,
    is_form,
    says_nothing,
    stem,
    without_vague,
)


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("Kimi ararım?", "ararim"),
        ("Kimi arayayım?", "arayayim"),
        ("KİMİ ARAYACAĞIM?", "arayacagim"),
        ("Ne yapmalıyım?", "yapmaliyim"),
        ("ne yapacagiz", "yapacagiz"),
        (unicodedata.normalize("NFD", "Yazın izin istiyorum"), "istiyorum"),
        ("Koku alırsam ne olur?", "alirsam"),
        ("Kime haber vereceğim?", "verecegim"),
    ],
)
def test_verb_that_any_question_may_have_says_nothing(question: str, verb: str) -> None:
    assert asker_verbs(question) == (verb,)
    assert says_nothing(verb)


@pytest.mark.parametrize(
    ("question", "verb", "begun"),
    [
        ("Su sıkabilir miyim?", "sikabilir", "sik"),
        ("İzni bölebilir miyim?", "bolebilir", "bol"),
        ("Talimata uymazsam?", "uymazsam", "uym"),
        ("Yeni girdim", "girdim", "gir"),
        ("Baret takmalı mıyım?", "takmali", "tak"),
        ("İzne çıkabilirim", "cikabilirim", "cik"),
    ],
)
def test_other_verb_is_looked_for_by_its_stem(question: str, verb: str, begun: str) -> None:
    assert asker_verbs(question) == (verb,)
    assert not says_nothing(verb)
    assert stem(verb) == begun


@pytest.mark.parametrize(
    "noun",
    ["ilk yardım", "iş eğitimi", "yüksek", "akşam", "izinlerim", "talim", "durum", "üretim", "bir"],
)
def test_noun_that_ends_alike_is_none(noun: str) -> None:
    assert asker_verbs(noun) == ()


def test_vague_verbs_are_left_out_unless_nothing_else_is_there() -> None:
    assert without_vague(["siren", "yapacagiz"], "Siren, ne yapacağız?") == ("siren",)
    assert without_vague(["yapayim"], "Ne yapayım?") == ("yapayim",)


@pytest.mark.parametrize(
    ("word", "begun", "other"),
    [
        ("calinca", "cal", "calar"),
        ("cikarsa", "cik", "ciktiginda"),
        ("dokulurse", "dokul", "dokul"),
    ],
)
def test_verb_of_a_case_is_found_in_another_form(word: str, begun: str, other: str) -> None:
    assert is_case(word)
    assert stem(word) == begun
    assert is_form(other, begun)
    assert not is_form("calisan", "cal")


def test_noun_is_no_case() -> None:
    assert not is_case("yangin")
