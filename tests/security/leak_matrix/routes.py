"""Every route of the app and what the matrix does there: a later route is one line here.

A route is named by method and rule. ``area`` tells which credential opens it, ``needs`` whom it is
for. Its path is filled by :data:`tests.security.leak_matrix.visits.FILL`, by the name of each
argument. A route that changes something is tried by those who may not; administrators are left
out, since what they did would be another world.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask
from werkzeug.routing import Rule


@dataclass(frozen=True, kw_only=True)
class Route:
    """How one route is treated."""

    #: ``api`` (Bearer), ``page`` (session) or ``open`` (nobody is asked who they are).
    area: str
    #: ``anyone``, ``reader`` (who is somebody) or ``admin``.
    needs: str
    #: Changes something.
    changes: bool = False
    #: JSON body, query or form of each request; ``{document}`` and the like are filled in.
    json: Any = None
    query: tuple[str, ...] = ("",)
    form: dict[str, str] | None = None
    #: Field of the form with a file.
    file: bool = False
    #: A check of :mod:`tests.security.leak_matrix.counts` on what readers get.
    count: str = ""
    #: Shows a reader's own documents, so that walks must have met their canaries here.
    shows: bool = False
    #: Tells users of all of their roles, also of those that the key at hand leaves out.
    about_me: bool = False
    #: Slow on purpose (password hashing): one face in a state is enough.
    slow: bool = False
    #: A conversation: asked by every app, question and stream mode.
    chat: bool = False


def _api(needs: str, **more: Any) -> Route:  # noqa: ANN401 - fields of Route
    return Route(area="api", needs=needs, **more)


def _page(needs: str, **more: Any) -> Route:  # noqa: ANN401 - fields of Route
    return Route(area="page", needs=needs, **more)


def _open(**more: Any) -> Route:  # noqa: ANN401 - fields of Route
    return Route(area="open", needs="anyone", **more)


ROUTES: Final[dict[str, Route]] = {
    # OpenAI's API
    "GET /v1/models": _api("reader"),
    "GET /v1/models/<path:model>": _api("reader"),
    "POST /v1/chat/completions": _api("reader", chat=True, shows=True),
    "POST /v1/responses": _api("reader", chat=True, shows=True),
    "POST /v1/embeddings": _api("reader", json={"model": "docrag", "input": "{document}"}),
    # feedback
    "POST /api/answers/<answer_id>/feedback": _api(
        "reader", json={"rating": "down", "question": "{question}"}
    ),
    "GET /api/feedback": _api("admin", query=("", "rating=down")),
    # documents
    "GET /api/documents": _api("reader", count="documents", shows=True),
    "POST /api/documents": _api("admin", changes=True, file=True),
    "GET /api/documents/<document_id>": _api("reader", count="document", shows=True),
    "PATCH /api/documents/<document_id>": _api("admin", changes=True, json={"roles": ["{role}"]}),
    "DELETE /api/documents/<document_id>": _api("admin", changes=True),
    "GET /api/documents/<document_id>/pages/<int:number>": _api("reader", shows=True),
    "GET /api/jobs": _api("admin"),
    "GET /api/jobs/<job_id>": _api("reader", shows=True),
    "POST /api/jobs/<job_id>/cancel": _api("admin", changes=True),
    "POST /api/jobs/<job_id>/retry": _api("admin", changes=True),
    # people
    "GET /api/users": _api("admin"),
    "POST /api/users": _api(
        "admin",
        changes=True,
        json={"username": "biri", "password": "x" * 12, "roles": ["{role}"]},
    ),
    "PATCH /api/users/<username>": _api("admin", changes=True, json={"roles": ["admin", "{role}"]}),
    "GET /api/roles": _api("reader", count="roles"),
    "POST /api/roles": _api("admin", changes=True, json={"name": "{role}"}),
    "PATCH /api/roles/<name>": _api("admin", changes=True, json={"name": "yeni"}),
    "DELETE /api/roles/<name>": _api("admin", changes=True),
    "GET /api/groups": _api("admin"),
    "PUT /api/groups": _api(
        "admin",
        changes=True,
        json={"issuer": "open-webui", "group": "yok", "roles": ["{role}"]},
    ),
    "DELETE /api/groups": _api("admin", changes=True, query=("issuer=open-webui&group={group}",)),
    "GET /api/keys": _api("reader", about_me=True),
    "POST /api/keys": _api(
        "reader", changes=True, about_me=True, json={"name": "deneme", "roles": ["{role}"]}
    ),
    "PATCH /api/keys/<int:key_id>": _api("reader", changes=True, json={"citations": "footer"}),
    "DELETE /api/keys/<int:key_id>": _api("reader", changes=True),
    "POST /auth/token": _open(json={"username": "{username}", "password": "yanlış"}, slow=True),
    # for everybody
    "GET /healthz": _open(),
    "GET /readyz": _open(),
    "GET /openapi.json": _open(slow=True),
    "GET /docs": _open(),
    "GET /docs/start.js": _open(),
    "GET /docs/assets/<filename>": _open(slow=True),
    "GET /static/<path:filename>": _open(),
    # pages
    "GET /": _page("anyone"),
    "POST /language": _page("anyone", form={"language": "en", "next": "/documents/{document}"}),
    "GET /signin": _page("anyone", query=("", "next=/documents/{document}")),
    "POST /signin": _page(
        "anyone", form={"username": "{username}", "password": "yanlış"}, slow=True
    ),
    "POST /signout": _page("anyone", form={}),
    "GET /signin/oidc": _page("anyone"),
    "GET /signin/oidc/callback": _page("anyone", query=("code=x&state={document}",)),
    "GET /password": _page("reader"),
    "POST /password": _page(
        "reader", form={"password": "yanlış", "fresh": "x" * 12, "again": "x" * 12}, slow=True
    ),
    "GET /keys": _page("reader", about_me=True),
    "POST /keys": _page(
        "reader",
        changes=True,
        about_me=True,
        form={"name": "deneme", "days": "30", "roles": "{role}"},
    ),
    "POST /keys/<int:key_id>/revoke": _page("reader", changes=True, form={}),
    "GET /ask": _page("reader"),
    "POST /ask": _page("reader", form={"question": "{question}"}, shows=True),
    "POST /ask/feedback": _page("reader", form={"answer": "{answer}", "rating": "up"}),
    "GET /ask/feedback": _page("reader"),
    "POST /ask/language": _page("reader", form={"language": "en", "asked": "{question}"}),
    "GET /ask/language": _page("reader"),
    "GET /documents": _page("reader", count="links", shows=True),
    "GET /documents/<document_id>": _page("reader", query=("", "page=1", "page=7"), shows=True),
    # pages for administrators
    "POST /admin/documents": _page("admin", changes=True, form={"roles": "{role}"}, file=True),
    "POST /admin/documents/<document_id>/roles": _page(
        "admin", changes=True, form={"roles": "{role}"}
    ),
    "POST /admin/documents/<document_id>/dates": _page(
        "admin", changes=True, form={"valid_to": "2001-01-01"}
    ),
    "POST /admin/documents/<document_id>/retry": _page("admin", changes=True, form={}),
    "POST /admin/documents/<document_id>/cancel": _page("admin", changes=True, form={}),
    "POST /admin/documents/<document_id>/delete": _page(
        "admin", changes=True, form={"sure": "yes"}
    ),
    "GET /admin/users": _page("admin"),
    "POST /admin/users": _page(
        "admin",
        changes=True,
        form={"username": "biri", "password": "x" * 12, "roles": "{role}"},
    ),
    "GET /admin/users/<username>": _page("admin"),
    "POST /admin/users/<username>": _page(
        "admin", changes=True, form={"roles": "admin", "active": "1"}
    ),
    "POST /admin/users/<username>/password": _page(
        "admin", changes=True, form={"password": "x" * 12}
    ),
    "POST /admin/users/<username>/keys/<int:key_id>/revoke": _page("admin", changes=True, form={}),
    "GET /admin/roles": _page("admin"),
    "POST /admin/roles": _page("admin", changes=True, form={"name": "{role}"}),
    "POST /admin/roles/rename": _page("admin", changes=True, form={"role": "{role}", "name": "x"}),
    "POST /admin/roles/retire": _page("admin", changes=True, form={"role": "{role}"}),
    "GET /admin/groups": _page("admin"),
    "POST /admin/groups": _page(
        "admin", changes=True, form={"issuer": "open-webui", "group": "yok", "roles": "{role}"}
    ),
    "POST /admin/groups/delete": _page(
        "admin", changes=True, form={"issuer": "open-webui", "group": "{group}"}
    ),
    "GET /admin/keys": _page("admin"),
    "POST /admin/keys/frontend": _page(
        "admin", changes=True, form={"name": "x", "method": "headers", "days": "30"}
    ),
    "POST /admin/keys/service": _page(
        "admin", changes=True, form={"name": "x", "days": "30", "roles": "{role}"}
    ),
    "POST /admin/keys/<int:key_id>/revoke": _page("admin", changes=True, form={}),
    "GET /admin/audit": _page("admin", query=("", "user={username}")),
}


def found(app: Flask) -> dict[str, Rule]:
    """Every route of an app by method and rule; HEAD and OPTIONS come with each."""
    return {
        f"{method} {rule.rule}": rule
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    }


def unclassified(app: Flask) -> list[str]:
    """Routes that nobody has thought about."""
    return sorted(set(found(app)) - set(ROUTES))


def gone(routes: Iterable[str], app: Flask) -> list[str]:
    """Classified routes that no app has any more."""
    return sorted(set(routes) - set(found(app)))
