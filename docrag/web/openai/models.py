"""``/v1/models``: what front ends may choose, told from memory."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from docrag.web.blueprint import keyed
from docrag.web.errors import MODEL_NOT_FOUND, RequestRefused
from docrag.web.extensions import service

blueprint = keyed("models", "/v1/models", "Models that a chat front end may choose")


class ModelSchema(Schema):
    """One model, as OpenAI describes it."""

    id = fields.String(required=True)
    object = fields.Constant("model", required=True)
    created = fields.Integer(required=True)
    owned_by = fields.String(required=True)


class ModelListSchema(Schema):
    """All models."""

    object = fields.Constant("list", required=True)
    data = fields.List(fields.Nested(ModelSchema), required=True)


def offered() -> list[str]:
    """Ids of the models on offer, the default first."""
    return [service().settings.model_name]


def find(model: str) -> str:
    """The model of this id.

    :raises RequestRefused: there is none on offer.
    """
    if model not in offered():
        raise RequestRefused(
            MODEL_NOT_FOUND,
            f"The model {model[:80]!r} does not exist; choose one of {', '.join(offered())}.",
            param="model",
        )
    return model


@blueprint.route("")
@blueprint.response(200, ModelListSchema)
def list_models() -> dict[str, Any]:
    """List the models on offer."""
    return {"object": "list", "data": [_model(name) for name in offered()]}


@blueprint.route("/<path:model>")
@blueprint.response(200, ModelSchema)
def show_model(model: str) -> dict[str, Any]:
    """Show one model."""
    return _model(find(model))


def _model(name: str) -> dict[str, Any]:
    started = service().started
    return {"id": name, "object": "model", "created": started, "owned_by": "docrag"}
