"""A conversation as it is answered: what is asked last, what was asked before, cleaned turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from docrag.answer.checking import without_signs
from docrag.answer.dependence import depends
from docrag.answer.footer import without_footer
from docrag.answer.markers import strip
from docrag.answer.question import asked, up_to_question
from docrag.answer.smalltalk import Courtesy, courtesy
from docrag.api import Message

#: What the last message of a user is.
Kind: TypeAlias = Literal["greeting", "thanks", "goodbye", "question", "follow_up", "assent"]
#: Most follow-ups that are read together with the question that they hang on.
MOST_LINKS: Final = 3
#: What a model thought, where its server or a front end left it in the text. An unclosed one goes
#: on to the end.
_THOUGHT: Final = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What is asked, and after what."""

    kind: Kind
    #: The user's own last message with text.
    question: str
    #: What was asked before, if anything was: the last earlier question, behind those it hangs on.
    chain: tuple[str, ...] = ()
    #: Turns up to the question, without markers, footers and thoughts of earlier answers.
    turns: tuple[Message, ...]
    #: Turns behind the question: calls of tools and what they gave.
    behind: tuple[Message, ...] = ()

    @property
    def earlier(self) -> str:
        """What was asked before, as one text to search by; empty if nothing was."""
        return asked(" ".join(self.chain))

    @property
    def is_courtesy(self) -> bool:
        """True if there is nothing to look for."""
        return self.kind in ("greeting", "thanks", "goodbye")


def read(messages: Sequence[Message]) -> Conversation:
    """The conversation of these messages, up to the last user message with text.

    :raises ValueError: there is no user message with text.
    """
    turns = up_to_question(messages)
    question = turns[-1].content
    said = courtesy(question)
    chain = () if said not in (None, "assent") else _chain(turns[:-1])
    return Conversation(
        kind=_kind(said, chain),
        question=question,
        chain=chain,
        turns=tuple(_cleaned(turn) for turn in turns),
        behind=tuple(turn for turn in messages[len(turns) :] if turn.role in ("assistant", "tool")),
    )


def is_courtesy(messages: Sequence[Message]) -> bool:
    """True if the last user message with text is only a greeting, thanks or a goodbye."""
    said = next(
        (
            turn.content
            for turn in reversed(messages)
            if turn.role == "user" and turn.content.strip()
        ),
        "",
    )
    return courtesy(said) not in (None, "assent")


def cleaned(text: str) -> str:
    """An earlier answer without what means nothing now: numbers of its sources, footer, thoughts,
    signs of its checking.

    Old numbers would name passages of this turn, which are others.
    """
    return strip(without_signs(without_footer(_THOUGHT.sub("", text))))


def _kind(said: Courtesy | None, chain: tuple[str, ...]) -> Kind:
    if said is not None and said != "assent":
        return said
    if not chain:
        return "question"
    return said or "follow_up"


def _chain(turns: Sequence[Message]) -> tuple[str, ...]:
    """The last question before, behind those that it hangs on; empty if nothing was asked."""
    chain: list[str] = []
    for question in _questions_back(turns):
        chain.append(question)
        if len(chain) > MOST_LINKS or not depends(question):
            break
    return tuple(reversed(chain))


def _questions_back(turns: Sequence[Message]) -> Iterator[str]:
    """Earlier user messages that say something, newest first."""
    for turn in reversed(turns):
        if turn.role == "user" and turn.content.strip() and courtesy(turn.content) is None:
            yield asked(turn.content)


def _cleaned(turn: Message) -> Message:
    return replace(turn, content=cleaned(turn.content)) if turn.role == "assistant" else turn
