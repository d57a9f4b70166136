"""``/docs`` and ``/openapi.json``: the API described and tried, from this server alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import flask_smorest  # type: ignore[import-untyped] # the package has no annotations
import flask_swagger_ui
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Blueprint, Flask, Response, send_from_directory, url_for
from marshmallow import Schema, fields
from werkzeug.exceptions import NotFound

from docrag import __version__
from docrag.web import (
    auth,
    documents,
    feedback,
    groups,
    health,
    hygiene,
    jobs,
    keys,
    roles,
    users,
)
from docrag.web.openai import chat, embeddings, models, responses

blueprint = Blueprint("docs", __name__)
blueprint.before_request(hygiene.follow(hygiene.DOCS))

#: Files of Swagger UI, as its package ships them.
DIST: Final = Path(flask_swagger_ui.__file__).parent / "dist"
#: What the page loads; nothing else of the folder is served.
FILES: Final = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docrag API</title>
<link rel="icon" type="image/png" href="{icon}">
<link rel="stylesheet" href="{style}">
</head>
<body>
<main id="swagger-ui" data-spec="{spec}"></main>
<script src="{bundle}"></script>
<script src="{start}"></script>
</body>
</html>
"""
_START: Final = """"use strict";
SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.spec,
  dom_id: "#swagger-ui",
  persistAuthorization: false,
  validatorUrl: null,
});
"""


class ErrorDetailSchema(Schema):
    """What went wrong, for people and for programs."""

    message = fields.String(required=True)
    type = fields.String(required=True)
    param = fields.String(required=True, allow_none=True)
    code = fields.String(required=True, allow_none=True)


class ErrorSchema(Schema):
    """A failure, in OpenAI's error object."""

    error = fields.Nested(ErrorDetailSchema, required=True)
    id = fields.String(metadata={"description": "The document that is stored already."})


class Converter(OpenAPIConverter):
    """Schemas as they are read: unknown keys are ignored, whatever a schema says by default."""

    def schema2jsonschema(self, schema: Schema) -> dict[str, Any]:
        """The schema as JSON Schema."""
        found: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        if found.get("additionalProperties") is False:
            del found["additionalProperties"]
        return found


class Plugin(MarshmallowPlugin):
    """What turns schemas into JSON Schema."""

    Converter = Converter


class Api(flask_smorest.Api):  # type: ignore[misc] # the package has no annotations
    """The registry of documented blueprints, with our form of errors."""

    ERROR_SCHEMA = ErrorSchema


def describe(app: Flask) -> None:
    """Register every documented blueprint of an app, and ``/openapi.json`` itself."""
    app.config.update(
        API_TITLE="docrag",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": "Answers over an organisation's own documents."},
            "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
            "security": [{"key": []}],
        },
    )
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin()})
    openai = (models, chat, responses, embeddings)
    for part in (*openai, feedback, documents, jobs, users, roles, groups, keys, auth, health):
        api.register_blueprint(part.blueprint)
    app.register_blueprint(blueprint)


@blueprint.get("/docs")
def page() -> Response:
    """The page that shows and tries the API."""
    files = dict(zip(("style", "bundle", "icon"), FILES, strict=True))
    links = {name: url_for("docs.asset", filename=file) for name, file in files.items()}
    text = _PAGE.format(spec=url_for("api-docs.openapi_json"), start=url_for("docs.start"), **links)
    return Response(text, content_type="text/html; charset=utf-8")


@blueprint.get("/docs/start.js")
def start() -> Response:
    """The script that starts the page; inline it would break the policy."""
    return Response(_START, content_type="text/javascript; charset=utf-8")


@blueprint.get("/docs/assets/<filename>")
def asset(filename: str) -> Response:
    """A file of Swagger UI."""
    if filename not in FILES:
        raise NotFound
    return send_from_directory(DIST, filename, max_age=3600)
