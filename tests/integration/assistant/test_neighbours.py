"""From retrieval to prompt: neighbours and copies, over a real database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docrag.api import Access, StoredChunk
from docrag.assistant import Assistant
from docrag.testing.ollama import FakeOllama

from .conftest import Opener

#: Words of no question, to fill chunks.
FILLER = ("Bu bölüm yalnızca yer tutar ve konuyla ilgili olmayan genel bir anlatım içerir. " * 3)[
    :-1
]
LEAVE = "Yıllık izin süresi on dört gündür ve izin dilekçesi amire verilir."
FINE = "Gecikme hâlinde tutanak düzenlenir; ışıklı levha asılır."
TEXT = f"{FILLER}\n\n{LEAVE}\n\n{FINE}\n\n{FILLER}"
QUESTION = "Yıllık izin süresi kaç gündür?"
IK = Access.of(["ik"])


def opened(open_assistant: Opener, **overrides: Any) -> Assistant:  # noqa: ANN401 - settings
    """An assistant that searches words, in small chunks of whole sentences."""
    settings = {"chunk_size": 100, "chunk_overlap": 0, "top_k": 1, **overrides}
    assistant = open_assistant(
        retriever="lexical", embedder="none", chunker="recursive", **settings
    )
    for role in ("ik", "isg"):
        if role not in {known.name for known in assistant.store.roles.list()}:
            assistant.store.roles.create(role)
    return assistant


def shelve(assistant: Assistant, text: str, *, name: str = "izin.txt", role: str = "ik") -> str:
    """Id of a document with this text."""
    return assistant.ingest(text.encode(), filename=name, roles=[role]).id


def found(assistant: Assistant, query: str, *roles: str, k: int = 5) -> list[str]:
    """Ids of the documents found, best first."""
    return [item.chunk.document_id for item in assistant.search(query, roles=roles, k=k)]


@pytest.mark.parametrize(("reach", "chunks"), [(0, 1), (1, 3), (2, 5)])
def test_answer_offers_neighbours_and_the_audit_names_them(
    open_assistant: Opener, reach: int, chunks: int
) -> None:
    assistant = opened(open_assistant, neighbours=reach)
    shelve(assistant, TEXT)
    answer = assistant.ask(QUESTION, roles=["ik"])
    (source,) = answer.context
    assert LEAVE in source.text and (FINE in source.text) is (reach > 0)
    assert (len(source.chunks), len(source.neighbours)) == (chunks, chunks - 1)
    (row,) = assistant.store.answers.list(limit=2)
    assert list(row.answer.context_chunk_ids) == [chunk.chunk_id for chunk in source.chunks]


def test_quoted_answer_is_of_the_found_chunk(open_assistant: Opener) -> None:
    assistant = opened(open_assistant, neighbours=5)
    shelve(assistant, TEXT)
    assert assistant.ask(QUESTION, roles=["ik"]).text == f"{LEAVE} [1]"


def test_model_reads_the_neighbours_too(open_assistant: Opener) -> None:
    with FakeOllama() as ollama:
        options = {"model": "m", "url": ollama.url}
        assistant = opened(open_assistant, neighbours=1, llm="ollama", llm_options=options)
        shelve(assistant, TEXT)
        answer = assistant.ask(QUESTION, roles=["ik"])
        sent = str(ollama.requests[-1]["messages"])
    assert LEAVE in sent and FINE in sent and sent.count('no="1"') == 1
    assert answer.context[0].neighbours


def test_neighbours_are_no_evidence(open_assistant: Opener) -> None:
    """A question is declined with neighbours as without: they were not found by it."""
    declined = []
    for reach in (0, 5):
        assistant = opened(open_assistant, neighbours=reach)
        if not reach:
            shelve(assistant, TEXT)
        answer = assistant.ask("Dilekçe amire, gecikme tutanak?", roles=["ik"])
        declined.append(answer.abstention)
    assert declined[0] is not None
    assert declined[0] == declined[1]


def test_roles_that_change_after_the_search_take_the_neighbours_away(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    assistant = opened(open_assistant, neighbours=1)
    document = shelve(assistant, TEXT)
    read = assistant.store.neighbours.around

    def around(chunk_ids: Sequence[int], *, reach: int, access: Access) -> list[StoredChunk]:
        """Read after somebody closed the document."""
        assistant.store.documents.set_roles(document, ["isg"], access=Access.of(["admin"]))
        return read(chunk_ids, reach=reach, access=access)

    monkeypatch.setattr(assistant.store.neighbours, "around", around)
    (source,) = assistant.ask(QUESTION, roles=["ik"]).context
    assert (len(source.chunks), source.neighbours) == (1, frozenset())


RULE = (
    "Her çalışan baretini vardiya başında gözden geçirir, çatlak bulursa amirine yazılı olarak "
    "haber verir ve ışıklı bölgeye girmeden önce depodan yeni bir baret ile koruyucu gözlük alır."
)


def versions(open_assistant: Opener, **overrides: Any) -> Assistant:  # noqa: ANN401 - settings
    """An assistant whose chunks hold a whole rule."""
    return opened(open_assistant, chunk_size=1000, **overrides)


def test_newer_of_two_versions_is_found_alone(open_assistant: Opener) -> None:
    assistant = versions(open_assistant)
    shelve(assistant, RULE, name="baret_v3.txt")
    newer = shelve(assistant, f"{RULE}\n", name="baret_v4.txt")
    assert found(assistant, "çatlak baret", "ik") == [newer]


def test_versions_that_differ_in_a_number_are_both_found(open_assistant: Opener) -> None:
    assistant = versions(open_assistant)
    ids = {shelve(assistant, f"{RULE} Süre {n} gündür.", name=f"v{n}.txt") for n in (10, 15)}
    assert set(found(assistant, "çatlak baret", "ik")) == ids


@pytest.mark.parametrize("k", [1, 2, 3])
def test_copies_cost_no_place(open_assistant: Opener, k: int) -> None:
    """Also where nothing but copies was retrieved at first."""
    assistant = versions(open_assistant, rerank_k=1)
    for n in range(6):
        shelve(assistant, RULE + "\n" * n, name=f"kopya{n}.txt")
    others = [shelve(assistant, f"Baret no {n}: " + FILLER, name=f"{n}.txt") for n in (1, 2)]
    ids = found(assistant, "çatlak baret", "ik", k=k)
    assert len(ids) == k
    assert set(ids[1:]) <= set(others)


def test_copy_that_may_not_be_read_changes_nothing(open_assistant: Opener) -> None:
    """The copy is newer and would win; who may not read it goes on finding their own."""
    assistant = versions(open_assistant, neighbours=1)
    own = [shelve(assistant, RULE), shelve(assistant, f"Baret no 1: {FILLER}", name="b.txt")]
    before = found(assistant, "çatlak baret", "ik")
    secret = shelve(assistant, f"{RULE}\n", name="gizli.txt", role="isg")
    assert found(assistant, "çatlak baret", "ik") == before == own
    assert found(assistant, "çatlak baret", "isg") == [secret]
    assert found(assistant, "çatlak baret", "ik", "isg") == [secret, own[1]]
