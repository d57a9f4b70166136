"""Prompts: versioned files, put together with the passages and the conversation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from docrag.answer.context import estimate_tokens
from docrag.answer.markers import strip
from docrag.answer.passages import fill, pack
from docrag.api import Citation, Message, PromptTooLong, StoredChunk

logger = logging.getLogger(__name__)

#: Version of each prompt that is in use.
VERSIONS = {"answer": 1, "fallback": 1}
#: Tokens kept free for the chat template and the error of the estimate.
RESERVE = 200
#: What stands before the question, by language.
_QUESTION = {"tr": "Soru", "en": "Question"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent to a model, and which sources it holds."""

    #: Identifier of the prompt file, such as ``answer.tr.v1``.
    id: str
    messages: tuple[Message, ...]
    #: Sources whose text is in the prompt: a prefix of those offered, then those of neighbours.
    context: tuple[Citation, ...]


def prompt_id(name: str, language: str) -> str:
    """Identifier of the version in use, which is also the file's name without its suffix."""
    return f"{name}.{language}.v{VERSIONS[name]}"


@lru_cache(maxsize=32)
def text_of(identifier: str) -> str:
    """Text of a prompt file, without the final line break."""
    folder = files("docrag.answer.prompts")
    return folder.joinpath(f"{identifier}.md").read_text(encoding="utf-8").rstrip("\n")


def fallback(language: str) -> str:
    """The sentence that says the documents do not hold the answer."""
    return text_of(prompt_id("fallback", language))


def build(
    messages: Sequence[Message],
    context: Sequence[Citation],
    *,
    language: str,
    window: int,
    answer_tokens: int,
    neighbours: Sequence[StoredChunk] = (),
) -> Prompt:
    """A prompt that fits the model's window.

    The system rule, the best passage and the question always stay; the oldest turns are dropped
    first, then the lowest-ranked passages. Neighbours fill what is left in the end, so they cost
    neither a passage nor a turn; a neighbour of a page that is no source yet becomes one.

    :param messages: the conversation, ending with the question.
    :param context: numbered sources, best first.
    :param window: tokens that prompt and answer share.
    :param answer_tokens: tokens kept for the answer.
    :param neighbours: chunks beside those of the context, in the order in which they may fill it.
    :raises PromptTooLong: system rule and question alone do not fit.
    """
    identifier = prompt_id("answer", language)
    system = _system(messages, text_of(identifier).format(fallback=fallback(language)))
    question = messages[-1].content
    room = window - answer_tokens - RESERVE - estimate_tokens(system + question)
    if room < 0:
        raise PromptTooLong(
            f"the question and the rules take {window - room} tokens, "
            f"the model's window has {window}; shorten the question"
        )
    packed = pack(context, language=language, budget=room)
    turns = _recent(messages[:-1], budget=room - estimate_tokens(packed.text))
    _log_dropped(len(context) - len(packed.context), messages[:-1], turns)
    if neighbours and packed.is_whole:
        said = sum(estimate_tokens(turn.content) for turn in turns)
        packed = fill(packed.context, neighbours, language=language, budget=room - said)
    final = f"{packed.text}\n\n{_QUESTION[language]}: {question}"
    return Prompt(
        id=identifier,
        messages=(
            Message(role="system", content=system),
            *turns,
            Message(role="user", content=final),
        ),
        context=packed.context,
    )


def _system(messages: Sequence[Message], rules: str) -> str:
    """One system message: the client's own first, then the rules, which so have the last word."""
    given = [m.content for m in messages if m.role == "system" and m.content.strip()]
    return "\n\n".join([*given, rules])


def _recent(history: Sequence[Message], *, budget: int) -> list[Message]:
    """The newest turns that fit, oldest first, without markers of earlier answers."""
    kept: list[Message] = []
    for message in reversed([m for m in history if m.role != "system"]):
        content = strip(message.content) if message.role == "assistant" else message.content
        budget -= estimate_tokens(content)
        if budget < 0:
            break
        kept.append(Message(role=message.role, content=content))
    while kept and kept[-1].role == "assistant":
        kept.pop()
    return kept[::-1]


def _log_dropped(passages: int, history: Sequence[Message], kept: Sequence[Message]) -> None:
    turns = sum(message.role != "system" for message in history) - len(kept)
    if passages or turns:
        logger.info(
            "prompt budget: dropped %d turns and %d passages",
            turns,
            passages,
            extra={"action": "prompt_dropped"},
        )
