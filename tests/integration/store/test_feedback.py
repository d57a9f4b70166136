"""What people say of answers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError

from docrag.api import StoreError, UnknownName, Usage
from docrag.store import Store
from docrag.store.approle import APP_ROLE
from docrag.store.ratings import CitedPlace, Feedback, Rating, Reason
from docrag.store.records import AuditedAnswer

from .conftest import Library

UP = Feedback(rating=Rating.UP)
DOWN = Feedback(
    rating=Rating.DOWN, reason=Reason.WRONG, comment="ığdır yanlış", question="Kaç gün?"
)
#: Answers of two people and of nobody.
AYSE, VELI, NOBODY = (str(uuid.UUID(int=n)) for n in (1, 2, 3))


@pytest.fixture
def people(store: Store) -> dict[str, int]:
    """Ids of two users who got an answer each; a third answer is nobody's."""
    users = {
        name: store.users.create(name, password_hash="özet", roles=[]).id
        for name in ("ayşe", "veli")
    }
    for answer, user in ((AYSE, users["ayşe"]), (VELI, users["veli"]), (NOBODY, None)):
        record(store, answer, user_id=user)
    return users


def record(store: Store, answer_id: str, **changes: Any) -> None:  # noqa: ANN401
    values: dict[str, Any] = {
        "id": answer_id,
        "created_at": datetime.now(UTC),
        "channel": "http",
        "model_id": "extractive",
        "prompt_id": "",
        "retriever": "lexical",
        "context_chunk_ids": (),
        "cited_chunk_ids": (),
        "abstained": False,
        "reason": "stop",
        "duration": 0.25,
        "usage": Usage(),
    }
    store.answers.record(AuditedAnswer(**values | changes))


def said(store: Store) -> list[tuple[str | None, str, Feedback]]:
    entries = store.feedback.list(limit=9)
    return [(entry.username, entry.answer.id, entry.feedback) for entry in entries]


def test_feedback_is_read_back(store: Store, people: dict[str, int]) -> None:
    store.feedback.give(AYSE, DOWN, user_id=people["ayşe"])
    assert said(store) == [("ayşe", AYSE, DOWN)]


def test_later_feedback_replaces_all_of_the_earlier(store: Store, people: dict[str, int]) -> None:
    for feedback in (DOWN, UP):
        store.feedback.give(AYSE, feedback, user_id=people["ayşe"])
    assert said(store) == [("ayşe", AYSE, UP)]


@pytest.mark.parametrize("answer", [VELI, NOBODY, str(uuid.UUID(int=9)), "yok", ""])
def test_answer_of_another_is_as_unknown_as_none(
    store: Store, people: dict[str, int], answer: str
) -> None:
    with pytest.raises(UnknownName, match=f"no answer '{answer}'"):
        store.feedback.give(answer, UP, user_id=people["ayşe"])
    assert said(store) == []


def test_administrator_rates_every_answer(store: Store, people: dict[str, int]) -> None:
    for answer in (AYSE, NOBODY):
        store.feedback.give(answer, UP, user_id=people["veli"], every=True)
    store.feedback.give(AYSE, DOWN, user_id=people["ayşe"])
    found = {(name, answer) for name, answer, _ in said(store)}
    assert found == {("veli", AYSE), ("veli", NOBODY), ("ayşe", AYSE)}


@pytest.mark.parametrize(
    "feedback",
    [
        Feedback(rating=Rating.UP, reason=Reason.WRONG),
        Feedback(rating=Rating.DOWN, comment="ş" * 2001),
        Feedback(rating=Rating.DOWN, question="ş" * 8001),
        Feedback(rating=Rating.DOWN, comment=""),
    ],
    ids=["reason of up", "long comment", "long question", "empty comment"],
)
def test_feedback_that_cannot_be_kept_is_refused(
    store: Store, people: dict[str, int], feedback: Feedback
) -> None:
    with pytest.raises(StoreError, match="ck_feedback"):
        store.feedback.give(AYSE, feedback, user_id=people["ayşe"])


def test_feedback_of_gone_people_stays_without_names(store: Store, people: dict[str, int]) -> None:
    for name in people:
        store.feedback.give(AYSE, UP, user_id=people[name], every=True)
    with store._sessions.begin() as session:
        session.execute(text("DELETE FROM users"))
    assert said(store) == [(None, AYSE, UP)] * 2


def test_feedback_goes_with_its_answer(store: Store, people: dict[str, int]) -> None:
    store.feedback.give(AYSE, UP, user_id=people["ayşe"])
    store.answers.remove(datetime.now(UTC) + timedelta(days=1))
    assert said(store) == []


def test_feedback_is_listed_newest_first(store: Store, people: dict[str, int]) -> None:
    store.feedback.give(AYSE, DOWN, user_id=people["ayşe"])
    store.feedback.give(VELI, UP, user_id=people["veli"])
    first, second = store.feedback.list(limit=9)
    assert (first.username, second.username) == ("veli", "ayşe")
    assert store.feedback.list(limit=1) == [first]
    assert store.feedback.list(limit=9, before=first.id) == [second]
    assert store.feedback.list(limit=9, rating=Rating.DOWN) == [second]


def test_list_after_unknown_feedback_says_so(store: Store) -> None:
    with pytest.raises(UnknownName, match="feedback '7'"):
        store.feedback.list(limit=1, before=7)


def test_question_is_the_given_or_the_kept_one(store: Store, people: dict[str, int]) -> None:
    record(store, str(uuid.UUID(int=4)), user_id=people["ayşe"], question="İzin?")
    for feedback, asked in ((UP, "İzin?"), (DOWN, "Kaç gün?")):
        store.feedback.give(str(uuid.UUID(int=4)), feedback, user_id=people["ayşe"])
        assert store.feedback.list(limit=1)[0].question == asked


def test_words_of_old_feedback_are_erased_once(store: Store, people: dict[str, int]) -> None:
    store.feedback.give(AYSE, DOWN, user_id=people["ayşe"])
    store.feedback.give(VELI, UP, user_id=people["veli"])
    moments = [datetime.now(UTC) + timedelta(days=days) for days in (-1, 1, 1)]
    assert [store.feedback.erase_words(moment) for moment in moments] == [0, 1, 0]
    assert said(store)[1][2] == Feedback(rating=Rating.DOWN, reason=Reason.WRONG)


def test_places_of_chunks_that_are_there(library: Library) -> None:
    document = library.shelve("bir", "iki")
    with library.engine.connect() as connection:
        ids = list(connection.scalars(text("SELECT id FROM chunks ORDER BY ordinal")))
    places = library.store.feedback.places([*ids, 10**9])
    assert [places[id] for id in ids] == [
        CitedPlace(document_id=document.id, filename="izin.pdf", page=page) for page in (1, 2)
    ]
    assert len(places) == 2 and library.store.feedback.places([]) == {}


@pytest.fixture
def app(store: Store, people: dict[str, int]) -> Iterator[Connection]:
    """A transaction as the role of the application, for ayşe, after both gave feedback."""
    store.feedback.give(AYSE, DOWN, user_id=people["ayşe"])
    store.feedback.give(VELI, DOWN, user_id=people["veli"])
    with store._sessions.engine.connect() as connection:
        connection.execute(text(f"SET LOCAL ROLE {APP_ROLE}"))
        values = {"user": str(people["ayşe"])}
        connection.execute(text("SELECT set_config('docrag.user', :user, true)"), values)
        yield connection


def test_wall_shows_own_feedback_only(app: Connection) -> None:
    found = app.execute(text("SELECT answer_id FROM feedback"))
    assert [str(row.answer_id) for row in found] == [AYSE]


def test_wall_shows_nothing_without_a_caller(app: Connection) -> None:
    app.execute(text("SELECT set_config('docrag.user', '', true)"))
    assert app.scalar(text("SELECT count(*) FROM feedback")) == 0


def test_wall_hides_feedback_of_others_from_changes(app: Connection) -> None:
    change = f"UPDATE feedback SET rating = 'up', reason = NULL WHERE answer_id = '{VELI}'"
    assert app.execute(text(change)).rowcount == 0


@pytest.mark.parametrize(
    ("user", "answer"),
    [("veli", VELI), ("ayşe", VELI), ("ayşe", NOBODY)],
    ids=["in another's name", "of another's answer", "of nobody's answer"],
)
def test_wall_refuses_feedback(
    app: Connection, people: dict[str, int], user: str, answer: str
) -> None:
    change = text(
        f"INSERT INTO feedback (answer_id, user_id, rating) VALUES ('{answer}', :u, 'up')"
    )
    with pytest.raises(ProgrammingError, match="row-level security"):
        app.execute(change, {"u": people[user]})


def test_wall_keeps_feedback_from_being_deleted(app: Connection) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        app.execute(text("DELETE FROM feedback"))
