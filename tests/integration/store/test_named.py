"""Articles by their name: which chunks, in what order, and who may read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from docrag.api import ADMIN_ROLE, Access, Article, Chunk
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.store import Store, make_engine
from docrag.store.records import DocumentState, NewVersion

from .conftest import Library

IK = Access.of(["ik"])
#: Kind, number and paragraph of the chunks of a law, in reading order.
PIECES = (
    ("madde", "9", 1), ("madde", "10", 1), ("madde", "10", 2), ("madde", "10", None),
    ("madde", "25/a", 1), ("gecici", "10", 1),
)  # fmt: skip


@pytest.fixture(scope="module")
def engine(shared_database_url: str) -> Iterator[Engine]:
    """One database for all of these tests."""
    engine = make_engine(shared_database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    """A store without documents."""
    with engine.begin() as connection:
        connection.execute(text("TRUNCATE documents, terms CASCADE"))
    return Store(engine)


def law(
    library: Library,
    name: str,
    *,
    roles: Collection[str] = ("ik",),
    version: NewVersion | None = None,
) -> str:
    """A ready law with one chunk a piece; its identifier."""
    known = {role.name for role in library.store.roles.list()}
    for role in sorted(set(roles) - known - {ADMIN_ROLE}):
        library.store.roles.create(role)
    document, _ = library.store.documents.create(
        filename="kanun.pdf",
        title="" if version else name,
        suffix="pdf",
        data=name.encode(),
        roles=() if version else roles,
        uploaded_by=None,
        **({"version": version} if version else {}),
    )
    chunks = [
        Chunk(
            ordinal=n,
            text=f"{name} {kind} {number} {paragraph}",
            page_first=1,
            page_last=2,
            page_breaks=(3,),
            label=f"Madde {number}",
            article=Article(
                kind=kind, number=number, paragraph_first=paragraph, paragraph_last=paragraph
            ),
        )
        for n, (kind, number, paragraph) in enumerate(PIECES)
    ]
    library.store.documents.add(
        document.id,
        pages=[],
        chunks=chunks,
        vectors=None,
        space_id=None,
        terms=[chunk.text.lower().split() for chunk in chunks],
        warnings=[],
    )
    return document.id


def article(number: str, paragraph: int | None = None, kind: str = "madde") -> Article:
    return Article(kind=kind, number=number, paragraph_first=paragraph, paragraph_last=paragraph)


def texts(library: Library, *articles: Article, access: Access = IK, k: int = 50) -> list[str]:
    found, _ = library.store.chunks.named_beside(articles, (), access=access, k=k)
    return [chunk.text for chunk in found]


def test_article_is_found_with_all_that_a_citation_needs(library: Library) -> None:
    document = law(library, "A")
    (found,), _ = library.store.chunks.named_beside([article("25/a")], (), access=IK, k=5)
    assert (found.document_id, found.title, found.filename) == (document, "A", "kanun.pdf")
    assert (found.ordinal, found.label, found.page_breaks) == (4, "Madde 25/a", (3,))
    assert found.article == article("25/a", 1)


def test_kinds_count_for_themselves(library: Library) -> None:
    law(library, "A")
    assert texts(library, article("10", kind="gecici")) == ["A gecici 10 1"]
    assert texts(library, article("10", kind="ek")) == []


def test_order_is_that_of_articles_then_documents(library: Library) -> None:
    law(library, "A")
    law(library, "B")
    assert texts(library, article("25/a"), article("9")) == [
        "A madde 25/a 1", "B madde 25/a 1", "A madde 9 1", "B madde 9 1",
    ]  # fmt: skip


def test_named_paragraph_is_first_in_its_document(library: Library) -> None:
    law(library, "A")
    law(library, "B")
    assert texts(library, article("10", 2), k=4) == [
        "A madde 10 2", "A madde 10 1", "A madde 10 None", "B madde 10 2",
    ]  # fmt: skip


def test_nothing_is_named_by_nothing(library: Library) -> None:
    law(library, "A")
    assert texts(library) == []
    assert texts(library, article("99")) == []


def test_no_roles_do_not_reach_the_database() -> None:
    away = Store(make_engine("postgresql://docrag@127.0.0.1:1/docrag"))
    found = away.chunks.named_beside([article("10")], ["x"], access=Access.of([]), k=5)
    assert found == ([], frozenset())


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(store: Store, k: int) -> None:
    with pytest.raises(ValueError, match=f"k is {k}"):
        store.chunks.named_beside([article("10")], (), access=IK, k=k)


def test_hidden_law_is_as_absent(library: Library) -> None:
    law(library, "A", roles=["bilgi"])
    assert texts(library, article("10")) == texts(library, article("99")) == []
    assert len(texts(library, article("10"), access=Access.of(["bilgi"]))) == 3


def test_document_that_is_not_ready_is_as_absent(library: Library) -> None:
    document = law(library, "A")
    library.store.documents.set_state(document, DocumentState.FAILED, error="bozuk")
    assert texts(library, article("10")) == []


def test_version_in_force_on_the_day_is_found(library: Library) -> None:
    first = law(library, "A")
    law(library, "B", version=NewVersion(replaces=first, valid_from=date(2015, 1, 1)))
    old = Access(roles=frozenset({"ik"}), on=date(2014, 12, 31))
    assert texts(library, article("9")) == ["B madde 9 1"]
    assert texts(library, article("9"), access=old) == ["A madde 9 1"]


@pytest.mark.parametrize(("question", "statements"), [("10. madde", 1), ("bin lira", 0)])
def test_article_costs_one_statement(library: Library, question: str, statements: int) -> None:
    law(library, "A")
    sent: list[str] = []

    def keep(_c: Any, _u: Any, statement: str, *_: Any) -> None:  # noqa: ANN401 - SQLAlchemy's event
        sent.append(statement)

    event.listen(library.engine, "before_cursor_execute", keep)
    LexicalRetriever(store=library.store.chunks).retrieve(question, access=IK, k=5)
    event.remove(library.engine, "before_cursor_execute", keep)
    assert sum("article_kind = a.kind" in statement for statement in sent) == statements


def test_article_is_found_by_its_name(library: Library) -> None:
    law(library, "6331 Sayılı Kanun")
    law(library, "4857 Sayılı Kanun")
    retriever = HybridRetriever(store=library.store.chunks)
    found = retriever.retrieve("4857 sayılı kanunun onuncu maddesi", access=IK, k=5)
    assert [hit.chunk.text for hit in found[:3]] == [
        f"4857 Sayılı Kanun madde 10 {paragraph}" for paragraph in (1, 2, None)
    ]
    assert [leg.name for leg in found[0].legs][0] == "article"


@pytest.mark.parametrize("question", ["10. madde kanun", "Kanun 25/a maddesi madde"])
def test_search_beside_a_replacement_has_one_version_only(
    library: Library, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """A version that becomes ready after the search by words, before that by articles."""
    old = law(library, "Kanun eski")
    named_beside, made = library.store.chunks.named_beside, []

    def replaced(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the store has it
        made.append(law(library, "Kanun yeni", version=NewVersion(replaces=old)))
        return named_beside(*args, **kwargs)

    monkeypatch.setattr(library.store.chunks, "named_beside", replaced)
    hits = LexicalRetriever(store=library.store.chunks).retrieve(question, access=IK, k=8)
    assert {hit.chunk.document_id for hit in hits} == set(made)
    assert len(made) == 1


def test_documents_beside_are_those_that_the_access_finds(library: Library) -> None:
    seen, hidden = law(library, "A"), law(library, "B", roles=["bilgi"])
    law(library, "C", version=NewVersion(replaces=seen, valid_from=date(2015, 1, 1)))
    beside = library.store.chunks.named_beside
    then = Access(roles=IK.roles, on=date(2014, 1, 1))
    for access, expected in ((then, {seen}), (IK, set()), (Access.of([]), set())):
        assert beside([article("9")], [seen, hidden], access=access, k=5)[1] == expected
