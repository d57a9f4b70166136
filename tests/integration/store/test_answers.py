"""The audit of answers."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest

from docrag.api import StoreError, UnknownName, Usage
from docrag.store import Store
from docrag.store.records import AuditedAnswer

ID = str(uuid.UUID(int=7))


def record(store: Store, **changes: Any) -> None:  # noqa: ANN401
    values: dict[str, Any] = {
        "id": ID,
        "created_at": datetime.now(UTC),
        "channel": "cli",
        "model_id": "extractive",
        "prompt_id": "",
        "retriever": "lexical",
        "context_chunk_ids": (3, 1),
        "cited_chunk_ids": (1,),
        "abstained": False,
        "reason": "stop",
        "duration": 0.25,
        "usage": Usage(prompt_tokens=5, completion_tokens=2),
    }
    store.answers.record(AuditedAnswer(**values | changes))


def test_answer_is_read_back(store: Store) -> None:
    record(store)
    found = store.answers.get(ID)
    assert (found.id, found.channel, found.question, found.user_id) == (ID, "cli", None, None)
    assert (found.context_chunk_ids, found.cited_chunk_ids) == ((3, 1), (1,))
    assert (found.duration, found.usage) == (0.25, Usage(prompt_tokens=5, completion_tokens=2))


def test_answers_are_counted(store: Store) -> None:
    record(store)
    record(store, id=str(uuid.UUID(int=8)), abstained=True, cited_chunk_ids=())
    assert store.answers.count() == 2


@pytest.mark.parametrize("answer_id", ["yok", "", ID])
def test_unknown_answer_is_not_found(store: Store, answer_id: str) -> None:
    with pytest.raises(UnknownName, match="answer"):
        store.answers.get(answer_id)


@pytest.mark.parametrize("changes", [{"user_id": 7}, {"cited_chunk_ids": (9,)}, {"channel": "fax"}])
def test_row_that_contradicts_is_refused(store: Store, changes: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        record(store, **changes)
    assert store.answers.count() == 0
