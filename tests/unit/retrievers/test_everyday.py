from __future__ import annotations

import numpy as np
import pytest

from docrag.api import other_names
from docrag.retrievers.everyday import MOST, Everyday

#: How surely the other name says the same.
SURE = dict(other_names("patron"))["isveren"]


def held(asked: Everyday, *beginnings: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """One unit that has these, each once."""
    return np.array([[float(one in beginnings) for one in asked.beginnings]])


def test_other_name_is_worth_the_word() -> None:
    """As much as the word that was asked, as surely as both say the same."""
    asked = Everyday({"patronum": 6.0})
    assert asked.worth(held(asked, "isveren")).tolist() == [pytest.approx(6 * SURE)]


def test_word_that_is_there_has_no_other_name() -> None:
    asked = Everyday({"patronum": 6.0})
    assert asked.worth(held(asked, "patro", "isveren")).tolist() == [0]


def test_best_name_counts_alone() -> None:
    asked = Everyday({"doktora": 5.0})
    both = asked.worth(held(asked, "hekim", "tabip"))
    assert both == asked.worth(held(asked, "hekim")) > 0


def test_wider_thing_is_worth_less() -> None:
    asked = Everyday({"sikayet": 5.0})
    same, wider = (asked.worth(held(asked, name))[0] for name in ("basvur", "dava"))
    assert same > wider > 0


@pytest.mark.parametrize(("word", "beginning"), [("maasim", "maasi"), ("para", "para")])
def test_word_is_known_by_its_beginning(word: str, beginning: str) -> None:
    asked = Everyday({word: 5.0})
    assert beginning in asked.beginnings
    assert asked.worth(held(asked, beginning, "ucret")).tolist() == [0]


def test_short_word_is_known_as_a_whole() -> None:
    assert "bos " in Everyday({"bos": 5.0}).beginnings


@pytest.mark.parametrize("words", [{}, {"masa": 4.0}])
def test_question_without_such_words_asks_nothing(words: dict[str, float]) -> None:
    asked = Everyday(words)
    assert asked.beginnings == ()
    assert asked.worth(np.zeros((3, 0))).tolist() == [0, 0, 0]


def test_pasted_text_is_looked_up_in_part() -> None:
    """The rarest words, since each has several names to look for."""
    words = {f"patron{letter}{other}": 2.0 for letter in "abcdefgh" for other in "abcdefgh"}
    asked = Everyday({**words, "maas": 9.0})
    assert "maas" in asked.beginnings
    whole = asked.worth(held(asked, "isveren"))[0]
    assert whole == pytest.approx((MOST - 1) * 2.0 * SURE)
