"""``/v1/chat/completions``: a question in, an answer with sources out, whole or streamed."""

from __future__ import annotations

from typing import Any, Final

from flask import Response
from marshmallow import Schema, fields

from docrag.web.blueprint import keyed, limit_body
from docrag.web.openai import tasks, turns
from docrag.web.openai.dates import PARAMETER
from docrag.web.openai.schema import ChatRequestSchema, chat_call
from docrag.web.openai.stream import events

blueprint = keyed("chat", "/v1/chat", "Answers over documents in OpenAI's chat API")
blueprint.before_request(limit_body)

#: What a streamed answer is, for the OpenAPI description.
STREAM: Final = {
    # No type: some readers of the description mean the whole stream by it, others one event.
    "description": "With stream: true, server-sent events, each a chat.completion.chunk.",
}
#: What was decided about the documents, for the OpenAPI description.
HEADERS: Final = {
    tasks.HEADER: {
        "description": "Whether the documents were searched, or why not.",
        "schema": {"type": "string", "enum": [tasks.USED, *tasks.WITHOUT, tasks.GREETING]},
    }
}


class CompletionSchema(Schema):
    """A chat completion as OpenAI describes it, with docrag's own keys beside."""

    id = fields.String(required=True)
    object = fields.String(required=True)
    created = fields.Integer(required=True)
    model = fields.String(required=True)
    choices = fields.List(fields.Dict(), required=True)
    usage = fields.Dict(required=True)
    search_results = fields.List(fields.Dict())
    sources = fields.List(fields.Dict())
    docrag = fields.Dict()


@blueprint.route("/completions", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER],
    responses={200: {"headers": HEADERS, "content": {"text/event-stream": {"schema": STREAM}}}},
)
@blueprint.arguments(ChatRequestSchema)
@blueprint.response(200, CompletionSchema)
def complete(body: dict[str, Any]) -> Response:
    """Answer the last user message from the documents that the caller may read."""
    return turns.respond(chat_call(body), whole=_whole, stream=events)


def _whole(run: turns.Run) -> dict[str, Any]:
    found = turns.collect(run)
    reply, closing = run.reply(found.turn), run.closing(found.turn)
    return reply.whole(found.finish_reason, found.message(closing), found.text)
