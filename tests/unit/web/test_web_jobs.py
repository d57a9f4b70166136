"""Orders about jobs over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

DOCUMENT_ID = "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"

ORDERS = [("GET", "/api/jobs"), ("POST", "/api/jobs/job-1/cancel"), ("POST", "/api/jobs/x/retry")]


@pytest.mark.parametrize(("method", "path"), ORDERS)
def test_orders_are_for_admins(
    client: FlaskClient, reader: dict[str, str], method: str, path: str
) -> None:
    assert client.open(path, method=method, headers=reader).status_code == 403


def test_jobs_are_listed(client: FlaskClient, admin: dict[str, str]) -> None:
    body = client.get("/api/jobs", headers=admin).get_json()
    assert [job["id"] for job in body["jobs"]] == ["job-1"]


def test_cancel_says_that_it_is_coming(client: FlaskClient, admin: dict[str, str]) -> None:
    response = client.post("/api/jobs/job-1/cancel", headers=admin)
    assert response.status_code == 202 and response.get_json()["cancel_requested"]


def test_retry_gives_the_new_job(client: FlaskClient, admin: dict[str, str]) -> None:
    response = client.post("/api/jobs/job-1/retry", headers=admin)
    body = response.get_json()
    assert (response.status_code, body["id"], body["document"]) == (202, "job-2", DOCUMENT_ID)
    assert body["error"] == "sunucu yok"
