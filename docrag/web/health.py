"""``/healthz`` and ``/readyz``: whether the process lives, and whether it can serve."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from marshmallow import Schema, fields

from docrag.api import StoreError
from docrag.store.migrate import current, head
from docrag.web.blueprint import Blueprint
from docrag.web.extensions import service

logger = logging.getLogger(__name__)

blueprint = Blueprint("health", __name__, description="Health of the process")


class HealthSchema(Schema):
    """State of the process."""

    status = fields.String()
    #: One word a part: ``ok``, ``unreachable`` or ``not migrated``.
    database = fields.String()


@blueprint.route("/healthz")
@blueprint.doc(security=[])
@blueprint.response(200, HealthSchema)
def alive() -> dict[str, Any]:
    """Tell that the process answers; nothing else is asked."""
    return {"status": "ok"}


@blueprint.route("/readyz")
@blueprint.doc(security=[])
@blueprint.response(200, HealthSchema)
def ready() -> tuple[dict[str, Any], int]:
    """Tell whether the database answers and has this version's schema; 503 if not."""
    database = _database()
    fine = database == "ok"
    return {"status": "ok" if fine else "unavailable", "database": database}, 200 if fine else 503


def _database() -> str:
    try:
        service().assistant.store.ping()
        engine = service().engine
        migrated = engine is None or current(engine) == _wanted()
    except StoreError as exc:
        logger.warning("not ready: %s", exc, extra={"action": "not_ready"})
        return "unreachable"
    return "ok" if migrated else "not migrated"


@cache
def _wanted() -> str | None:
    """The schema's revision that this version needs; it cannot change while the process lives."""
    return head()
