"""Names of people: form, spellings, look-alikes, mail addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.access.names import email_key, look, look_alike, new_username, scripts, spellings
from docrag.api import StoreError


@pytest.mark.parametrize(
    "name", ["ayşe", "ışıl", "çağrı.öz", "a-b_c.1@firma", "иван", "مریم", "महेश", "straße", "李明"]
)
def test_plain_name_is_taken(name: str) -> None:
    assert new_username(name) == name


def test_decomposed_name_is_composed() -> None:
    assert new_username("ays\u0327e") == "ayşe"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("", "1 to 128"),
        ("a" * 129, "1 to 128"),
        ("Ayşe", "lower-case"),
        ("IŞIK", "lower-case"),
        ("İrem", "lower-case"),
        ("ali veli", "not ' '"),
        ("ali'", "letters, digits"),
        ('a"b', "letters, digits"),
        ("a,b", "letters, digits"),
        ("{{user_email}}", "letters, digits"),
        ("a\u200bb", "u200b"),
        ("a\u202eb", "u202e"),
        ("a\u0301\u0323\u0489", "letters, digits"),
        ("٣", "letters, digits"),
        ("\u0430li", "CYRILLIC and LATIN"),
        ("αli", "GREEK and LATIN"),
        ("ａｌｉ", "lower-case"),
        ("ﬁkret", "lower-case"),
        ("𝒶li", "lower-case"),
        ("ſ", "lower-case"),
    ],
)
def test_strange_name_is_refused(name: str, what: str) -> None:
    with pytest.raises(StoreError, match=what):
        new_username(name)


@given(st.text(max_size=40))
def test_taken_name_is_found_by_itself(text: str) -> None:
    try:
        name = new_username(text)
    except StoreError:
        return
    assert name in spellings(text)
    assert new_username(name) == name
    assert len(scripts(name)) <= 1


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AYŞE", "ayşe"),
        ("IŞIK", "ışık"),
        ("Irene", "irene"),
        ("İREM", "irem"),
        ("ays\u0327e", "ayşe"),
        (" ayşe ", "ayşe"),
        ("Ali", "ali"),
    ],
)
def test_typed_name_finds_its_user(typed: str, name: str) -> None:
    assert name in spellings(typed)
    assert len(spellings(typed)) <= 3


@pytest.mark.parametrize("typed", ["irem", "ırem", "\u0430li"])
def test_other_letter_finds_nobody_else(typed: str) -> None:
    assert spellings(typed) == (typed,)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ırem", "irem"), ("асе", "ace"), ("ορα", "opa"), ("IŞIK", "işik"), ("ışık", "IŞIK")],
)
def test_look_alikes_are_seen(one: str, other: str) -> None:
    assert look(one) == look(other)
    assert look_alike(one, ["başka", other]) == other


@pytest.mark.parametrize(("one", "other"), [("ayse", "ayşe"), ("oz", "öz"), ("ali", "all")])
def test_different_letters_look_different(one: str, other: str) -> None:
    assert look_alike(one, [other]) is None


@pytest.mark.parametrize(
    ("text", "address"),
    [("Ayse@Example.ORG", "ayse@example.org"), (" a@b.example ", "a@b.example")],
)
def test_address_is_lowered(text: str, address: str) -> None:
    assert email_key(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "", "ayşe", "@b.example", "a@", "a b@c.example", "a@b.example,c@d.example",
        "a@b.example;c@d.example", "a@b@c", "{{USER_EMAIL}}", "a@{{x}}", "a@b.example\n",
        "\u212aemal@example.org", "ayşe@example.org", "ali@\u0131.example", "\"a\"@b.example",
        "<a@b.example>", "a" * 65 + "@b.example", "a@" + "b" * 200,
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    if text.endswith("\n"):
        assert email_key(text) == "a@b.example"
    else:
        assert email_key(text) is None
