"""The question of a conversation, as it is searched and judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docrag.answer.gate.evidence import content_words
from docrag.answer.guards.labels import without_masks
from docrag.answer.guards.personal import masked
from docrag.api import Message, ending, sentences

#: Characters of a question that count, the last ones: whoever pastes a text asks below it.
LONGEST: Final = 1000
#: Content words that a last sentence needs to be the question by itself.
ENOUGH: Final = 2


def up_to_question(messages: Sequence[Message]) -> list[Message]:
    """The conversation up to its last user message with text.

    :raises ValueError: there is none.
    """
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user" and messages[index].content.strip():
            return list(messages[: index + 1])
    raise ValueError("messages hold no user message with text; add the question")


def asked(text: str) -> str:
    """The part of a message that is searched: its last :data:`LONGEST` characters, whole words.

    Personal data and their masks are left out, which are no words of the question.
    """
    return without_masks(masked(ending(text, LONGEST)))


def core(question: str) -> str:
    """The last sentence of a question that says what it is about, without the story before it.

    :returns: the whole question where no sentence has :data:`ENOUGH` content words.
    """
    question = without_masks(masked(question))
    for sentence in reversed(sentences(question)):
        if len(content_words(sentence)) >= ENOUGH:
            return sentence
    return question
