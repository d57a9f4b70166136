"""``/v1/embeddings``: texts in, vectors of the configured embedder out; no document is read."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from flask import Response, jsonify, request
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from docrag.answer.context import estimate_tokens
from docrag.api import Embedder, EmbedderError, Vectors, storable
from docrag.web import gate, limits
from docrag.web.blueprint import keyed, limit_body
from docrag.web.errors import INVALID, MODEL_NOT_FOUND, RequestRefused
from docrag.web.extensions import service
from docrag.web.openai.client import departure

blueprint = keyed("embeddings", "/v1/embeddings", "Vectors of texts in OpenAI's embeddings API")
blueprint.before_request(limit_body)

#: Most texts of one request, as at OpenAI.
MOST: Final = 2048
#: Status of an answer that nobody waits for any more (nginx's word for it).
CLIENT_GONE: Final = 499
#: Whether a text is embedded as a question, by the words that clients use for it.
IS_QUERY: Final = {
    "query": True,
    "search_query": True,
    "document": False,
    "passage": False,
    "search_document": False,
}
#: What the input may be, for the OpenAPI description.
INPUT: Final = {
    "oneOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 1,
            "maxItems": MOST,
        },
    ]
}


class InputField(fields.Field[list[str]]):
    """The input: one text or a list of them; lists of token numbers are refused."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> list[str]:  # noqa: ANN401 - JSON
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list):
            raise ValidationError("must be a text or a list of texts.")
        if not 1 <= len(texts) <= MOST:
            raise ValidationError(f"must hold 1 to {MOST} texts, not {len(texts)}.")
        if any(isinstance(text, int | list) for text in texts):
            raise ValidationError(
                "token numbers are not read, since each model has its own; send texts "
                "(LangChain: check_embedding_ctx_length=False)."
            )
        return [_text(text, place) for place, text in enumerate(texts)]


class EmbeddingRequestSchema(Schema):
    """A request for vectors; what is not listed is accepted and ignored."""

    class Meta:
        """Unknown keys are no mistake: clients send many."""

        unknown = EXCLUDE

    model = fields.String(required=True)
    input = InputField(required=True, metadata=INPUT)
    encoding_format = fields.String(
        load_default="float", allow_none=True, validate=validate.OneOf(("float", "base64"))
    )
    dimensions = fields.Integer(load_default=None, allow_none=True, strict=True)
    input_type = fields.String(
        load_default="document",
        allow_none=True,
        validate=validate.OneOf(IS_QUERY),
        metadata={"description": "docrag's own: some models tell questions from passages."},
    )


class EmbeddingListSchema(Schema):
    """Vectors in the order of the input."""

    object = fields.Constant("list", required=True)
    data = fields.List(fields.Dict(), required=True)
    model = fields.String(required=True)
    usage = fields.Dict(required=True)


@blueprint.route("", methods=["POST"])
@blueprint.arguments(EmbeddingRequestSchema)
@blueprint.response(200, EmbeddingListSchema)
def embed(body: dict[str, Any]) -> Response:
    """Embed texts with the model that makes documents searchable."""
    embedder = _embedder(body["model"])
    if body["dimensions"] not in (None, embedder.dim):
        raise RequestRefused(
            INVALID,
            f"dimensions: {embedder.model_id} has {embedder.dim} dimensions and no other number.",
            param="dimensions",
        )
    # No language model works and no document is read: such requests come in great numbers.
    limits.count(limits.TASK)
    texts: list[str] = body["input"]
    gone = departure(request.environ)
    rows: list[Vectors] = []
    place = gate.admission().enter()
    try:
        for batch in _batches(embedder, texts, is_query=IS_QUERY[body["input_type"] or "document"]):
            rows.extend(batch)
            if gone():
                return Response(status=CLIENT_GONE)
    finally:
        place.release()
    return jsonify(_listed(rows, texts, body))


def _listed(rows: list[Vectors], texts: list[str], body: dict[str, Any]) -> dict[str, Any]:
    """The body of the answer."""
    write = _base64 if body["encoding_format"] == "base64" else _numbers
    tokens = sum(estimate_tokens(text) for text in texts)
    data = [
        {"object": "embedding", "index": place, "embedding": write(row)}
        for place, row in enumerate(rows)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": body["model"], "usage": usage}


def _text(text: object, place: int) -> str:
    """One text of the input.

    :raises ValidationError: it is no text, or empty.
    """
    if not isinstance(text, str):
        raise ValidationError({place: ["must be a text."]})
    clean = storable(text)
    if not clean:
        raise ValidationError({place: ["must not be empty."]})
    return clean


def _embedder(model: str) -> Embedder:
    """The embedder, if it goes by this name.

    :raises RequestRefused: the server has no embedder, or it has another name.
    """
    embedder = service().assistant.embedder
    if embedder is None:
        raise RequestRefused(
            MODEL_NOT_FOUND,
            "This server has no embedding model, it searches by words only; the operator "
            "chooses one with DOCRAG_EMBEDDER (e5, ollama, openai).",
            param="model",
        )
    names = (service().settings.model_name, embedder.model_id)
    if model not in names:
        raise RequestRefused(
            MODEL_NOT_FOUND,
            f"The model {model[:80]!r} does not exist; choose one of {', '.join(names)}.",
            param="model",
        )
    return embedder


def _batches(embedder: Embedder, texts: list[str], *, is_query: bool) -> Iterator[list[Vectors]]:
    """Vectors of the texts, a batch at a time, so that others come in between.

    :raises RequestRefused: the model cannot embed one of the texts, which is named.
    :raises EmbedderError: the model failed.
    """
    size = 1 if is_query else service().settings.embed_batch
    for start in range(0, len(texts), size):
        try:
            yield _rows(embedder, texts[start : start + size], is_query=is_query)
        except EmbedderError as exc:
            if not exc.indices:
                raise
            place = start + min(exc.indices)
            why = "is too long for" if exc.too_long else "cannot be embedded by"
            raise RequestRefused(
                INVALID,
                f"input[{place}]: this text {why} {embedder.model_id}; shorten it or leave it out.",
                param=f"input[{place}]",
            ) from exc


def _rows(embedder: Embedder, batch: list[str], *, is_query: bool) -> list[Vectors]:
    """Vectors of a batch; of a single question.

    :raises EmbedderError: as the embedder; its ``indices`` name what is at fault.
    """
    if not is_query:
        return list(embedder.embed_documents(batch))
    try:
        return [embedder.embed_query(batch[0])]
    except EmbedderError:
        # Only this call tells a text that cannot be embedded from a model that failed.
        embedder.embed_documents(batch)
        raise


def _numbers(row: Vectors) -> list[float]:
    numbers: list[float] = row.tolist()
    return numbers


def _base64(row: Vectors) -> str:
    """Little-endian 32-bit floats, as OpenAI's clients read them."""
    return base64.b64encode(np.asarray(row, dtype="<f4").tobytes()).decode()
