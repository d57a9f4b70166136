"""``/api/jobs``: how far the reading of documents has got, and orders about it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from marshmallow import Schema, fields

from docrag.store.records import Job
from docrag.web.blueprint import keyed
from docrag.web.credentials import principal, require_admin
from docrag.web.extensions import service

blueprint = keyed("jobs", "/api/jobs", "Ingest jobs: progress, cancel, retry")


class JobSchema(Schema):
    """One run over one document."""

    id = fields.String()
    document = fields.String()
    state = fields.String()
    stage = fields.String()
    done = fields.Integer()
    total = fields.Integer()
    error = fields.String()
    #: How often it was started.
    attempts = fields.Integer()
    #: Times in ISO 8601; ``null`` before there is one.
    created_at = fields.String(allow_none=True)
    heartbeat = fields.String(allow_none=True)
    run_after = fields.String(allow_none=True)
    cancel_requested = fields.Boolean()


class JobListSchema(Schema):
    """Jobs, newest first."""

    jobs = fields.List(fields.Nested(JobSchema))


@blueprint.route("")
@blueprint.response(200, JobListSchema)
def list_jobs() -> dict[str, Any]:
    """List the last hundred jobs, newest first. For administrators."""
    access = require_admin().access
    return {"jobs": [_shown(job) for job in service().assistant.store.jobs.list(access=access)]}


@blueprint.route("/<job_id>")
@blueprint.response(200, JobSchema)
def show_job(job_id: str) -> dict[str, Any]:
    """Show a job of a document that the caller may read."""
    return _shown(service().assistant.store.jobs.get(job_id, access=principal().access))


@blueprint.route("/<job_id>/cancel", methods=["POST"])
@blueprint.response(202, JobSchema)
def cancel_job(job_id: str) -> dict[str, Any]:
    """Cancel a job that waits or runs; a running one stops soon after. For administrators."""
    access = require_admin().access
    return _shown(service().assistant.store.jobs.cancel(job_id, access=access))


@blueprint.route("/<job_id>/retry", methods=["POST"])
@blueprint.response(202, JobSchema)
def retry_job(job_id: str) -> dict[str, Any]:
    """Read a document again whose job failed or was cancelled, as a new job.

    For administrators.
    """
    access = require_admin().access
    jobs = service().assistant.store.jobs
    document = jobs.get(job_id, access=access).document_id
    return _shown(jobs.retry(document, access=access))


def _shown(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "document": job.document_id,
        "state": str(job.state),
        "stage": job.stage,
        "done": job.done,
        "total": job.total,
        "error": job.error,
        "attempts": job.attempts,
        "created_at": _iso(job.created_at),
        "heartbeat": _iso(job.heartbeat_at),
        "run_after": _iso(job.run_after),
        "cancel_requested": job.cancel_requested,
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
