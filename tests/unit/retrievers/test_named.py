"""Articles that a question names come first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from docrag.api import ADMIN_ROLE, Access, Article, Retriever, ScoredChunk, StoredChunk
from docrag.retrievers.dense import DenseRetriever
from docrag.retrievers.hybrid import HybridRetriever
from docrag.retrievers.lexical import LexicalRetriever
from docrag.testing.store import MemoryChunkStore
from docrag.testing.vectors import CountingEmbedder, vector

DIM = 64
ADMIN = Access.of((ADMIN_ROLE,))
LAWS = {
    "6331 Sayılı İş Sağlığı ve Güvenliği Kanunu": "isg",
    "İş Kanunu": "ik",
    "Yemekhane Yönergesi": "idari",
}


class Counting(MemoryChunkStore):
    """Counts how often articles are looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_up = 0

    def named_beside(
        self, articles: Sequence[Article], documents: Collection[str], *, access: Access, k: int
    ) -> tuple[list[StoredChunk], frozenset[str]]:
        self.looked_up += 1
        return super().named_beside(articles, documents, access=access, k=k)


def store_of(*titles: str) -> Counting:
    """Documents with articles 1 to 12, article 10 of four paragraphs in a chunk each."""
    store = Counting()
    number = 0
    for title in titles:
        pieces: list[tuple[str, int | None]] = [(str(n), None) for n in range(1, 13) if n != 10]
        pieces[9:9] = [("10", paragraph) for paragraph in range(1, 5)]
        for ordinal, (article, paragraph) in enumerate(pieces):
            number += 1
            text = f"Madde {article} {title} işveren {number * 7} gün içinde kurul toplar."
            chunk = StoredChunk(
                chunk_id=number,
                document_id=title,
                title=title,
                filename="belge.pdf",
                ordinal=ordinal,
                text=text,
                page_first=1,
                page_last=1,
                article=Article(
                    kind="madde",
                    number=article,
                    paragraph_first=paragraph,
                    paragraph_last=paragraph,
                ),
            )
            store.add(chunk, {LAWS[title]}, vector(text, DIM))
    return store


def search(
    question: str, store: Counting, *, access: Access = ADMIN, k: int = 10, kind: str = "hybrid"
) -> list[ScoredChunk]:
    embedder = CountingEmbedder(dim=DIM)
    retrievers: dict[str, Retriever] = {
        "hybrid": HybridRetriever(store=store, embedder=embedder),
        "lexical": LexicalRetriever(store=store),
        "dense": DenseRetriever(store=store, embedder=embedder),
    }
    return retrievers[kind].retrieve(question, access=access, k=k)


def named(found: Sequence[ScoredChunk]) -> list[tuple[str, str, int | None]]:
    """Title, number and paragraph of the chunks that have the leg of an article."""
    legs = [(hit, leg) for hit in found for leg in hit.legs if leg.name == "article"]
    assert [leg.rank for _, leg in legs] == list(range(1, len(legs) + 1))
    assert [hit for hit, _ in legs] == list(found[: len(legs)])
    return [
        (hit.chunk.title, hit.chunk.article.number, hit.chunk.article.paragraph_first)
        for hit, _ in legs
        if hit.chunk.article
    ]


@pytest.mark.parametrize("kind", ["hybrid", "lexical", "dense"])
@pytest.mark.parametrize("question", ["10. madde ne diyor?", "onuncu madde", "MADDE 10"])
def test_named_article_comes_first(kind: str, question: str) -> None:
    found = search(question, store_of("İş Kanunu"), kind=kind)
    assert [paragraph for _, number, paragraph in named(found) if number == "10"] == [1, 2, 3, 4]
    assert len(found) == 10


def test_number_of_a_named_law_is_searched() -> None:
    store = store_of("Yemekhane Yönergesi")
    chunk = StoredChunk(
        chunk_id=99, document_id="d", title="Mevzuat", filename="d.pdf", ordinal=0,
        text="Numarası : 4857", page_first=1, page_last=1,
    )  # fmt: skip
    store.add(chunk, {"ik"})
    assert 99 in [hit.chunk.chunk_id for hit in search("İş Kanunu 3. madde", store, kind="lexical")]


def test_named_paragraph_comes_first() -> None:
    found = search("md. 10/3", store_of("İş Kanunu"))
    assert [paragraph for *_, paragraph in named(found)] == [3, 1, 2, 4]


def test_scores_never_rise() -> None:
    found = search("10. madde", store_of("İş Kanunu"))
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.chunk.chunk_id for hit in found}) == len(found)


def test_other_legs_stay() -> None:
    first = search("10. madde işveren", store_of("İş Kanunu"))[0]
    assert [leg.name for leg in first.legs][:2] == ["article", "dense"]


def test_question_that_asks_more_leaves_places_for_others() -> None:
    found = search("10. maddedeki kurul kaç gün içinde toplanır", store_of("İş Kanunu"))
    assert len(named(found)) == 3


def test_several_articles_come_in_turn() -> None:
    found = named(search("10. ve 11. maddeler", store_of("İş Kanunu")))
    assert [number for _, number, _ in found] == ["10", "11", "10", "10", "10"]


def test_two_paragraphs_of_an_article_come_once_each() -> None:
    found = search("madde 10/2 ile madde 10/4", store_of("İş Kanunu"))
    assert sorted(paragraph or 0 for *_, paragraph in named(found)) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("6331 sayılı kanunun 10. maddesi", "6331 Sayılı İş Sağlığı ve Güvenliği Kanunu"),
        ("iş sağlığı kanunu madde 10", "6331 Sayılı İş Sağlığı ve Güvenliği Kanunu"),
        ("İş Kanunu 10. madde", "İş Kanunu"),
        ("İŞ KANUNU'nun onuncu maddesi", "İş Kanunu"),
        ("yemekhane yönergesinin 10. maddesi", "Yemekhane Yönergesi"),
    ],
)
def test_named_document_is_meant(question: str, title: str) -> None:
    found = search(question, store_of(*LAWS), k=20)
    assert {name for name, *_ in named(found)} == {title}


def test_document_that_search_ranks_best_is_meant_first() -> None:
    store = store_of(*LAWS)
    question = "madde 10 yemekhane"
    ordinary = search("yemekhane", store)[0].chunk.title
    assert named(search(question, store))[0][0] == ordinary == "Yemekhane Yönergesi"


def test_law_of_another_number_is_not_meant() -> None:
    store = store_of("6331 Sayılı İş Sağlığı ve Güvenliği Kanunu", "İş Kanunu")
    assert named(search("5510 sayılı kanunun 10. maddesi", store)) == []


def test_law_tells_its_number_in_its_first_chunk() -> None:
    store = store_of("Yemekhane Yönergesi")
    front = StoredChunk(
        chunk_id=99, document_id="Yemekhane Yönergesi", title="Mevzuat", filename="b.pdf",
        ordinal=0,
        text="İŞ KANUNU Kanun Numarası : 4857 Kabul Tarihi : 22/5/2003", page_first=1, page_last=1,
    )  # fmt: skip
    store.add(front, {"idari"}, vector(front.text, DIM))
    assert len(named(search("4857 sayılı kanunun 10. maddesi", store, k=20))) == 4
    assert len(named(search("iş kanunu madde 10", store, k=1))) == 1


@pytest.mark.parametrize("question", ["99. madde", "geçici 10", "25/A maddesi", "ek madde 10"])
def test_search_is_ordinary_without_such_an_article(question: str) -> None:
    store = store_of("İş Kanunu")
    found = search(question, store)
    assert named(found) == []
    assert found
    assert store.looked_up == 1


def test_hidden_article_is_as_absent() -> None:
    access = Access.of(("ik",))
    both = search("6331 sayılı kanunun 10. maddesi", store_of(*LAWS), access=access)
    assert named(both) == []
    assert {hit.chunk.title for hit in both} == {"İş Kanunu"}
    assert {title for title, *_ in named(search("10. madde", store_of(*LAWS), access=access))} == {
        "İş Kanunu"
    }


def test_store_is_not_asked_where_no_article_is_named() -> None:
    store = store_of("İş Kanunu")
    search("kurul kaç günde toplanır", store)
    assert store.looked_up == 0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_at_most_k_come(k: int) -> None:
    assert len(search("10. madde", store_of("İş Kanunu"), k=k)) == k


@pytest.mark.parametrize(
    "question",
    ["İş Kanunu madde 10", "iş kanununun 10. maddesi ne diyor", "4857 md 10", "4857/10",
     "Sağlık Kanunu 10. madde", "Borçlar Kanunu 10. madde", "ISO 45001 madde 10"],
)  # fmt: skip
def test_article_of_another_document_is_not_meant(question: str) -> None:
    titles = ("6331 Sayılı İş Sağlığı ve Güvenliği Kanunu", "Yemekhane Yönergesi")
    assert named(search(question, store_of(*titles))) == []


def test_number_without_a_word_names_the_law() -> None:
    found = named(search("6331 md 3, 4 ve 5", store_of(*LAWS), k=20))
    assert {title for title, *_ in found} == {"6331 Sayılı İş Sağlığı ve Güvenliği Kanunu"}
    assert [number for _, number, _ in found] == ["3", "4", "5"]


def test_hidden_law_looks_as_missing() -> None:
    access = Access.of(("isg", "idari"))
    hidden = search("İş Kanunu madde 10", store_of(*LAWS), access=access)
    assert named(hidden) == []
    assert "İş Kanunu" not in {hit.chunk.title for hit in hidden}


def test_item_is_found_in_its_article() -> None:
    store = store_of("İş Kanunu")
    texts = ("Madde 26 – İşçi: a) geç kalırsa,", "b) erken çıkarsa uyarılır.")
    for number, text in enumerate(texts, start=900):
        article = Article(kind="madde", number="26")
        chunk = StoredChunk(
            chunk_id=number, document_id="İş Kanunu", title="İş Kanunu", filename="belge.pdf",
            ordinal=number, text=text, page_first=1, page_last=1, article=article,
        )  # fmt: skip
        store.add(chunk, {"ik"}, vector(text, DIM))
    found = search("kanunun 26/b maddesi ne diyor", store)
    assert [hit.chunk.chunk_id for hit in found[:2]] == [901, 900]
    assert store.looked_up == 1
