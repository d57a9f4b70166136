"""Blueprints that document themselves, with types: the one border to flask-smorest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import flask_smorest  # type: ignore[import-untyped] # the package has no annotations
from flask import Request, request
from marshmallow import EXCLUDE, Schema, ValidationError
from webargs.core import missing
from webargs.flaskparser import FlaskParser

from docrag.web.credentials import authenticate
from docrag.web.errors import INVALID, TOO_LARGE, RequestRefused

View = TypeVar("View", bound=Callable[..., Any])

#: Longest JSON body, bytes: a long conversation fits, a file does not.
JSON_LIMIT: Final = 8 * 1024 * 1024


class BodyParser(FlaskParser):
    """Reads JSON whatever the Content-Type says, ignores unknown keys, answers 400."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "json": EXCLUDE}

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ANN401 - any JSON
        """The JSON body of a request.

        :raises RequestRefused: the body is empty, is not JSON, or is not an object.
        """
        # A body without a length is cut at the limit instead of being refused by the framework.
        if len(req.get_data()) >= JSON_LIMIT:
            raise RequestRefused(TOO_LARGE, f"A JSON body has less than {JSON_LIMIT} bytes.")
        try:
            body = req.get_json(force=True, silent=True)
        except RecursionError:  # nested deeper than the parser goes
            body = None
        if not isinstance(body, dict):
            raise RequestRefused(INVALID, "The body must be a JSON object.", code="invalid_json")
        return body or missing

    def handle_error(
        self, error: ValidationError, req: Request, schema: Schema, **more: object
    ) -> NoReturn:
        """Turn the first validation message into a refusal that names the field."""
        messages: Any = error.messages
        if isinstance(messages, dict) and set(messages) <= {"json", "query", "form"}:
            messages = next(iter(messages.values()))
        param, text = first_message(messages)
        raise RequestRefused(INVALID, f"{param}: {text}" if param else text, param=param or None)


def first_message(messages: Any, path: str = "") -> tuple[str, str]:  # noqa: ANN401 - nested
    """Path and text of the first message of a marshmallow error tree.

    >>> first_message({"messages": {0: {"role": ["Unknown role."]}}})
    ('messages[0].role', 'Unknown role.')
    """
    if isinstance(messages, Mapping) and messages:
        key, inner = next(iter(messages.items()))
        if key == "_schema":
            return first_message(inner, path)
        step = f"[{key}]" if isinstance(key, int) else f".{key}" if path else str(key)
        return first_message(inner, path + step)
    if isinstance(messages, list) and messages:
        return path, str(messages[0])
    return path, str(messages)


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc] # the package has no annotations
    """A blueprint whose routes appear in ``/openapi.json``."""

    ARGUMENTS_PARSER = BodyParser()

    if TYPE_CHECKING:

        def route(self, rule: str, **options: Any) -> Callable[[View], View]:  # noqa: ANN401
            """Register a view under a path."""

        def arguments(self, schema: type[Schema], **options: Any) -> Callable[[View], View]:  # noqa: ANN401
            """Read and check the request by a schema."""

        def response(
            self, status_code: int, schema: type[Schema] | None = None, **options: Any  # noqa: ANN401
        ) -> Callable[[View], View]:  # fmt: skip
            """Write what the view returns by a schema."""

        def doc(self, **entries: Any) -> Callable[[View], View]:  # noqa: ANN401
            """Add to the documentation of a view."""


def keyed(name: str, prefix: str, description: str) -> Blueprint:
    """A blueprint whose every request needs an API key."""
    blueprint = Blueprint(name, __name__, url_prefix=prefix, description=description)
    blueprint.before_request(authenticate)
    return blueprint


def limit_body() -> None:
    """Hold this request to :data:`JSON_LIMIT`; a hook for blueprints that take no files."""
    request.max_content_length = JSON_LIMIT
