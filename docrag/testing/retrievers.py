"""The contract of every retriever."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor

from docrag.api import ADMIN_ROLE, Access, ChunkStore, Embedder, Retriever, StoredChunk
from docrag.testing.store import MemoryChunkStore
from docrag.testing.vectors import CountingEmbedder, vector

#: Text and roles of the stored chunks; the first is the best for :data:`QUESTION`.
CHUNKS = (
    ("Yangın tüpleri her altı ayda bir kontrol edilir.", ("güvenlik",)),
    ("Yangın tüpü dolumu gizli ihale ile yapılır.", ("satınalma",)),
    ("Yangın merdiveni kilitlenmez.", ("güvenlik", "personel")),
    ("Yangın tatbikatı yılda bir yapılır.", ("personel",)),
    ("Yıllık izin on dört gündür.", ("personel",)),
    ("Yangın tüpleri yönetim notu.", ()),
)
#: Shares words with all chunks about fire.
QUESTION = "Yangın tüpleri hangi sıklıkla kontrol edilir?"
#: Length of the vectors.
DIM = 64


class RetrieverContract:
    """Inherit in a test class and build the retriever; every test of this class must pass.

    The tests ask :class:`MemoryChunkStore`, which filters by role as the database does. A
    retriever that keeps an index of its own builds it in :meth:`retriever` from :data:`CHUNKS`.
    """

    def retriever(self, store: ChunkStore, embedder: Embedder) -> Retriever:
        """A new retriever over this store."""
        raise NotImplementedError

    def test_retriever_offers_protocol(self) -> None:
        """It has the protocol's method."""
        assert isinstance(self.retriever(filled_store(), CountingEmbedder(dim=DIM)), Retriever)

    def test_access_is_required_keyword(self) -> None:
        """Nobody can search without saying for whom."""
        retriever = self.retriever(filled_store(), CountingEmbedder(dim=DIM))
        access = inspect.signature(retriever.retrieve).parameters["access"]
        assert access.kind is inspect.Parameter.KEYWORD_ONLY
        assert access.default is inspect.Parameter.empty

    def test_no_roles_find_nothing(self) -> None:
        """Neither store nor embedder is asked."""
        store, embedder = filled_store(), CountingEmbedder(dim=DIM)
        retriever = self.retriever(store, embedder)
        before = embedder.calls
        assert retriever.retrieve(QUESTION, access=Access.of(()), k=10) == []
        assert (store.calls, embedder.calls) == (0, before)

    def test_unknown_role_finds_nothing(self) -> None:
        """A role that no document allows."""
        assert self.found(roles=("ziyaretçi",)) == []

    def test_empty_question_finds_nothing(self) -> None:
        """Neither store nor embedder is asked."""
        store, embedder = filled_store(), CountingEmbedder(dim=DIM)
        retriever = self.retriever(store, embedder)
        before = embedder.calls
        for question in ("", " \n\t "):
            assert retriever.retrieve(question, access=Access.of((ADMIN_ROLE,)), k=3) == []
        assert (store.calls, embedder.calls) == (0, before)

    def test_only_permitted_chunks_are_found(self) -> None:
        """Each role alone sees nothing of the others, however many are asked for."""
        for role in ("güvenlik", "satınalma", "personel"):
            permitted = {text for text, roles in CHUNKS if role in roles}
            found = set(self.found(roles=(role,), k=100))
            assert found
            assert found <= permitted

    def test_roles_add_up(self) -> None:
        """Two roles see what either sees."""
        both = set(self.found(roles=("güvenlik", "satınalma"), k=100))
        assert {CHUNKS[0][0], CHUNKS[1][0]} <= both

    def test_admin_finds_everything(self) -> None:
        """Also what no other role may read."""
        assert CHUNKS[-1][0] in self.found(roles=(ADMIN_ROLE,), k=100)

    def test_forbidden_chunks_take_no_place(self) -> None:
        """A permitted chunk is found although better ones are forbidden."""
        assert len(self.found(roles=("personel",), k=1)) == 1

    def test_best_chunk_comes_first(self) -> None:
        """Scores never rise along the list."""
        retriever = self.retriever(filled_store(), CountingEmbedder(dim=DIM))
        found = retriever.retrieve(QUESTION, access=Access.of((ADMIN_ROLE,)), k=10)
        scores = [item.score for item in found]
        assert found[0].chunk.text == CHUNKS[0][0]
        assert scores == sorted(scores, reverse=True)

    def test_no_chunk_comes_twice(self) -> None:
        """Chunk ids are unique in a result."""
        found = self.found(roles=(ADMIN_ROLE,), k=100)
        assert len(found) == len(set(found))

    def test_at_most_k_chunks_come(self) -> None:
        """Also one, and never more than there are."""
        for k in (1, 2, 3):
            assert len(self.found(roles=(ADMIN_ROLE,), k=k)) == k
        assert len(self.found(roles=(ADMIN_ROLE,), k=1000)) <= len(CHUNKS)

    def test_k_below_one_is_refused(self) -> None:
        """A mistake of the caller, not an empty result."""
        try:
            self.found(roles=(ADMIN_ROLE,), k=0)
        except ValueError:
            return
        raise AssertionError("k=0 raised no ValueError")

    def test_empty_store_finds_nothing(self) -> None:
        """The first start has no documents."""
        retriever = self.retriever(MemoryChunkStore(), CountingEmbedder(dim=DIM))
        assert retriever.retrieve(QUESTION, access=Access.of((ADMIN_ROLE,)), k=3) == []

    def test_endless_question_is_searched_in_part(self) -> None:
        """A pasted text before the question does no harm."""
        pasted = "konu dışı uzun metin " * 5_000
        assert CHUNKS[0][0] in self.found(question=f"{pasted}\n{QUESTION}", k=len(CHUNKS))

    def test_threads_keep_access_apart(self) -> None:
        """Calls for different roles at a time do not mix."""
        retriever = self.retriever(filled_store(), CountingEmbedder(dim=DIM))

        def texts(role: str) -> set[str]:
            found = retriever.retrieve(QUESTION, access=Access.of((role,)), k=10)
            return {item.chunk.text for item in found}

        roles = ("güvenlik", "satınalma", "personel") * 8
        with ThreadPoolExecutor(max_workers=4) as pool:
            results = list(pool.map(texts, roles))
        for role, found in zip(roles, results, strict=True):
            assert found <= {text for text, allowed in CHUNKS if role in allowed}

    def found(
        self, *, question: str = QUESTION, roles: tuple[str, ...] = (ADMIN_ROLE,), k: int = 10
    ) -> list[str]:
        """Texts that a new retriever finds, best first."""
        retriever = self.retriever(filled_store(), CountingEmbedder(dim=DIM))
        access = Access.of(roles)
        return [item.chunk.text for item in retriever.retrieve(question, access=access, k=k)]


def filled_store() -> MemoryChunkStore:
    """A store that holds :data:`CHUNKS` with their roles and vectors."""
    store = MemoryChunkStore()
    for number, (text, roles) in enumerate(CHUNKS, start=1):
        chunk = StoredChunk(
            chunk_id=number,
            document_id=f"00000000-0000-0000-0000-{number:012d}",
            title=f"Belge {number}",
            filename=f"belge{number}.pdf",
            ordinal=0,
            text=text,
            page_first=1,
            page_last=1,
        )
        store.add(chunk, roles, vector(text, DIM))
    return store
