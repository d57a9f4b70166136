"""A streamed answer: server-sent events in the order that every client accepts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from docrag.api import Delta, LLMError, Usage
from docrag.assistant import Turn
from docrag.web.errors import describe
from docrag.web.openai.chunks import DONE, KEEP_ALIVE, Reply, event
from docrag.web.openai.pump import ClientGone, Pump

logger = logging.getLogger(__name__)

#: Said in the text when an answer breaks off, for clients that skip error events.
BROKEN: Final = {
    "tr": "\n\n(Yanıt yarıda kesildi.)",
    "en": "\n\n(The answer broke off.)",
}


def events(
    turn: Turn, pump: Pump, reply: Reply, *, include_usage: bool, language: str
) -> Iterator[bytes]:
    """The whole stream of an answer, from the role chunk to ``[DONE]``.

    :param include_usage: send the token counts in a chunk of their own.
    :param language: of the sentence that a broken answer ends with.
    """
    yield event(reply.start())
    sent: list[str] = []
    last: Delta | None = None
    try:
        for piece in pump.pieces():
            if piece is None:
                yield KEEP_ALIVE
                continue
            for chunk in reply.text(piece.text):
                yield event(chunk)
            sent.append(piece.text)
            last = piece if piece.finish_reason else last
        reason = finish_reason(last)
    except ClientGone:
        logger.info("client left", extra={"action": "client_gone", "turn": turn.id})
        return
    except Exception as exc:  # noqa: BLE001 - headers are sent: the stream itself must tell
        yield from _failure(exc, turn, reply, language if any(sent) else "")
        return
    yield event(reply.finish(reason, "".join(sent), turn.answer))
    if include_usage:
        yield event(reply.usage(turn.answer.usage or Usage()))
    yield DONE


def finish_reason(last: Delta | None) -> str:
    """Why an answer ended.

    :param last: the piece that said so.
    :raises LLMError: nothing said so, which is a broken answer and not a short one.
    """
    if last is None or last.finish_reason is None:
        raise LLMError("the answer ended without a finish reason")
    return last.finish_reason


def _failure(exc: Exception, turn: Turn, reply: Reply, language: str) -> Iterator[bytes]:
    problem = describe(exc)
    logger.warning(
        "answer broke off: %s: %s",
        type(exc).__name__,
        exc,
        extra={"action": "answer_broken", "turn": turn.id},
        exc_info=None if isinstance(exc, LLMError) else exc,
    )
    for chunk in reply.text(BROKEN.get(language, "")):
        yield event(chunk)
    yield event(problem.body)
    yield DONE
