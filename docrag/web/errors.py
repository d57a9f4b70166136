"""The one table from an error to an HTTP status and a machine code, in OpenAI's error object."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask, Response, current_app, g, has_request_context, jsonify, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from docrag.access.oidc import IssuerUnavailable
from docrag.api import (
    AccessDenied,
    AnswerCutShort,
    DocumentError,
    DocumentNotFound,
    DuplicateDocument,
    EmbedderError,
    LastAdmin,
    LLMError,
    LLMRefused,
    LLMUnavailable,
    NameTaken,
    PromptTooLong,
    RerankerError,
    StoreUnavailable,
    UnknownName,
    UnsupportedDocument,
)

logger = logging.getLogger(__name__)

#: Seconds after which a client may try again when a backend or the database is down.
RETRY_AFTER: Final = "5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How one sort of failure looks on the wire."""

    status: int
    type: str
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Sent instead of the error's own text, which may name internal addresses.
    message: str | None = None


_RETRY: Final = {"Retry-After": RETRY_AFTER}
#: The SDKs repeat a 5xx twice, retrieval and model included; this header stops them.
_NO_RETRY: Final = {"x-should-retry": "false"}

INVALID: Final = Kind(status=400, type="invalid_request_error")
UNAUTHENTICATED: Final = Kind(
    status=401,
    type="invalid_request_error",
    code="invalid_api_key",
    headers={"WWW-Authenticate": 'Bearer realm="docrag"'},
)
FORBIDDEN: Final = Kind(status=403, type="permission_error", code="permission_denied")
MODEL_NOT_FOUND: Final = Kind(status=404, type="invalid_request_error", code="model_not_found")
NOT_FOUND: Final = Kind(status=404, type="invalid_request_error", code="not_found")
TOO_LARGE: Final = Kind(status=413, type="invalid_request_error", code="request_too_large")
UNSUPPORTED: Final = Kind(
    status=415, type="invalid_request_error", code="unsupported_document_type"
)
BUSY: Final = Kind(status=503, type="server_error", code="service_unavailable", headers=_RETRY)
INTERNAL: Final = Kind(
    status=500,
    type="server_error",
    code="server_error",
    headers=_NO_RETRY,
    message="Something went wrong in docrag; the operator finds the cause in the log.",
)
MODEL_DOWN: Final = Kind(
    status=503,
    type="server_error",
    code="service_unavailable",
    headers=_RETRY,
    message="The language model cannot be reached or is busy just now; try again.",
)

#: Core errors by class; the nearest class of the error's ancestors decides.
KINDS: Final[dict[type[Exception], Kind]] = {
    AccessDenied: FORBIDDEN,
    DocumentNotFound: Kind(status=404, type="invalid_request_error", code="document_not_found"),
    DuplicateDocument: Kind(status=409, type="invalid_request_error", code="duplicate_document"),
    LastAdmin: Kind(status=409, type="invalid_request_error", code="last_admin"),
    NameTaken: Kind(status=409, type="invalid_request_error", code="name_taken"),
    UnsupportedDocument: UNSUPPORTED,
    DocumentError: Kind(status=400, type="invalid_request_error", code="invalid_document"),
    UnknownName: Kind(status=400, type="invalid_request_error", code="unknown_name"),
    PromptTooLong: Kind(
        status=400,
        type="invalid_request_error",
        code="context_length_exceeded",
        message="The conversation does not fit the model's context window; make it shorter.",
    ),
    LLMRefused: Kind(
        status=502,
        type="server_error",
        code="model_refused",
        headers=_NO_RETRY,
        message="The language model refused the request; the operator finds why in the log.",
    ),
    AnswerCutShort: Kind(
        status=502,
        type="server_error",
        code="answer_cut_short",
        headers=_NO_RETRY,
        message=(
            "The language model reached its limit of tokens before it began to answer; ask for "
            "less, or let the operator raise DOCRAG_ANSWER_TOKENS."
        ),
    ),
    LLMError: MODEL_DOWN,
    EmbedderError: Kind(
        status=503,
        type="server_error",
        code="service_unavailable",
        headers=_RETRY,
        message="The embedding model cannot be reached or failed just now; try again.",
    ),
    RerankerError: Kind(
        status=503,
        type="server_error",
        code="service_unavailable",
        headers=_RETRY,
        message="The reranking model cannot be reached or failed just now; try again.",
    ),
    IssuerUnavailable: Kind(
        status=503,
        type="server_error",
        code="service_unavailable",
        headers=_RETRY,
        message="The identity provider cannot be reached just now; try again.",
    ),
    StoreUnavailable: Kind(
        status=503,
        type="server_error",
        code="service_unavailable",
        headers=_RETRY,
        message="The database cannot be reached just now; nothing was changed. Try again.",
    ),
}

#: What the web framework itself refuses, by status.
STATUSES: Final[dict[int, Kind]] = {
    400: INVALID,
    404: NOT_FOUND,
    405: Kind(status=405, type="invalid_request_error", code="method_not_allowed"),
    413: TOO_LARGE,
    415: Kind(status=415, type="invalid_request_error", code="unsupported_media_type"),
    429: Kind(status=429, type="rate_limit_error", code="rate_limit_exceeded"),
}


#: What to use instead of addresses that OpenAI has and docrag does not; a slash at the end stands
#: for everything below it.
INSTEAD: Final = {
    "/v1/completions": "docrag has no text completions; send messages to /v1/chat/completions.",
    "/v1/responses/": "docrag keeps no responses; send all turns in input to /v1/responses.",
    "/v1/chat/completions/": "docrag keeps no completions; ask again at /v1/chat/completions.",
}
#: Where the server keeps the errors of a request body that breaks the rules of HTTP.
_BROKEN_BODY: Final = "gunicorn.http.errors"
#: Bytes of a MiB.
_MIB: Final = 1024 * 1024


class RequestRefused(Exception):
    """A request that the web layer itself turns down."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self.param = param
        self.code = code or kind.code
        self.headers = {**kind.headers, **(headers or {})}
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A failure as it goes out: status, JSON body and headers."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str]


def describe(error: Exception) -> Problem:
    """The wire form of any error; an unknown one tells nothing but that it happened.

    :param error: what a view or a stream raised.
    """
    if isinstance(error, RequestRefused):
        body = error_object(str(error), error.kind.type, error.code, error.param)
        return Problem(status=error.kind.status, body=body, headers=error.headers)
    if isinstance(error, HTTPException) and error.code is not None:
        return _framework(error, error.code)
    if type(error).__module__ == _BROKEN_BODY:  # by name: gunicorn is not the only server
        broken = RequestRefused(
            INVALID, "The body is not sent as HTTP asks; its chunks are broken."
        )
        return describe(broken)
    kind = next((KINDS[cls] for cls in type(error).__mro__ if cls in KINDS), INTERNAL)
    param = error.kind if isinstance(error, UnknownName) else None
    body = error_object(kind.message or str(error), kind.type, kind.code, param)
    if isinstance(error, DuplicateDocument):
        body["id"] = error.document_id
    return Problem(status=kind.status, body=body, headers={**kind.headers, **_pause(error)})


def _pause(error: Exception) -> dict[str, str]:
    """How long the model's own server asks to be left alone, where it says so."""
    seconds = error.retry_after if isinstance(error, LLMUnavailable) else None
    return {"Retry-After": str(max(1, math.ceil(seconds)))} if seconds is not None else {}


def error_object(
    message: str, type_: str, code: str | None, param: str | None = None
) -> dict[str, Any]:
    """OpenAI's error object, all four keys always present."""
    return {"error": {"message": message, "type": type_, "param": param, "code": code}}


def log(error: Exception, problem: Problem) -> None:
    """One line for the operator about a failure of ours; nothing about a client's mistake."""
    extra = {"action": "request_failed", "request_id": g.get("request_id", "")}
    if problem.body["error"]["code"] == INTERNAL.code:
        logger.error("unexpected %s", type(error).__name__, exc_info=error, extra=extra)
    elif problem.status >= 500:
        logger.warning("%s: %s", type(error).__name__, error, extra=extra)


def install(app: Flask) -> None:
    """Answer every error of an app with the error object; nothing is HTML."""
    app.register_error_handler(HTTPException, _respond)
    app.register_error_handler(Exception, _respond)


def _respond(error: Exception) -> Response:
    if isinstance(error, RequestRedirect):
        return Response(status=error.code, headers={"Location": error.new_url})
    problem = describe(error)
    log(error, problem)
    response = jsonify(problem.body)
    response.status_code = problem.status
    response.headers.extend(problem.headers)
    return response


def _framework(error: HTTPException, status: int) -> Problem:
    """An error that Flask or Werkzeug raised, with the headers that belong to it (Allow)."""
    kind = STATUSES.get(status) or Kind(
        status=status,
        type="server_error" if status >= 500 else "invalid_request_error",
        code=error.name.lower().replace(" ", "_"),
    )
    own = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    body = error_object(_text(error, status), kind.type, kind.code)
    return Problem(status=status, body=body, headers={**own, **kind.headers})


def _text(error: HTTPException, status: int) -> str:
    """What the framework's error says, with the limit or the right address where there is one."""
    if has_request_context():
        if status in (404, 405) and (instead := _instead(request.path)):
            return instead
        limit, size = request.max_content_length, request.content_length
        if status == 413 and limit:
            if size is not None and size <= limit:
                return "A field of the form is too long."
            frame = _MIB if limit == current_app.config["MAX_CONTENT_LENGTH"] else 0
            return f"The request is larger than the limit of {(limit - frame) // _MIB} MiB."
    return error.description or error.name


def _instead(path: str) -> str:
    """What to use instead of this address; empty if nobody knows it."""
    known = (text for start, text in INSTEAD.items() if _matches(path, start))
    return next(known, "")


def _matches(path: str, start: str) -> bool:
    return path == start or (start.endswith("/") and path.startswith(start))
