"""What stands in for a word that nobody may read must not tell that somebody wrote it."""

from __future__ import annotations

from docrag.api import Access, asked_terms

from .conftest import ADMIN, Library

IK = Access.of(["ik"])


def found(library: Library, question: str, access: Access) -> list[tuple[str, float]]:
    hits = library.store.chunks.candidates(
        terms=asked_terms(question), vector=None, access=access, k=5
    )
    return [(item.chunk.text, round(item.lexical, 9)) for item in hits]


def test_slip_finds_the_word(library: Library) -> None:
    library.shelve("ödenek demircan personel", roles=["ik"])
    assert [text for text, _ in found(library, "Demrcan", IK)] == ["ödenek demircan personel"]


def test_word_of_a_hidden_document_changes_no_result(library: Library) -> None:
    library.shelve("ödenek demircan personel", roles=["ik"])
    before = [text for text, _ in found(library, "Demrcan", IK)]
    library.shelve("gizli tutanak demrcan", roles=["bilgi"])
    assert [text for text, _ in found(library, "Demrcan", IK)] == before
    assert [text for text, _ in found(library, "Demrcan", ADMIN)] == ["gizli tutanak demrcan"]
