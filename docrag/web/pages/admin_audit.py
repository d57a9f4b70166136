"""The audit for administrators: who asked when, and what the answer stood on."""

from __future__ import annotations

import unicodedata
from typing import Final

from flask import render_template, request

from docrag.api import UnknownName, storable
from docrag.store.records import AuditEntry
from docrag.web.extensions import service
from docrag.web.pages.blueprint import admin_pages

blueprint = admin_pages("admin_audit", "/admin/audit")

#: Rows of a page.
ROWS: Final = 50


@blueprint.get("")
def index() -> str:
    """The newest rows, or those before another one, of everybody or of one user."""
    username = unicodedata.normalize("NFC", storable(request.args.get("user", "")).strip())
    outcome = request.args.get("outcome", "")
    abstained = {"answered": False, "abstained": True}.get(outcome)
    entries = _entries(username or None, abstained)
    return render_template(
        "admin/audit.html",
        entries=entries[:ROWS],
        older=entries[ROWS - 1].answer.id if len(entries) > ROWS else "",
        username=username,
        outcome=outcome if abstained is not None else "",
    )


def _entries(username: str | None, abstained: bool | None) -> list[AuditEntry]:
    """One more than a page; from the newest on if the row to go on from is gone."""
    answers, before = service().assistant.store.answers, request.args.get("before")
    try:
        return answers.list(
            limit=ROWS + 1, before=before or None, username=username, abstained=abstained
        )
    except UnknownName:
        return answers.list(limit=ROWS + 1, username=username, abstained=abstained)
