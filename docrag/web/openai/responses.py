"""``/v1/responses``: the Responses API over the same answers; nothing is kept between requests."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from flask import Response
from marshmallow import Schema, ValidationError, fields

from docrag.web.blueprint import first_message, keyed, limit_body
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.extensions import service
from docrag.web.openai import turns
from docrag.web.openai.calls import Call
from docrag.web.openai.dates import PARAMETER
from docrag.web.openai.responses_body import echo
from docrag.web.openai.responses_items import Messages
from docrag.web.openai.responses_schema import (
    ResponseRequestSchema,
    chat_body,
    conversation,
    renamed,
)
from docrag.web.openai.responses_stream import events, whole
from docrag.web.openai.schema import ChatRequestSchema, chat_call

blueprint = keyed("responses", "/v1/responses", "Answers over documents in OpenAI's Responses API")
blueprint.before_request(limit_body)

#: What a streamed answer is, for the OpenAPI description.
STREAM: Final = {
    # No type: some readers of the description mean the whole stream by it, others one event.
    "description": "With stream: true, server-sent events, each with type and sequence_number.",
}


class ResponseSchema(Schema):
    """A Response as OpenAI describes it, with docrag's own key beside."""

    id = fields.String(required=True)
    object = fields.String(required=True)
    created_at = fields.Integer(required=True)
    status = fields.String(required=True)
    model = fields.String(required=True)
    output = fields.List(fields.Dict(), required=True)
    usage = fields.Dict()
    docrag = fields.Dict()


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER],
    responses={200: {"content": {"text/event-stream": {"schema": STREAM}}}},
)
@blueprint.arguments(ResponseRequestSchema)
@blueprint.response(200, ResponseSchema)
def create(body: dict[str, Any]) -> Response:
    """Answer the last user message from the documents that the caller may read."""
    found = Messages()
    try:
        found = conversation(body)
        call = _call(body, found)
        said = echo(body, temperature=service().settings.temperature)
        return turns.respond(call, whole=partial(whole, said), stream=partial(events, said))
    except ValidationError as exc:
        param, text = first_message(exc.messages)
        name = renamed(param, found)
        raise RequestRefused(INVALID, f"{name}: {text}", param=name) from exc
    except RequestRefused as exc:
        raise _ours(exc, found) from exc


def _call(body: dict[str, Any], found: Messages) -> Call:
    """The request as every API of ours has it.

    :raises ValidationError: by the chat API's names of the fields.
    """
    return chat_call(ChatRequestSchema().load(chat_body(body, found)))


def _ours(refused: RequestRefused, found: Messages) -> RequestRefused:
    """The refusal with the field as this API names it."""
    if not refused.param:
        return refused
    name, text = renamed(refused.param, found), str(refused)
    if text.startswith(refused.param):
        text = name + text[len(refused.param) :]
    return RequestRefused(
        refused.kind, text, param=name, code=refused.code, headers=refused.headers
    )
