"""Documents for administrators: brought in, opened to roles, removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import flash, redirect, request, url_for
from werkzeug.wrappers import Response

from docrag.api import Access, DocragError, DocumentError, DocumentNotFound, storable
from docrag.store.jobs import Jobs
from docrag.web.documents import MIB
from docrag.web.errors import TOO_LARGE, RequestRefused
from docrag.web.extensions import service
from docrag.web.gate import UPLOADS
from docrag.web.pages import session
from docrag.web.pages.blueprint import admin_pages
from docrag.web.pages.forms import optional, ticked
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe
from docrag.web.versions import given_day, version

#: Jobs among which that of a document is looked for; no queue is longer.
MOST_JOBS: Final = 100_000

blueprint = admin_pages("admin_documents", "/admin/documents", files=True)


@blueprint.post("")
def upload() -> Response:
    """Take a file in; a worker makes it searchable."""
    roles = ticked("roles")
    if not roles and not optional("replaces"):
        flash(_("Choose at least one role that may read it."), "problem")
        return redirect(url_for("shelf.index"), 303)
    try:
        belonging = version()
        with UPLOADS.enter():
            document, _job = service().assistant.upload(
                _content(),
                filename=storable(request.files["file"].filename or ""),
                roles=roles,
                title=optional("title") or "",
                uploaded_by=session.principal().user.id,
                version=belonging,
            )
    except (DocragError, RequestRefused) as exc:
        flash(describe(exc), "problem")
    else:
        flash(_("“%(title)s” is stored and will be read now.", title=document.title))
    return redirect(url_for("shelf.index"), 303)


@blueprint.post("/<document_id>/roles")
def set_roles(document_id: str) -> Response:
    """Open a document to these roles and no others, at once."""
    target = url_for("shelf.show", document_id=document_id)
    roles = ticked("roles")
    if not roles:
        flash(_("Choose at least one role that may read it."), "problem")
        return redirect(target, 303)
    access = session.principal().access
    service().assistant.store.documents.set_roles(document_id, roles, access=access)
    flash(_("The roles are changed."))
    return redirect(target, 303)


@blueprint.post("/<document_id>/dates")
def set_dates(document_id: str) -> Response:
    """Have a version be in force between these days, from the next question on."""
    access = session.principal().access
    try:
        service().assistant.store.documents.set_dates(
            document_id,
            valid_from=given_day("valid_from"),
            valid_to=given_day("valid_to"),
            access=access,
        )
    except DocumentNotFound:
        raise
    except (DocumentError, RequestRefused) as exc:
        flash(describe(exc), "problem")
    else:
        flash(_("The days are changed."))
    return redirect(url_for("shelf.show", document_id=document_id), 303)


@blueprint.post("/<document_id>/retry")
def retry(document_id: str) -> Response:
    """Have a document read again that failed."""
    return _ordered(document_id, lambda jobs, access: jobs.retry(document_id, access=access))


@blueprint.post("/<document_id>/cancel")
def cancel(document_id: str) -> Response:
    """Stop the reading of a document that waits or is being read."""

    def stop(jobs: Jobs, access: Access) -> None:
        for job in jobs.list(access=access, live=True, most=MOST_JOBS):
            if job.document_id == document_id:
                jobs.cancel(job.id, access=access)

    return _ordered(document_id, stop)


def _ordered(document_id: str, order: Callable[[Jobs, Access], object]) -> Response:
    """Carry out an order about the reading of a document, and show the document.

    :raises DocumentNotFound: hidden, missing or malformed alike.
    """
    assistant, access = service().assistant, session.principal().access
    assistant.document(document_id, access=access)
    try:
        order(assistant.store.jobs, access)
    except DocumentError as exc:
        flash(describe(exc), "problem")
    else:
        flash(_("It is noted; look again in a moment."))
    return redirect(url_for("shelf.show", document_id=document_id), 303)


@blueprint.post("/<document_id>/delete")
def delete(document_id: str) -> Response:
    """Remove a document with its file, text and vectors."""
    if not request.form.get("sure"):
        flash(_("Tick the box to confirm."), "problem")
        return redirect(url_for("shelf.show", document_id=document_id), 303)
    service().assistant.delete(document_id, access=session.principal().access)
    flash(_("The document is deleted."))
    return redirect(url_for("shelf.index"), 303)


def _content() -> bytes:
    """The bytes of the file.

    :raises RequestRefused: more than the limit.
    """
    limit = service().settings.upload_limit
    data: bytes = request.files["file"].read(limit * MIB + 1)
    if len(data) > limit * MIB:
        raise RequestRefused(TOO_LARGE, f"The file is larger than {limit} MiB.", param="file")
    return data
