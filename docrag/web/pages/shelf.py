"""The documents that one may read, and their pages: where citations lead."""

from __future__ import annotations

from flask import render_template, request

from docrag.api import DocumentNotFound, Page
from docrag.store.records import Document
from docrag.web.extensions import service
from docrag.web.pages import session
from docrag.web.pages.blueprint import own_pages

blueprint = own_pages("shelf", "/documents")


@blueprint.get("")
def index() -> str:
    """The documents, newest first; for administrators with the form for another."""
    access = session.principal().access
    store = service().assistant.store
    return render_template(
        "documents.html",
        documents=service().assistant.documents(access=access),
        mine=access.roles,
        roles=[role.name for role in store.roles.list() if not role.retired],
        limit=service().settings.upload_limit,
    )


@blueprint.get("/<document_id>")
def show(document_id: str) -> str:
    """One page of a document, as text; a hidden document and a missing one look the same."""
    access = session.principal().access
    store = service().assistant.store
    document = store.documents.get(document_id, access=access)
    pages = store.documents.pages(document_id, access=access)
    place = _place(document, pages)
    return render_template(
        "document.html",
        document=document,
        page=pages[place] if pages else None,
        number=_number(pages, place),
        before=_number(pages, place - 1),
        after=_number(pages, place + 1),
        last=document.pages or len(pages),
        versions=store.documents.versions(document_id, access=access),
        mine=access.roles,
        roles=[role.name for role in store.roles.list() if not role.retired],
    )


def _place(document: Document, pages: list[Page]) -> int:
    """Place in the list of the page or section that is asked for, the first by default.

    :raises DocumentNotFound: there is no such page.
    """
    asked = request.args.get("page", "")
    if not asked:
        section = request.args.get("section", "")
        return next((at for at, page in enumerate(pages) if section == page.section), 0)
    numbers = [_number(pages, place) for place in range(len(pages))]
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 9 and int(asked) in numbers):
        raise DocumentNotFound(document.id)
    return numbers.index(int(asked))


def _number(pages: list[Page], place: int) -> int | None:
    """Physical number of a page, else its place from 1; ``None`` off the ends."""
    if not 0 <= place < len(pages):
        return None
    return pages[place].number or place + 1
