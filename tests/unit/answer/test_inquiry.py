"""What is looked for, and what the sources are judged by."""

from __future__ import annotations

import pytest

from docrag.answer.conversation import Conversation, read
from docrag.answer.inquiry import Inquiry, inquire
from docrag.api import Message

FIRST = "Çalışan temsilcisi sayısı neye göre belirlenir?"
LEAVE = "Yıllık izin kaç gündür?"
HOW_MANY = "620 kişi olursa?"
FULL = "620 çalışanı olan işyerinde kaç çalışan temsilcisi olur?"


def asked(*texts: str, rewritten: str = "") -> Inquiry:
    """The inquiry of user turns, with a model that rewrites to this."""
    talk = read([Message(role="user", content=text) for text in texts])
    return inquire(talk, lambda _: rewritten)


def never(_: Conversation) -> str:
    """A model that must not be asked."""
    pytest.fail("the model was asked to rewrite")


@pytest.mark.parametrize("texts", [(FIRST,), ("merhaba", FIRST), (FIRST, "evet")])
def test_only_a_follow_up_is_rewritten(texts: tuple[str, ...]) -> None:
    talk = read([Message(role="user", content=text) for text in texts])
    assert inquire(talk, never).question == FIRST


def test_question_is_searched_alone() -> None:
    assert asked(FIRST) == Inquiry(searched=FIRST, judged=(FIRST,))


def test_assent_wants_only_the_sources_before() -> None:
    assert asked(FIRST, "Evet.") == Inquiry(searched="", carried=FIRST, judged=(FIRST,))


def test_dependent_follow_up_is_joined_without_a_model() -> None:
    inquiry = asked(FIRST, HOW_MANY)
    assert (inquiry.searched, inquiry.carried) == (f"{FIRST} {HOW_MANY}", FIRST)
    assert inquiry.judged == (f"{FIRST} {HOW_MANY}", FIRST)


def test_topic_change_is_not_joined() -> None:
    assert asked(FIRST, LEAVE) == Inquiry(searched=LEAVE, judged=(LEAVE,))


def test_rewritten_follow_up_is_searched_and_judged_as_rewritten() -> None:
    inquiry = asked(FIRST, HOW_MANY, rewritten=FULL)
    assert (inquiry.searched, inquiry.carried, inquiry.rewritten) == (FULL, FIRST, FULL)
    assert inquiry.judged[0] == FULL


def test_rewritten_question_of_its_own_carries_nothing() -> None:
    other = "Yıllık ücretli izin kaç gündür?"
    assert asked(FIRST, LEAVE, rewritten=other) == Inquiry(
        searched=other, rewritten=other, judged=(other,)
    )


def test_chain_of_follow_ups_is_judged_by_what_was_asked_before() -> None:
    inquiry = asked(FIRST, HOW_MANY, "Neden?")
    assert inquiry.searched == f"{FIRST} {HOW_MANY} Neden?"
    assert inquiry.judged == (inquiry.searched, f"{FIRST} {HOW_MANY}", FIRST)
    assert asked(FIRST, HOW_MANY, "evet").judged == (f"{FIRST} {HOW_MANY}", FIRST)
