"""Documents for administrators: brought in, opened to roles, removed."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from werkzeug.wrappers import Response

from docrag.api import DocragError, storable
from docrag.web.documents import MIB
from docrag.web.errors import TOO_LARGE, RequestRefused
from docrag.web.extensions import service
from docrag.web.gate import UPLOADS
from docrag.web.pages import session
from docrag.web.pages.blueprint import admin_pages
from docrag.web.pages.forms import optional, ticked
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe

blueprint = admin_pages("admin_documents", "/admin/documents", files=True)


@blueprint.post("")
def upload() -> Response:
    """Take a file in; a worker makes it searchable."""
    roles = ticked("roles")
    if not roles:
        flash(_("Choose at least one role that may read it."), "problem")
        return redirect(url_for("shelf.index"), 303)
    try:
        with UPLOADS.enter():
            document, _job = service().assistant.upload(
                _content(),
                filename=storable(request.files["file"].filename or ""),
                roles=roles,
                title=optional("title") or "",
                uploaded_by=session.principal().user.id,
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
