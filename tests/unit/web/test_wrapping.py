"""The question inside a front end's own retrieval."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import TestResponse

from docrag.api import Message
from docrag.web.openai.wrapping import LONGEST, unwrap
from tests.unit.web.recorded import wrapped

if TYPE_CHECKING:
    from tests.unit.web.conftest import StandIn

QUESTION = "Iğdır şubesinde baret zorunlu mu?"


def user(text: str) -> Message:
    """A user's turn."""
    return Message(role="user", content=text)


def test_question_is_what_follows_the_passages() -> None:
    found = unwrap([user(wrapped(QUESTION, sources=3))])
    assert [message.content for message in found.messages] == [QUESTION]
    assert found.first_number == 4


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "",
        "<context> ne demek?",
        "</context> sonra <context>",
        "XML'de <context>veri</context> nasıl yazılır?",
        "### Task: hangi görevler var?",
    ],
)
def test_own_words_stay(text: str) -> None:
    found = unwrap([user(text)])
    assert (found.messages[0].content, found.first_number) == (text, 1)


def test_earlier_turns_stay() -> None:
    turns = [user(wrapped("ilk")), Message(role="assistant", content="Evet."), user("ikinci")]
    found = unwrap(turns)
    assert found.messages == tuple(turns)
    assert found.first_number == 1


def test_passages_with_numbers_only_are_enough() -> None:
    text = f'Kurallar\n<context><source id="2">x</source></context>\n{QUESTION}'
    found = unwrap([user(text)])
    assert (found.messages[0].content, found.first_number) == (QUESTION, 3)


def test_tags_around_the_question_go() -> None:
    text = wrapped(f"<user_query>\n{QUESTION}\n</user_query>")
    assert unwrap([user(text)]).messages[0].content == QUESTION


def test_tagged_question_may_stand_in_front() -> None:
    text = f"### Task:\n<user_query>{QUESTION}</user_query>\n<context>x</context>\nTürkçe yaz."
    assert unwrap([user(text)]).messages[0].content == QUESTION


def test_wrapper_without_words_is_capped() -> None:
    text = "### Task:\n" + "kural " * 9_000 + QUESTION + "\n<context>x</context>\n"
    found = unwrap([user(text)]).messages[0].content
    assert found.endswith(QUESTION)
    assert len(found) <= LONGEST


def test_nothing_but_passages_is_kept_capped() -> None:
    found = unwrap([user("<context>" + "<source id=1>x</source>" * 999 + "</context>")])
    assert 0 < len(found.messages[0].content) <= LONGEST


def test_wrapper_is_taken_off_the_rules() -> None:
    system = Message(role="system", content=f"Kısa yaz.\n{wrapped('')}")
    found = unwrap([system, user(QUESTION)])
    assert [message.content for message in found.messages] == ["Kısa yaz.", QUESTION]
    assert found.first_number == 3


def test_rules_that_are_a_wrapper_only_go() -> None:
    found = unwrap([Message(role="system", content=wrapped("")), user(QUESTION)])
    assert [message.role for message in found.messages] == ["user"]


def test_numbered_blocks_of_anythingllm_stay() -> None:
    text = "Kısa yaz.\n\nContext:\n[CONTEXT 0]:\nDepo\n[END CONTEXT 0]\n"
    found = unwrap([Message(role="system", content=text), user(QUESTION)])
    assert found.messages[0].content == text


def test_boundless_numbers_are_not_believed() -> None:
    text = '### Task:\n<context><source id="99999"><source id="9999">x</context> soru'
    assert unwrap([user(text)]).first_number == 1


@pytest.mark.parametrize("piece", ["<context>", "<source ", '<source id="', "<user_query>"])
def test_long_nonsense_takes_no_time(piece: str) -> None:
    text = "### Task:\n<context>" + piece * 40_000 + "</context>" + piece * 40_000
    started = time.monotonic()
    unwrap([user(text)])
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("in_list", [False, True])
def test_unwrapped_question_is_searched(
    ask: Callable[..., TestResponse], assistant: StandIn, in_list: bool
) -> None:
    text = wrapped(QUESTION, sources=3)
    assert ask([{"type": "text", "text": text}] if in_list else text).status_code == 200
    assert assistant.asked[-1][-1].content == QUESTION
    assert assistant.given[-1]["first_number"] == 4


def test_plain_model_sees_the_passages(
    ask: Callable[..., TestResponse], assistant: StandIn
) -> None:
    ask(wrapped(QUESTION), model="docrag-plain")
    assert assistant.plainly[-1][-1].content == wrapped(QUESTION)
