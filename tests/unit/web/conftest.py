"""A stand-in assistant with a scripted model, and an app around it."""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from docrag.access.keys import digest
from docrag.answer.draft import Draft
from docrag.answer.turn import Turn
from docrag.api import (
    Abstention,
    Access,
    Answer,
    Citation,
    Delta,
    DocumentNotFound,
    Message,
    Page,
    StoredChunk,
    Usage,
)
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.store.records import (
    ApiKey,
    Document,
    DocumentState,
    Job,
    JobState,
    Principal,
    Role,
    User,
)
from docrag.web import create_app

#: Secrets of the two callers that the stand-in knows.
ADMIN_KEY, READER_KEY = "dk-admin", "dk-reader"
DOCUMENT_ID = "7b0e6c4e-2f43-4c1c-9a57-0d2f6a1c9b11"
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def citation(number: int, page: int | None = 7) -> Citation:
    """A numbered source with one chunk."""
    chunk = StoredChunk(
        chunk_id=number,
        document_id=DOCUMENT_ID,
        title="İş Sağlığı ve Güvenliği Kanunu",
        filename="kanun_6331.pdf",
        ordinal=number,
        text="İşveren,\nrisk değerlendirmesi yapmakla yükümlüdür.",
        page_first=page,
        page_last=page,
    )
    return Citation(
        number=number,
        document_id=chunk.document_id,
        title=chunk.title,
        filename=chunk.filename,
        page_first=page,
        page_last=page,
        section="Madde 10",
        chunks=(chunk,),
    )


def document(roles: tuple[str, ...] = ("ik", "isg")) -> Document:
    """A ready document."""
    return Document(
        id=DOCUMENT_ID,
        title="Kanun",
        filename="kanun_6331.pdf",
        suffix="pdf",
        sha256="0" * 64,
        size=9,
        state=DocumentState.READY,
        error="",
        warnings=(),
        pages=13,
        chunks=70,
        roles=roles,
        version=1,
        created_at=WHEN,
    )


class StandIn:
    """What the web layer asks of an assistant, answered from memory."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.script: Callable[[], Iterator[Delta]] = lambda: iter(
            [
                Delta(text="İşveren yükümlüdür "),
                Delta(text="[1]."),
                Delta(finish_reason="stop", usage=Usage(prompt_tokens=9, completion_tokens=4)),
            ]
        )
        self.context: tuple[Citation, ...] = (citation(1), citation(2, page=8))
        self.abstention: Abstention | None = None
        self.asked: list[Sequence[Message]] = []
        self.uploads: list[dict[str, Any]] = []
        self.failure: Exception | None = None
        self.answers: list[Answer] = []
        #: What :meth:`prepare` and :meth:`plain` were called with.
        self.given: list[dict[str, Any]] = []
        #: Conversations that were answered without documents.
        self.plainly: list[Sequence[Message]] = []
        self.greetings: tuple[str, ...] = ("Merhaba",)
        #: Called before sources are found.
        self.search: Callable[[], object] = lambda: None
        self.turns: list[Turn] = []
        users = [
            User(id=1, username="admin", roles=("admin",), active=True),
            User(id=2, username="ayşe", roles=("isg",), active=True),
        ]
        secrets = {digest(ADMIN_KEY): users[0], digest(READER_KEY): users[1]}
        self.store = SimpleNamespace(
            keys=SimpleNamespace(
                principal=lambda stored: self._principal(secrets.get(stored)),
                create=self._new_key,
                list=lambda username=None: [self._key(1, "admin"), self._key(2, "ayşe")][
                    0 if username is None else 1 :
                ],
                revoke=lambda key_id: None,
            ),
            users=SimpleNamespace(
                list=lambda: users,
                create=lambda username, *, password_hash, roles, email=None: User(
                    id=3, username=username, roles=tuple(roles), active=True, email=email
                ),
            ),
            roles=SimpleNamespace(
                list=lambda: [Role(name="ik", retired=False), Role(name="isg", retired=False)],
                create=lambda name: Role(name=name, retired=False),
            ),
            jobs=SimpleNamespace(
                get=self._job,
                list=lambda *, access: [self._job("job-1", access=access)],
                cancel=lambda job_id, *, access: replace(
                    self._job(job_id, access=access), cancel_requested=True
                ),
                retry=lambda document_id, *, access: replace(
                    self._job("job-2", access=access), document_id=document_id, error="sunucu yok"
                ),
            ),
            limits=SimpleNamespace(hit=lambda *_, **__: 1),
            documents=SimpleNamespace(
                pages=lambda *_, **__: [Page(number=7, text="Madde 10")],
            ),
        )

    def _principal(self, user: User | None) -> Principal | None:
        if self.failure is not None:
            raise self.failure
        if user is None:
            return None
        return Principal(user=user, key_id=user.id, access=Access.of(user.roles))

    def _key(self, key_id: int, username: str) -> ApiKey:
        return ApiKey(
            id=key_id,
            username=username,
            name="betik",
            prefix="dk-abcde",
            created_at=WHEN,
            expires_at=None,
            last_used_at=WHEN,
        )

    def _new_key(self, *, username: str, name: str, prefix: str, **more: object) -> ApiKey:
        return replace(self._key(9, username), name=name, prefix=prefix)

    def _job(self, job_id: str, *, access: Access) -> Job:
        if not access.roles & {"admin", "isg"}:
            raise DocumentNotFound(job_id)
        return Job(
            id=job_id,
            document_id=DOCUMENT_ID,
            state=JobState.RUNNING,
            stage="embed",
            done=3,
            total=70,
            attempts=1,
            error="",
            heartbeat_at=WHEN,
        )

    def is_greeting(self, messages: Sequence[Message]) -> bool:
        """True for the one greeting."""
        return messages[-1].content in self.greetings

    def prepare(self, messages: Sequence[Message], **given: object) -> Turn:
        """A real turn over the script."""
        self.asked.append(messages)
        self.given.append(given)
        self.search()
        offered = () if self.abstention or self.is_greeting(messages) else self.context
        return self._turn(messages, offered, retrieved=not self.is_greeting(messages))

    def plain(self, messages: Sequence[Message], **given: object) -> Turn:
        """A real turn over the script, without sources and without a record."""
        self.plainly.append(messages)
        self.given.append(given)
        return self._turn(messages, (), retrieved=False, resolves=False)

    def _turn(
        self,
        messages: Sequence[Message],
        context: tuple[Citation, ...],
        *,
        retrieved: bool,
        resolves: bool = True,
    ) -> Turn:
        draft = Draft(
            id=str(uuid.uuid4()),
            question=messages[-1].content,
            context=context,
            abstention=self.abstention if retrieved else None,
            model_id="fake",
            prompt_id="answer.tr.v1",
            fallback="Bu bilgi belgelerde bulunmuyor.",
            prompt_tokens=1,
            started=time.monotonic(),
            retrieved=retrieved,
            resolves=resolves,
        )
        record = self.answers.append if draft.resolves else lambda _: None
        turn = Turn(draft, lambda: self.script(), record)
        self.turns.append(turn)
        return turn

    def upload(self, data: bytes, **given: Any) -> tuple[Document, Job]:  # noqa: ANN401 - recorded
        """Record an upload, or fail as told."""
        if self.failure is not None:
            raise self.failure
        self.uploads.append({"data": data, **given})
        return document(), self._job("job-1", access=Access.of(["admin"]))

    def documents(self, *, access: Access) -> list[Document]:
        """The one document."""
        return [self.document(DOCUMENT_ID, access=access)]

    def document(self, document_id: str, *, access: Access) -> Document:
        """The one document, for its roles."""
        if document_id != DOCUMENT_ID or not access.roles & {"admin", "isg", "ik"}:
            raise DocumentNotFound(document_id)
        return document()

    def delete(self, document_id: str, *, access: Access) -> None:
        """Delete the one document."""
        self.document(document_id, access=access)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings on a folder of the test's own."""
    return Settings(instance=tmp_path, upload_limit=1, cors_origins=("https://chat.example",))


@pytest.fixture
def assistant(settings: Settings) -> StandIn:
    """The stand-in."""
    return StandIn(settings)


@pytest.fixture
def app(assistant: StandIn) -> Flask:
    """An app on the stand-in."""
    logging.getLogger("docrag.web").setLevel(logging.INFO)
    return create_app(assistant=cast(Assistant, assistant))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client without a key."""
    return app.test_client()


@pytest.fixture
def admin() -> dict[str, str]:
    """Headers of the administrator."""
    return {"Authorization": f"Bearer {ADMIN_KEY}"}


@pytest.fixture
def reader() -> dict[str, str]:
    """Headers of a user with the role isg."""
    return {"Authorization": f"Bearer {READER_KEY}"}


@pytest.fixture
def ask(client: FlaskClient, reader: dict[str, str]) -> Callable[..., TestResponse]:
    """Posts a chat request; keyword arguments are added to the body or replace it."""

    def post(content: object = "İşveren neyle yükümlü?", **more: object) -> TestResponse:
        body = {"model": "docrag", "messages": [{"role": "user", "content": content}], **more}
        return client.post("/v1/chat/completions", json=body, headers=reader)

    return post


@pytest.fixture
def chunks(ask: Callable[..., TestResponse]) -> Callable[..., list[dict[str, Any]]]:
    """The JSON chunks of a streamed answer, which ends with ``[DONE]``."""

    def post(content: object = "İşveren neyle yükümlü?", **more: object) -> list[dict[str, Any]]:
        lines = ask(content, stream=True, **more).get_data(as_text=True).splitlines()
        data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        assert data[-1] == "[DONE]"
        return [json.loads(line) for line in data[:-1]]

    return post
