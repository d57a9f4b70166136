"""``/v1/chat/completions``: a question in, an answer with sources out, whole or streamed."""

from __future__ import annotations

import time
from typing import Any, Final

from flask import Response, jsonify, request
from marshmallow import Schema, fields

from docrag.api import Delta
from docrag.assistant import Turn
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.extensions import service
from docrag.web.openai.annotations import Links
from docrag.web.openai.chunks import Reply
from docrag.web.openai.client import departure
from docrag.web.openai.models import find
from docrag.web.openai.pump import ClientGone, Pump
from docrag.web.openai.schema import ChatCall, ChatRequestSchema, chat_call
from docrag.web.openai.stream import events, finish_reason

blueprint = keyed("chat", "/v1/chat", "Answers over documents in OpenAI's chat API")
blueprint.before_request(limit_body)

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


#: What a streamed answer is, for the OpenAPI description.
STREAM: Final = {
    "type": "string",
    "description": "With stream: true, server-sent events, each a chat.completion.chunk.",
}


class CompletionSchema(Schema):
    """A chat completion as OpenAI describes it, with docrag's own keys beside."""

    id = fields.String(required=True)
    object = fields.String(required=True)
    created = fields.Integer(required=True)
    model = fields.String(required=True)
    choices = fields.List(fields.Dict(), required=True)
    usage = fields.Dict()
    search_results = fields.List(fields.Dict())
    docrag = fields.Dict()


@blueprint.route("/completions", methods=["POST"])
@blueprint.doc(responses={200: {"content": {"text/event-stream": {"schema": STREAM}}}})
@blueprint.arguments(ChatRequestSchema)
@blueprint.response(200, CompletionSchema)
def complete(body: dict[str, Any]) -> Response:
    """Answer the last user message from the documents that the caller may read."""
    call = chat_call(body)
    model = find(call.model)
    turn = _prepare(call)
    reply = Reply(
        id=f"chatcmpl-{turn.id}",
        created=int(time.time()),
        model=model,
        links=Links(root=_root()),
        context=() if turn.abstention else turn.context,
    )
    pump = Pump(turn, gone=departure(request.environ))
    try:
        return _stream(turn, pump, reply, call) if call.stream else _whole(turn, pump, reply)
    except ClientGone:
        return Response(status=CLIENT_GONE)


def _prepare(call: ChatCall) -> Turn:
    """Retrieval and the evidence gate, done before any header is sent."""
    asked = [message for message in call.messages if message.role == "user"]
    if not asked or not asked[-1].content.strip():
        raise RequestRefused(INVALID, "messages: no user message with text.", param="messages")
    caller = principal()
    return service().assistant.prepare(
        call.messages,
        access=caller.access,
        principal=caller,
        channel="http",
        sampling=call.sampling,
    )


def _root() -> str:
    """Address of this server as people reach it, without a slash at the end."""
    return (service().settings.public_url or request.url_root).rstrip("/")


def _stream(turn: Turn, pump: Pump, reply: Reply, call: ChatCall) -> Response:
    pump.wait(FIRST_PIECE)
    stream = events(
        turn,
        pump,
        reply,
        include_usage=call.include_usage,
        language=service().settings.language,
    )
    response = Response(stream, content_type="text/event-stream; charset=utf-8")
    response.headers.update(STREAM_HEADERS)
    response.call_on_close(pump.close)
    return response


def _whole(turn: Turn, pump: Pump, reply: Reply) -> Response:
    pieces: list[Delta] = [piece for piece in pump.pieces() if piece is not None]
    last = pieces[-1] if pieces else None
    text = "".join(piece.text for piece in pieces)
    return jsonify(reply.whole(finish_reason(last), text, turn.answer))
