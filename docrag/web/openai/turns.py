"""From a checked request to a running answer, for every API of ours that answers.

decide → count → admit → unwrap → find and write in a thread. An API hands :func:`respond` two
functions that write what comes: :class:`Run` has everything they need, and no request of Flask's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Response, g, jsonify, request

from docrag.answer.footer import footer, nearest
from docrag.api import Access, Delta, LLMError
from docrag.assistant import Turn
from docrag.web import gate, limits
from docrag.web.credentials import principal
from docrag.web.extensions import service
from docrag.web.openai import tasks
from docrag.web.openai.annotations import Links
from docrag.web.openai.calls import Call, check_length, check_messages, check_question
from docrag.web.openai.chunks import Reply
from docrag.web.openai.client import departure
from docrag.web.openai.dates import dated
from docrag.web.openai.events import is_open_webui
from docrag.web.openai.models import Model, find
from docrag.web.openai.pump import ClientGone, Prepare, Pump
from docrag.web.openai.toolcalls import joined
from docrag.web.openai.wrapping import Unwrapped, unwrap

#: Seconds that the headers wait for the first piece, so that a dead backend is an HTTP error;
#: clients and proxies give up after 60 s.
FIRST_PIECE: Final = 5.0
#: Status of an answer that nobody waits for any more (nginx's word for it).
CLIENT_GONE: Final = 499
#: ``no-transform`` and the last one keep proxies from holding chunks back.
STREAM_HEADERS: Final = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An answer on its way."""

    call: Call
    model: Model
    #: One of the words of :data:`docrag.web.openai.tasks.HEADER`.
    retrieval: str
    pump: Pump
    links: Links
    #: Seconds since 1970.
    created: int
    #: ``tr`` or ``en``, of fixed sentences.
    language: str
    #: Sources are sent as Open WebUI's events.
    events: bool
    #: A Markdown list of sources ends the text.
    footer: bool

    @property
    def cites(self) -> bool:
        """True if the answer comes from documents, or could have."""
        return self.retrieval not in tasks.WITHOUT

    @property
    def marks(self) -> bool:
        """True if numbers in brackets are markers; in an answer for a program they are its own."""
        return self.cites and not self.call.sampling.wants_json

    def reply(self, turn: Turn, *, prefix: str = "chatcmpl") -> Reply:
        """What builds the bodies of this answer.

        :param turn: the turn that the pump handed out.
        :param prefix: of the answer's identifier.
        """
        return Reply(
            id=f"{prefix}-{turn.id}",
            created=self.created,
            model=self.model.id,
            links=self.links,
            turn=turn,
            cites=self.cites,
            marks=self.marks,
            events=self.events,
            language=self.language,
        )

    def closing(self, turn: Turn) -> str:
        """What stands below the finished text: the list of sources that it cites, or nothing.

        Below an abstention stand the sources that come nearest.
        """
        if not self.marks:
            return ""
        if turn.answer.abstention:
            return nearest(turn.answer.abstention.nearest, self.links.source, self.language)
        if not self.footer:
            return ""
        return footer(turn.answer.citations, self.links.source, self.language)

    def close(self) -> None:
        """Stop the answer if it still runs.

        Its place goes to another one when its thread has ended, which may search until then:
        clients that leave quickly would fill the process with threads otherwise.
        """
        self.pump.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An answer that was written to its end."""

    turn: Turn
    text: str
    reasoning: str
    #: Whole calls of tools in OpenAI's form.
    tool_calls: list[dict[str, Any]]
    finish_reason: str

    def message(self, closing: str = "") -> dict[str, Any]:
        """The message of a chat completion.

        :param closing: put behind the text.
        """
        text = self.text + closing
        return {
            "role": "assistant",
            "content": None if self.tool_calls and not text else text,
            "refusal": None,
            **({"reasoning_content": self.reasoning} if self.reasoning else {}),
            **({"tool_calls": self.tool_calls} if self.tool_calls else {}),
        }


def respond(
    call: Call,
    *,
    whole: Callable[[Run], Mapping[str, Any]],
    stream: Callable[[Run], Iterator[bytes]],
) -> Response:
    """The answer to a request, whole or streamed as the call says.

    :param whole: waits for the answer (:func:`collect`) and gives its JSON.
    :param stream: writes the answer as it comes, also when it breaks off; it runs outside of the
        request.
    :raises RequestRefused: the request asks for what cannot be, or for too much.
    :raises DocragError: the search or the model failed, in a stream within :data:`FIRST_PIECE`.
    """
    run = g.run = start(call)
    try:
        response = _streamed(run, stream) if call.stream else jsonify(whole(run))
    except ClientGone:
        run.close()
        return Response(status=CLIENT_GONE)
    except BaseException:
        run.close()
        raise
    if not call.stream:
        run.close()
    response.headers[tasks.HEADER] = run.retrieval
    return response


def start(call: Call) -> Run:
    """Start the answer to a request; whoever asks closes it.

    :raises RequestRefused: as :func:`respond`.
    """
    model, settings = find(call.model), service().settings
    access = dated(principal().access, call)
    unwrapped = unwrap(call.messages)
    if not model.plain:
        check_length(unwrapped.messages)
    retrieval = tasks.decide(
        call,
        model=model,
        marked=request.headers.get(settings.task_header),
        greets=lambda: service().assistant.is_greeting(unwrapped.messages),
    )
    plain = retrieval in tasks.WITHOUT
    (check_messages if plain else check_question)(call)
    prepare = _plainly(call, model) if plain else _from_documents(call, model, unwrapped, access)
    style = principal().citations
    return Run(
        call=call,
        model=model,
        retrieval=retrieval,
        pump=_started(prepare, limits.TASK if plain else limits.QUESTION),
        links=Links(root=(settings.public_url or request.url_root).rstrip("/")),
        created=int(time.time()),
        language=settings.language,
        events=style == "events" or is_open_webui(request.headers.keys()),
        footer=style == "footer",
    )


def _started(prepare: Prepare, what: str) -> Pump:
    """A pump that holds a place until it is closed and its thread has ended.

    :param what: it counts as; see :func:`docrag.web.limits.count`.
    :raises RequestRefused: as :func:`_admitted`.
    """
    gone = departure(request.environ)
    place = _admitted(what)
    try:
        return Pump(prepare, gone=gone, over=place.release)
    except BaseException:  # such as a thread that cannot be started
        place.release()
        raise


def _admitted(what: str) -> gate.Place:
    """A place for an answer that is counted; one that finds no place does not count.

    :raises RequestRefused: there is no place (503), or the caller has asked too much (429).
    """
    place = gate.admission().enter()
    try:
        limits.count(what)
    except BaseException:
        place.release()
        raise
    return place


def abandon(error: BaseException | None) -> None:
    """End an answer whose response was lost to a failure; a hook for ``teardown_request``."""
    run: Run | None = g.pop("run", None)
    if error is not None and run is not None:
        run.close()


def collect(run: Run) -> Whole:
    """The whole answer, waited for.

    :raises ClientGone: nobody waits any more.
    :raises DocragError: the search or the model failed.
    """
    turn: Turn | None = None
    deltas: list[Delta] = []
    for piece in run.pump.pieces():
        if isinstance(piece, Turn):
            turn = piece
        elif piece is not None:
            deltas.append(piece)
    reason = finish_reason(deltas[-1] if deltas else None)
    assert turn is not None  # noqa: S101 - the pump hands it out before the first delta
    return Whole(
        turn=turn,
        text="".join(delta.text for delta in deltas),
        reasoning="".join(delta.reasoning for delta in deltas),
        tool_calls=joined(call for delta in deltas for call in delta.tool_calls),
        finish_reason=reason,
    )


def finish_reason(last: Delta | None) -> str:
    """Why an answer ended.

    :param last: the piece that said so.
    :raises LLMError: nothing said so, which is a broken answer and not a short one.
    """
    if last is None or last.finish_reason is None:
        raise LLMError("the answer ended without a finish reason")
    return last.finish_reason


def _streamed(run: Run, stream: Callable[[Run], Iterator[bytes]]) -> Response:
    run.pump.wait(FIRST_PIECE)
    response = Response(stream(run), content_type="text/event-stream; charset=utf-8")
    response.headers.update(STREAM_HEADERS)
    response.call_on_close(run.close)
    return response


def _plainly(call: Call, model: Model) -> Prepare:
    """What answers from the conversation alone; nothing of the request is needed any more."""
    assistant = service().assistant
    return lambda _: assistant.plain(call.messages, sampling=call.sampling, model=model.alias)


def _from_documents(call: Call, model: Model, unwrapped: Unwrapped, access: Access) -> Prepare:
    """What answers from documents; nothing of the request is needed any more."""
    assistant, caller = service().assistant, principal()
    return lambda unwanted: assistant.prepare(
        unwrapped.messages,
        access=access,
        principal=caller,
        channel="http",
        sampling=call.sampling,
        model=model.alias,
        first_number=unwrapped.first_number,
        gone=unwanted,
    )
