"""``/v1/models``: what front ends may choose, told from memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from marshmallow import Schema, fields

from docrag.web.blueprint import keyed
from docrag.web.errors import MODEL_NOT_FOUND, RequestRefused
from docrag.web.extensions import service

blueprint = keyed("models", "/v1/models", "Models that a chat front end may choose")

#: What stands behind the name of the model that never retrieves; no alias may end so.
PLAIN: Final = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model on offer."""

    id: str
    #: Alias of ``DOCRAG_LLM_ALIASES``; empty for the language model of the settings.
    alias: str = ""
    #: It never looks into documents.
    plain: bool = False


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


def offered() -> list[Model]:
    """The models on offer, the default first, then the one without documents, then the aliases."""
    settings = service().settings
    name = settings.model_name
    return [
        Model(id=name),
        Model(id=f"{name}-{PLAIN}", plain=True),
        *(Model(id=f"{name}-{alias}", alias=alias) for alias in settings.llm_aliases),
    ]


def find(model: str) -> Model:
    """The model of this id.

    :raises RequestRefused: there is none on offer.
    """
    known = {offer.id: offer for offer in offered()}
    if model not in known:
        raise RequestRefused(
            MODEL_NOT_FOUND,
            f"The model {model[:80]!r} does not exist; choose one of {', '.join(known)}.",
            param="model",
        )
    return known[model]


@blueprint.route("")
@blueprint.response(200, ModelListSchema)
def list_models() -> dict[str, Any]:
    """List the models on offer."""
    return {"object": "list", "data": [_object(model) for model in offered()]}


@blueprint.route("/<path:model>")
@blueprint.response(200, ModelSchema)
def show_model(model: str) -> dict[str, Any]:
    """Show one model."""
    return _object(find(model))


def _object(model: Model) -> dict[str, Any]:
    started = service().started
    return {"id": model.id, "object": "model", "created": started, "owned_by": "docrag"}
