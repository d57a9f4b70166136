"""An answer in the form of the Responses API: streamed, and whole."""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from docrag.api import Delta
from docrag.assistant import Turn
from docrag.web.errors import describe
from docrag.web.openai.annotations import verdict
from docrag.web.openai.chunks import DONE, KEEP_ALIVE
from docrag.web.openai.pump import ClientGone
from docrag.web.openai.responses_body import Frame, usage_object
from docrag.web.openai.responses_events import Script
from docrag.web.openai.stream import BROKEN, log_failure
from docrag.web.openai.turns import Run, collect, finish_reason

logger = logging.getLogger(__name__)

Json = dict[str, Any]

#: Code of an error within a Response, by HTTP status; the official schema knows few.
CODES: Final = {400: "invalid_prompt", 429: "rate_limit_exceeded"}


def whole(said: Mapping[str, Any], run: Run) -> Json:
    """The finished Response.

    :param said: fields of the request that are said back (:func:`echo`).
    :raises ClientGone: nobody waits any more.
    :raises DocragError: the search or the model failed.
    """
    found = collect(run)
    script = _script(said, run, found.turn.id)
    calls = tuple({"index": place, **call} for place, call in enumerate(found.tool_calls))
    for delta in (
        Delta(reasoning=found.reasoning),
        Delta(text=found.text),
        Delta(tool_calls=calls),
    ):
        _drain(script.feed(delta))
    *_, last = _ending(run, script, found.turn, found.finish_reason)
    finished: Json = last["response"]
    return finished


def events(said: Mapping[str, Any], run: Run) -> Iterator[bytes]:
    """The whole stream of a Response, from ``response.created`` to its last state.

    :param said: fields of the request that are said back (:func:`echo`).
    :param run: an answer whose first pieces were waited for.
    """
    script: Script | None = None
    turn: Turn | None = None
    last: Delta | None = None
    try:
        for piece in run.pump.pieces():
            if piece is None:
                yield KEEP_ALIVE
            elif isinstance(piece, Turn):
                turn, script = piece, _script(said, run, piece.id)
                yield from map(event, script.start())
            elif script:
                yield from map(event, script.feed(piece))
                last = piece
        reason = finish_reason(last)
    except ClientGone:
        logger.info("client left", extra={"action": "client_gone"})
        return
    except Exception as exc:  # noqa: BLE001 - headers are sent: the stream itself must tell
        log_failure(exc, turn.id if turn else "")
        yield from map(event, _failure(exc, said, run, script))
        yield DONE
        return
    if script and turn:
        yield from map(event, _ending(run, script, turn, reason))
        yield DONE


def event(body: Json) -> bytes:
    """A body as one server-sent event of its type, UTF-8; what that cannot hold becomes ``?``."""
    data = json.dumps(body, ensure_ascii=False)
    return f"event: {body['type']}\ndata: {data}\n\n".encode("utf-8", "replace")


def _script(said: Mapping[str, Any], run: Run, name: str) -> Script:
    """The script of an answer whose audit row has this identifier."""
    return Script(Frame(id=f"resp_{name}", created_at=run.created, echo=said))


def _ending(run: Run, script: Script, turn: Turn, reason: str) -> Iterator[Json]:
    """What follows the last piece: sources, and the end of everything that is open."""
    text = script.text
    yield from script.feed(Delta(text=run.closing(turn)))
    marks = run.reply(turn).annotations(text)
    own = {"docrag": verdict(turn.answer)} if run.cites else {}
    yield from script.finish(
        reason,
        [{"type": mark["type"], **mark["url_citation"]} for mark in marks],
        at=int(time.time()),
        usage=usage_object(turn.answer.usage),
        **own,
    )


def _failure(
    exc: Exception, said: Mapping[str, Any], run: Run, script: Script | None
) -> Iterator[Json]:
    """The end of a Response that broke off, or that never began."""
    problem = describe(exc)
    if script is None:
        script = _script(said, run, str(uuid.uuid4()))
        yield from script.start()
    if script.text:
        yield from script.feed(Delta(text=BROKEN[run.language]))
    yield from script.fail(problem.body["error"], CODES.get(problem.status, "server_error"))


def _drain(events: Iterator[Json]) -> None:
    """Let a script take a piece whose events nobody wants."""
    for _ in events:
        pass
