"""``/api/jobs``: how far the reading of a document has got."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from docrag.web.blueprint import keyed
from docrag.web.credentials import principal
from docrag.web.extensions import service

blueprint = keyed("jobs", "/api/jobs", "Ingest jobs")


class JobSchema(Schema):
    """One run over one document."""

    id = fields.String()
    document = fields.String()
    state = fields.String()
    stage = fields.String()
    done = fields.Integer()
    total = fields.Integer()
    error = fields.String()


@blueprint.route("/<job_id>")
@blueprint.response(200, JobSchema)
def show_job(job_id: str) -> dict[str, Any]:
    """Show a job of a document that the caller may read."""
    job = service().assistant.store.jobs.get(job_id, access=principal().access)
    return {
        "id": job.id,
        "document": job.document_id,
        "state": str(job.state),
        "stage": job.stage,
        "done": job.done,
        "total": job.total,
        "error": job.error,
    }
