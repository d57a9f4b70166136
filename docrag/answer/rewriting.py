"""Follow-up questions made to stand alone by a language model, within a limited time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from docrag.answer.conversation import Conversation, cleaned
from docrag.answer.dependence import depends
from docrag.answer.gate.evidence import content_words, uncovered
from docrag.answer.templates import prompt_id, text_of
from docrag.answer.writing import close
from docrag.api import LLM, LLMError, Message

logger = logging.getLogger(__name__)

#: Seconds between two looks at whether somebody still waits.
POLL: Final = 0.25
#: Most tokens of a rewritten question.
MOST_TOKENS: Final = 80
#: Most characters of a rewritten question that is believed.
LONGEST: Final = 400
#: Most characters of a question that is rewritten; a longer one tells what it is about.
LONGEST_ASKED: Final = 400
#: Turns that the model is shown, the last ones, and characters of each.
TURNS, TURN_CHARACTERS = 6, 600
#: What stands before each turn, by language and role, and before the last message.
_LABELS: Final = {
    "tr": {"user": "Kullanıcı", "assistant": "Yardımcı", "last": "Son mesaj"},
    "en": {"user": "User", "assistant": "Assistant", "last": "Last message"},
}
_QUOTES: Final = " \t\"'“”«»*`"


def rewritten(
    talk: Conversation,
    llm: LLM | None,
    *,
    seconds: float,
    language: str,
    gone: Callable[[], bool] | None = None,
) -> str:
    """The question as somebody would ask it who says everything; empty if that failed.

    Nothing of this may keep a question from being answered: without a model or time, after any
    failure of the model, and for a result that cannot be a question, the caller goes on without.

    :param talk: a follow-up.
    :param seconds: time that the model gets; 0 asks it nothing.
    :param gone: tells, from another thread, whether nobody waits any more; the model is left then.
    """
    if llm is None or not seconds or len(talk.question) > LONGEST_ASKED:
        return ""
    try:
        written = _written(llm, _messages(talk, language), seconds, gone)
    except LLMError as exc:
        logger.warning(
            "a follow-up question was not rewritten: %s",
            type(exc).__name__,
            extra={"action": "rewrite_failed", "model_id": llm.model_id},
        )
        return ""
    return _believed(written, talk)


def _written(
    llm: LLM, messages: list[Message], seconds: float, gone: Callable[[], bool] | None
) -> str:
    """What the model wrote.

    :raises LLMError: it failed, was cut, or was not ready in time.
    """
    end = time.monotonic() + seconds
    stream = llm.stream(messages, max_tokens=MOST_TOKENS, temperature=0.0)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(min(POLL, max(end - time.monotonic(), 0))):
            if time.monotonic() >= end or (gone and gone()):
                close(stream)
                return

    threading.Thread(target=watch, name="rewriting", daemon=True).start()
    text: list[str] = []
    try:
        for delta in stream:
            text.append(delta.text)
            if delta.finish_reason == "stop":
                return "".join(text)
            if delta.finish_reason or time.monotonic() > end:
                break
        raise LLMError("the model did not finish the question in time or length")
    finally:
        done.set()
        close(stream)


def _messages(talk: Conversation, language: str) -> list[Message]:
    labels = _LABELS[language]
    said = [turn for turn in talk.turns[:-1] if turn.role in labels and turn.content.strip()]
    lines = [f"{labels[turn.role]}: {_short(turn.content)}" for turn in said[-TURNS:]]
    lines += ["", f"{labels['last']}: {talk.question.strip()}"]
    return [
        Message(role="system", content=text_of(prompt_id("rewrite", language))),
        Message(role="user", content="\n".join(lines)),
    ]


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= TURN_CHARACTERS else flat[: TURN_CHARACTERS - 1] + "…"


def _believed(written: str, talk: Conversation) -> str:
    """The question if it can be one: a short line with every number and the topic of what was said.

    A model that answers instead, or wanders off, is not followed.
    """
    text = cleaned(written).strip().strip(_QUOTES)
    if not text or len(text) > LONGEST or len(text.splitlines()) > 1:
        return ""
    topic = content_words(talk.earlier if depends(talk.question) else talk.question)
    numbers = {word for word in content_words(talk.question) if word.isdigit()}
    has_topic = not topic or len(uncovered(topic, text)) < len(topic)
    return text if has_topic and numbers <= set(content_words(text)) else ""
