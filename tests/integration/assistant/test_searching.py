"""What is searched of a document beside its text, and questions that nobody should ask."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from docrag.api import EmbedderError
from docrag.assistant import Assistant
from docrag.textnorm import words

from .conftest import Opener

RULE = "# Ücretli mazeret\n\nEvlenen personele beş gün verilir.\n"


@pytest.fixture
def filled(assistant: Assistant) -> Assistant:
    """An assistant with one document under a file name with underscores."""
    assistant.ingest(RULE.encode(), roles=["ik"], filename="seyahat_yönergesi_2024.md")
    return assistant


def stored(assistant: Assistant, column: str) -> list[str]:
    with assistant.store._sessions.engine.connect() as connection:
        query = text(f"SELECT {column} FROM chunks c JOIN documents d ON d.id = c.document_id")  # noqa: S608 - constants
        return [str(value) for value in connection.scalars(query)]


@pytest.mark.parametrize("question", ["seyahat", "yönerge", "YÖNERGESİ", "yonergesi 2024"])
@pytest.mark.parametrize("retriever", ["lexical", "hybrid"])
def test_title_is_searched(
    filled: Assistant, open_assistant: Opener, question: str, retriever: str
) -> None:
    found = open_assistant(retriever=retriever).search(question, roles=["ik"])
    assert ["Evlenen personele beş gün verilir." in item.chunk.text for item in found] == [True]


def test_headings_are_searched(filled: Assistant) -> None:
    (found,) = filled.search("mazeret", roles=["ik"])
    assert found.chunk.section == "Ücretli mazeret"


def test_title_is_neither_stored_in_the_text_nor_cited(filled: Assistant) -> None:
    (kept,) = stored(filled, "c.text")
    assert not {"seyahat", "yönergesi"} & set(words(kept))
    answer = filled.ask("Evlenen personele kaç gün verilir?", roles=["ik"])
    assert not {"seyahat", "yönergesi"} & set(words(answer.text))


def test_title_is_embedded(filled: Assistant, open_assistant: Opener) -> None:
    """The hashing embedder finds nothing but words that it was given."""
    dense = open_assistant(retriever="dense")
    (with_title,) = dense.search("seyahat yönergesi", roles=["ik"])
    (without,) = dense.search("bambaşka sözcükler", roles=["ik"])
    assert with_title.score > without.score + 0.1


def test_title_that_is_the_heading_counts_once(assistant: Assistant) -> None:
    body = b"# Mazeret\n\nizin verilir.\n"
    assistant.ingest(body, roles=["ik"], filename="a.md", title="Mazeret")
    assistant.ingest(body + b"\n", roles=["ik"], filename="b.md", title="Izin")
    counts = stored(assistant, "c.n_tokens")
    assert int(counts[1]) == int(counts[0]) + 1


@pytest.mark.parametrize("k", [0, -1, 1001, 10_000])
def test_k_out_of_range_is_a_clear_error(filled: Assistant, k: int) -> None:
    with pytest.raises(ValueError, match=f"k is {k}; ask for"):
        filled.search("mazeret", roles=["ik"], k=k)


@pytest.mark.parametrize(
    "question", ["", " ", "\0", "?!", "🙂", "'; DROP TABLE chunks; --", "\ud800", "a" * 50_000]
)
def test_odd_question_is_searched_and_answered(filled: Assistant, question: str) -> None:
    filled.search(question, roles=["ik"])
    assert filled.search(f"{question} mazeret", roles=["ik"])
    if question.strip(" \0"):
        assert filled.ask(question, roles=["ik"]).text


@pytest.mark.parametrize("roles", [[], ["yok"], ["\0"], ["\ud800"], ["ik,admin"]])
def test_odd_roles_find_nothing(filled: Assistant, roles: list[str]) -> None:
    assert filled.search("mazeret", roles=roles) == []


def test_other_embedder_than_the_stored_one_is_a_clear_error(
    filled: Assistant, open_assistant: Opener
) -> None:
    other = open_assistant(embedder_options={"dim": 32})
    with pytest.raises(EmbedderError, match="stored documents are embedded with"):
        other.search("mazeret", roles=["ik"])
