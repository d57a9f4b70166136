"""English documents are found by stems, beside Turkish ones by prefixes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from docrag.api import Access
from docrag.retrievers.lexical import LexicalRetriever
from docrag.store import Store, make_engine

from .pipelined import ROLE, index

REPORTED = "Every accident is to be reported by the foreman, who has the form for it."
GUIDE = "The guide shows how a fan of the oven is cleaned, and when it is to be oiled."
KAZA = "Kazayı gören kişi bunu aynı gün amirine bildirir ve kayıt altına aldırır."
FAN = "Fan temizlenirken şalter indirilir ve kapak açılır."


@pytest.fixture(scope="module")
def store(shared_database_url: str) -> Iterator[Store]:
    """Four documents, two of each language."""
    engine = make_engine(shared_database_url)
    store = Store(engine)
    index(store, [REPORTED, GUIDE, KAZA, FAN])
    yield store
    engine.dispose()


def found(store: Store, question: str) -> list[str]:
    retriever = LexicalRetriever(store=store.chunks)
    return [i.chunk.text for i in retriever.retrieve(question, access=Access.of([ROLE]), k=10)]


def test_language_is_kept_with_the_document(store: Store) -> None:
    with store._sessions.begin() as session:
        languages = session.scalars(text("SELECT language FROM documents ORDER BY id")).all()
    assert languages == ["en", "en", "tr", "tr"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("accidents reporting", REPORTED),
        ("REPORTING", REPORTED),
        ("oils", GUIDE),
        ("fans", GUIDE),
        ("kazanın bildirilmesi", KAZA),
        ("KAYITLAR", KAZA),
        ("şalteri", FAN),
    ],
)
def test_text_of_either_language_comes_first(store: Store, question: str, expected: str) -> None:
    assert found(store, question)[0] == expected


def test_question_of_one_word_finds_both_languages(store: Store) -> None:
    assert set(found(store, "fan")) == {GUIDE, FAN}


@pytest.mark.parametrize(("question", "expected"), [("gün", KAZA), ("accidents", REPORTED)])
def test_word_of_one_language_finds_that_one(store: Store, question: str, expected: str) -> None:
    assert found(store, question) == [expected]
