"""The audit of answers."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from docrag.api import StoreError, UnknownName, Usage
from docrag.store import Store
from docrag.store.records import AuditedAnswer, User

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


def test_what_was_checked_is_read_back(store: Store) -> None:
    checked: dict[str, Any] = {
        "retrieval": 0.7,
        "citation_coverage": 1.0,
        "completeness": 0.0,
        "unsupported": 2,
        "flags": ("personal:tckn", "attack:ignore"),
    }
    record(store, **checked)
    found = store.answers.get(ID)
    assert {name: getattr(found, name) for name in checked} == checked


def test_unchecked_answer_has_no_figures(store: Store) -> None:
    record(store)
    found = store.answers.get(ID)
    assert (found.retrieval, found.citation_coverage, found.completeness) == (None, None, None)
    assert (found.unsupported, found.flags) == (0, ())


def test_answers_are_counted(store: Store) -> None:
    record(store)
    record(store, id=str(uuid.UUID(int=8)), abstained=True, cited_chunk_ids=())
    assert store.answers.count() == 2


@pytest.mark.parametrize("answer_id", ["yok", "", ID])
def test_unknown_answer_is_not_found(store: Store, answer_id: str) -> None:
    with pytest.raises(UnknownName, match="answer"):
        store.answers.get(answer_id)


@pytest.mark.parametrize(
    "changes",
    [
        {"user_id": 7},
        {"cited_chunk_ids": (9,)},
        {"channel": "fax"},
        {"retrieval": 1.01},
        {"citation_coverage": -0.01},
        {"completeness": float("nan")},
        {"unsupported": -1},
    ],
    ids=str,
)
def test_row_that_contradicts_is_refused(store: Store, changes: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        record(store, **changes)
    assert store.answers.count() == 0


#: A moment to count hours from.
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def fill(store: Store) -> User:
    """Five rows, one an hour; the second and fourth are abstentions of a user, the last two tie."""
    user = store.users.create("ayşe", password_hash="özet", roles=[])
    key = store.keys.create(
        username="ayşe", name="not", key_hash=hashlib.sha256(b"k").digest(), prefix="dk-abc"
    )
    for n in range(5):
        odd: dict[str, Any] = {"user_id": user.id, "key_id": key.id, "abstained": True}
        record(
            store,
            id=str(uuid.UUID(int=n)),
            created_at=NOON + timedelta(hours=min(n, 3)),
            question=f"soru {n}",
            cited_chunk_ids=(),
            **(odd if n % 2 else {}),
        )
    return user


def numbers(store: Store, **asked: Any) -> list[int]:  # noqa: ANN401 - the values of list
    return [uuid.UUID(item.answer.id).int for item in store.answers.list(**{"limit": 9} | asked)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, [4, 3, 2, 1, 0]),
        ({"limit": 2}, [4, 3]),
        ({"before": str(uuid.UUID(int=4)), "limit": 2}, [3, 2]),
        ({"before": str(uuid.UUID(int=0))}, []),
        ({"before": NOON + timedelta(hours=2)}, [1, 0]),
        ({"username": "ayşe"}, [3, 1]),
        ({"username": "yok"}, []),
        ({"username": "a\x00"}, []),
        ({"abstained": True}, [3, 1]),
        ({"abstained": False, "username": "ayşe"}, []),
    ],
)
def test_answers_are_listed_newest_first(
    store: Store, asked: dict[str, Any], found: list[int]
) -> None:
    fill(store)
    assert numbers(store, **asked) == found


def test_listed_answer_names_user_and_key(store: Store) -> None:
    fill(store)
    newest, entry = store.answers.list(limit=2)
    assert (newest.username, newest.key_name) == (None, None)
    assert (entry.username, entry.key_name, entry.answer.question) == ("ayşe", "not", "soru 3")


def test_list_after_an_unknown_answer_says_so(store: Store) -> None:
    with pytest.raises(UnknownName, match="answer"):
        store.answers.list(limit=1, before="yok")


def test_list_of_nothing_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="limit"):
        store.answers.list(limit=0)


def test_old_questions_are_erased_once(store: Store) -> None:
    fill(store)
    limit = NOON + timedelta(hours=2)
    assert [store.answers.erase_questions(limit) for _ in range(2)] == [2, 0]
    kept = [item.answer.question for item in store.answers.list(limit=9)]
    assert kept == ["soru 4", "soru 3", "soru 2", None, None]


def test_old_rows_are_removed(store: Store) -> None:
    fill(store)
    assert store.answers.remove(NOON + timedelta(hours=2)) == 2
    assert numbers(store) == [4, 3, 2]
