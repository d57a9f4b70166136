"""``/api/documents``: bring documents in, see what one may read, read a page, remove."""

from __future__ import annotations

from typing import Any, Final

from flask import Response, request
from marshmallow import Schema, fields
from werkzeug.datastructures import FileStorage

from docrag.api import Access, DocumentNotFound, storable
from docrag.store.records import Document
from docrag.web.blueprint import keyed
from docrag.web.credentials import principal, require_admin
from docrag.web.errors import INVALID, TOO_LARGE, RequestRefused
from docrag.web.extensions import service
from docrag.web.gate import UPLOADS
from docrag.web.openai.jsonfields import Day
from docrag.web.text import printable
from docrag.web.versions import version

blueprint = keyed("documents", "/api/documents", "Documents: upload, list, read, remove")

#: Bytes of a MiB.
MIB: Final = 1024 * 1024
#: The multipart form of an upload, for the OpenAPI description.
FORM: Final = {
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "roles": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Roles that may read it; repeated or comma-separated. "
                        "Needed unless it replaces a document, whose roles it then has.",
                    },
                    "title": {"type": "string"},
                    "replaces": {
                        "type": "string",
                        "description": "Document that it is the next version of.",
                    },
                    "valid_from": {
                        "type": "string",
                        "format": "date",
                        "description": "First day on which it is in force.",
                    },
                    "valid_to": {
                        "type": "string",
                        "format": "date",
                        "description": "Last day on which it is in force.",
                    },
                },
            }
        }
    },
    "required": True,
}


class DocumentSchema(Schema):
    """A document that the caller may read, without its text."""

    id = fields.String()
    title = fields.String()
    filename = fields.String()
    state = fields.String()
    pages = fields.Integer(allow_none=True)
    chunks = fields.Integer()
    roles = fields.List(fields.String())
    #: What all versions of a document share.
    series = fields.String()
    version = fields.Integer()
    #: First and last day; ``null`` for no bound.
    valid_from = fields.String(allow_none=True)
    valid_to = fields.String(allow_none=True)
    #: Searches that name no day look at it.
    in_force = fields.Boolean()
    error = fields.String()
    warnings = fields.List(fields.String())
    created_at = fields.String()
    #: Where a watched file came from; for administrators only.
    source = fields.String()


class DocumentListSchema(Schema):
    """Documents, newest first."""

    documents = fields.List(fields.Nested(DocumentSchema))


class PageSchema(Schema):
    """The text of one page."""

    document = fields.String()
    title = fields.String()
    filename = fields.String()
    #: Physical number; ``null`` in a format without pages.
    page = fields.Integer(allow_none=True)
    pages = fields.Integer(allow_none=True)
    section = fields.String()
    text = fields.String()


class ChangeSchema(Schema):
    """Roles that may read a document, and the days on which it is in force; what is left out stays.

    ``null`` and an empty text take a bound away.
    """

    roles = fields.List(fields.String())
    valid_from = Day(allow_none=True, metadata={"type": "string", "format": "date"})
    valid_to = Day(allow_none=True, metadata={"type": "string", "format": "date"})


class UploadSchema(Schema):
    """An accepted upload: the document and the job that makes it searchable."""

    id = fields.String()
    job = fields.String()
    state = fields.String()


@blueprint.route("", methods=["POST"])
@blueprint.doc(requestBody=FORM)
@blueprint.response(202, UploadSchema)
def upload() -> tuple[dict[str, Any], int, dict[str, str]]:
    """Take a file in; a worker makes it searchable. For administrators."""
    caller = require_admin()
    file, belonging = _file(), version()
    with UPLOADS.enter():
        document, job = service().assistant.upload(
            _content(file),
            filename=storable(file.filename or ""),
            roles=_roles(needed=not belonging.replaces),
            title=storable(request.form.get("title", "")).strip(),
            uploaded_by=caller.user.id,
            version=belonging,
        )
    body = {"id": document.id, "job": job.id, "state": str(document.state)}
    return body, 202, {"Location": f"/api/documents/{document.id}"}


@blueprint.route("")
@blueprint.response(200, DocumentListSchema)
def list_documents() -> dict[str, Any]:
    """List the documents that the caller may read, newest first."""
    access = principal().access
    found = service().assistant.documents(access=access)
    return {"documents": [_shown(document, access) for document in found]}


@blueprint.route("/<document_id>")
@blueprint.response(200, DocumentSchema)
def show_document(document_id: str) -> dict[str, Any]:
    """Show one document; a hidden one is not found."""
    access = principal().access
    return _shown(service().assistant.document(document_id, access=access), access)


@blueprint.route("/<document_id>", methods=["PATCH"])
@blueprint.arguments(ChangeSchema)
@blueprint.response(200, DocumentSchema)
def change_document(body: dict[str, Any], document_id: str) -> dict[str, Any]:
    """Change who may read a document, or when it is in force, from the next request on.

    For administrators.
    """
    access = require_admin().access
    documents = service().assistant.store.documents
    if not body or ("roles" in body and len(body) > 1):
        raise RequestRefused(
            INVALID, "Name either roles, or valid_from and valid_to.", param="roles"
        )
    if "roles" in body:
        roles = list(dict.fromkeys(printable(role, "roles") for role in body["roles"]))
        return _shown(documents.set_roles(document_id, roles, access=access), access)
    return _shown(documents.set_dates(document_id, access=access, **body), access)


@blueprint.route("/<document_id>/pages/<int:number>")
@blueprint.response(200, PageSchema)
def show_page(document_id: str, number: int) -> dict[str, Any]:
    """Read one page of a document, counted from 1, or one section where there are no pages."""
    access = principal().access
    assistant = service().assistant
    document = assistant.document(document_id, access=access)
    pages = assistant.store.documents.pages(document_id, access=access)
    numbered = ((page.number or place, page) for place, page in enumerate(pages, start=1))
    page = next((page for found, page in numbered if found == number), None)
    if page is None:
        raise DocumentNotFound(f"{document_id}/pages/{number}")
    return {
        "document": document.id,
        "title": document.title,
        "filename": document.filename,
        "page": page.number,
        "pages": document.pages,
        "section": page.section,
        "text": page.text,
    }


@blueprint.route("/<document_id>", methods=["DELETE"])
@blueprint.response(204)
def delete_document(document_id: str) -> Response:
    """Remove a document with its file, text and vectors. For administrators."""
    caller = require_admin()
    service().assistant.delete(document_id, access=caller.access)
    return Response(status=204)


def _shown(document: Document, access: Access) -> dict[str, Any]:
    """A document for this reader, who is not told of roles that are not theirs."""
    roles = [name for name in document.roles if access.is_admin or name in access.roles]
    return {
        "id": document.id,
        "title": document.title,
        "filename": document.filename,
        "state": str(document.state),
        "pages": document.pages,
        "chunks": document.chunks,
        "roles": roles,
        "series": document.series,
        "version": document.version,
        "valid_from": document.valid_from and document.valid_from.isoformat(),
        "valid_to": document.valid_to and document.valid_to.isoformat(),
        "in_force": document.in_force,
        "error": document.error,
        "warnings": list(document.warnings),
        "created_at": document.created_at.isoformat(),
        **({"source": document.source} if access.is_admin else {}),
    }


def _file() -> FileStorage:
    files = request.files.getlist("file")
    if len(files) != 1 or not files[0].filename:
        raise RequestRefused(
            INVALID,
            f"Send exactly one file in the multipart field 'file', not {len(files)}; "
            "its name must be in UTF-8.",  # a form with another one is not read at all
            param="file",
        )
    return files[0]


def _content(file: FileStorage) -> bytes:
    """The bytes of an upload.

    :raises RequestRefused: more than the limit.
    """
    limit = service().settings.upload_limit
    data: bytes = file.read(limit * MIB + 1)
    if len(data) > limit * MIB:
        raise RequestRefused(
            TOO_LARGE, f"The file is larger than the limit of {limit} MiB.", param="file"
        )
    return data


def _roles(*, needed: bool) -> list[str]:
    given = ",".join(request.form.getlist("roles"))
    parts = [part for part in given.split(",") if part.strip()]
    names = list(dict.fromkeys(printable(part, "roles") for part in parts))
    if needed and not names:
        raise RequestRefused(
            INVALID, "Name at least one role that may read the document.", param="roles"
        )
    return names
