"""Everything that PostgreSQL holds: documents, search, people, jobs and the audit."""

from __future__ import annotations

from sqlalchemy import Engine as Engine

from docrag.store.claims import ClaimedJob as ClaimedJob
from docrag.store.engine import make_engine as make_engine
from docrag.store.store import Store as Store
