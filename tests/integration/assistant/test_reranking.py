"""A reranker over HTTP behind the front door: order, explanation, roles, failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docrag import samples
from docrag.api import Access, RerankerError
from docrag.assistant import Assistant
from docrag.settings import Settings
from docrag.testing.rerank import FakeReranker

ROLES = ("isg", "personel", "ik", "uretim")
QUESTION = "Forklift aküleri nerede şarj edilir?"

Options = Callable[..., Assistant]


@pytest.fixture(scope="module")
def filled_url(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a database with the sample documents."""
    folder: Path = tmp_path_factory.mktemp("instance")
    settings = Settings(instance=folder, database_url=shared_database_url, embedder="hashing")
    with Assistant.open(settings) as assistant:
        for role in ROLES:
            assistant.store.roles.create(role)
        for sample in samples.manifest():
            data = samples.read(sample.filename)
            assistant.ingest(data, filename=sample.filename, roles=sample.roles)
    return shared_database_url


@pytest.fixture
def fake() -> Iterator[FakeReranker]:
    with FakeReranker(server="llamacpp") as server:
        yield server


@pytest.fixture
def opened(filled_url: str, fake: FakeReranker, tmp_path: Path) -> Iterator[Options]:
    """Opens an assistant that reranks by the fake, configured as an operator does it."""
    assistants: list[Assistant] = []

    def opened(**options: object) -> Assistant:
        env = {
            "DATABASE_URL": filled_url,
            "DOCRAG_INSTANCE": str(tmp_path),
            "DOCRAG_EMBEDDER": "hashing",
            "DOCRAG_RERANKER": "http",
            "DOCRAG_RERANKER_OPTIONS": json.dumps(
                {"url": fake.url, "shape": "llamacpp", **options}
            ),
        }
        assistants.append(Assistant.open(Settings.load(env)))
        return assistants[-1]

    yield opened
    for assistant in assistants:
        assistant.close()


def test_search_is_ordered_by_the_reranker(opened: Options, fake: FakeReranker) -> None:
    found = opened().search(QUESTION, access=Access.of(["uretim"]), k=3)
    assert len(found) == 3
    assert [item.legs[-1].name for item in found] == ["rerank"] * 3
    assert [item.legs[-1].rank for item in found] == [1, 2, 3]
    assert fake.calls == 1


def test_more_are_reranked_than_returned(opened: Options, fake: FakeReranker) -> None:
    opened().search(QUESTION, access=Access.of(["admin"]), k=1)
    assert len(fake.requests[0]["documents"]) > 1


def test_only_permitted_text_leaves_for_the_reranker(opened: Options, fake: FakeReranker) -> None:
    opened().search(QUESTION, access=Access.of(["ik"]), k=3)
    sent = json.dumps(fake.requests, ensure_ascii=False)
    assert "Forklift" not in sent.replace(QUESTION, "")


def test_no_roles_ask_nobody(opened: Options, fake: FakeReranker) -> None:
    assert opened().search(QUESTION, access=Access.of([]), k=3) == []
    assert fake.calls == 0


def test_failure_ends_the_search(opened: Options, fake: FakeReranker) -> None:
    fake.fault = "500"
    with pytest.raises(RerankerError, match="answered 500"):
        opened().search(QUESTION, access=Access.of(["uretim"]), k=3)


def test_failure_may_keep_the_order(opened: Options, fake: FakeReranker) -> None:
    fake.fault = "500"
    found = opened(on_error="keep").search(QUESTION, access=Access.of(["uretim"]), k=3)
    assert len(found) == 3
    assert all(leg.name != "rerank" for item in found for leg in item.legs)
    assert fake.calls == 1


def test_answer_is_written_from_reranked_passages(opened: Options, fake: FakeReranker) -> None:
    answer = opened(api_key="sk-gizli").ask(QUESTION, roles=["uretim"])
    assert answer.citations[0].filename == "forklift_is_talimati.txt"
    assert fake.keys == ["Bearer sk-gizli"]


def test_key_of_the_reranker_is_not_shown(opened: Options) -> None:
    assert "sk-gizli" not in repr(opened(api_key="sk-gizli").settings)
