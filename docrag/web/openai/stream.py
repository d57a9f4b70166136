"""A streamed chat completion: server-sent events in the order that every client accepts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from docrag.api import Delta, LLMError
from docrag.assistant import Turn
from docrag.web.errors import describe
from docrag.web.openai.chunks import DONE, KEEP_ALIVE, Reply, event
from docrag.web.openai.pump import ClientGone
from docrag.web.openai.turns import Run, finish_reason

logger = logging.getLogger(__name__)

#: Said in the text when an answer breaks off, for clients that skip error events.
BROKEN: Final = {
    "tr": "\n\n(Yanıt yarıda kesildi.)",
    "en": "\n\n(The answer broke off.)",
}


def events(run: Run) -> Iterator[bytes]:
    """The whole stream of an answer, from the role chunk to ``[DONE]``.

    :param run: an answer whose first pieces were waited for.
    """
    said: list[str] = []
    reply: Reply | None = None
    last: Delta | None = None
    try:
        for piece in run.pump.pieces():
            if piece is None:
                yield KEEP_ALIVE
            elif isinstance(piece, Turn):
                reply = run.reply(piece)
                yield from map(event, reply.start())
            elif reply:
                yield from map(event, reply.pieces(piece))
                said.append(piece.text)
                last = piece
        reason = finish_reason(last)
    except ClientGone:
        logger.info("client left", extra={"action": "client_gone"})
        return
    except Exception as exc:  # noqa: BLE001 - headers are sent: the stream itself must tell
        yield from _failure(exc, reply if any(said) else None, run.language)
        return
    if reply:
        yield from _ending(run, reply, reason, "".join(said))


def _ending(run: Run, reply: Reply, reason: str, text: str) -> Iterator[bytes]:
    yield from map(event, reply.text(run.closing(reply.turn)))
    yield event(reply.finish(reason, text))
    if run.call.include_usage:
        yield event(reply.usage(reply.turn.answer.usage))
    yield DONE


def _failure(exc: Exception, reply: Reply | None, language: str) -> Iterator[bytes]:
    """The end of an answer that broke off.

    :param reply: ``None`` where no text was sent.
    """
    log_failure(exc, reply.turn.id if reply else "")
    if reply:
        yield from map(event, reply.text(BROKEN[language]))
    yield event(describe(exc).body)
    yield DONE


def log_failure(exc: Exception, turn: str) -> None:
    """One line for the operator about an answer that broke off after its headers."""
    logger.warning(
        "answer broke off: %s: %s",
        type(exc).__name__,
        exc,
        extra={"action": "answer_broken", "turn": turn},
        exc_info=None if isinstance(exc, LLMError) else exc,
    )
