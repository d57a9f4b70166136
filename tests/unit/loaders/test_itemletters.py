"""Letters of list items are put right where their order leaves no doubt."""

from __future__ import annotations

import pytest

from docrag.loaders.itemletters import LETTERS, in_order


def listed(letters: str) -> str:
    """A paragraph with an item a letter, each of two lines."""
    return "\n".join(["(1) Bu Kanunda:", *(f"{sign}) İş,\nsağlık," for sign in letters)])


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("abcçdefg&h", "abcçdefgğh"),
        ("abcçdefg8h", "abcçdefgğh"),
        ("abcçdef8ğh", "abcçdefgğh"),
        ("abcçdefggh", "abcçdefgğh"),
        ("abeç", "abcç"),
        ("abe", "abc"),
        ("abccd", "abcçd"),
        ("abcçdefgğhiij", "abcçdefgğhıij"),
        ("abcçdefgğhıijkIm", "abcçdefgğhıijklm"),
    ],
)
def test_letter_is_the_one_that_is_due(read: str, printed: str) -> None:
    assert in_order(listed(read)) == listed(printed)


@pytest.mark.parametrize(
    "letters",
    ["", "a", LETTERS, "abcdefghij", "abcçdefgğhi", "abcçdefgğhij", "123456789", "dğ8", "de"],
)
def test_other_lists_stay(letters: str) -> None:
    assert in_order(listed(letters)) == listed(letters)


def test_numbers_below_a_letter_stay() -> None:
    text = listed("abcçdefg12345678ğ")
    assert in_order(text) == text


def test_list_of_a_new_paragraph_begins_anew() -> None:
    text = f"{listed('ab')}\n{listed('ae')}"
    assert in_order(text) == text


def test_text_without_items_stays() -> None:
    assert in_order("") == ""
    assert (
        in_order("İşveren; iş\nsağlığını (e) sağlar.\n") == "İşveren; iş\nsağlığını (e) sağlar.\n"
    )
