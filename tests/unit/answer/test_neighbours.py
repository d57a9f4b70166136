"""Neighbours in passages: which, in which order, and under which number."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from docrag.answer.context import estimate_tokens, number
from docrag.answer.neighbours import all_grown, by_rank, grown
from docrag.answer.passages import fenced, fill
from docrag.answer.prompt import Asked, Prompt, build
from docrag.answer.quoting.extractive import quote
from docrag.api import Citation, Message, StoredChunk
from tests.unit.answer.sources import chunk


def beside(
    ordinal: int, text: str = "komşu", *, page: int = 1, document: str = "d1"
) -> StoredChunk:
    """A chunk whose id and ordinal are this number."""
    return chunk(ordinal, text, page=page, document=document).chunk


def shown(sources: Sequence[Citation]) -> list[tuple[int, int | None, list[int], set[int]]]:
    """Number, page, chunks and neighbours of every source."""
    return [
        (item.number, item.page_first, [c.chunk_id for c in item.chunks], set(item.neighbours))
        for item in sources
    ]


def test_nearest_neighbours_of_the_best_chunk_come_first() -> None:
    found = [chunk(10, "a"), chunk(20, "b")]
    around = [beside(n) for n in (8, 9, 11, 12, 19, 21, 22)]
    order = by_rank(found, around, reach=2)
    assert [item.ordinal for item in order] == [11, 9, 12, 8, 21, 19, 22]


def test_neighbour_of_two_chunks_is_taken_once_and_no_found_chunk_is_one() -> None:
    found = [chunk(3, "a"), chunk(5, "b"), chunk(4, "c", document="d2")]
    around = [beside(4), beside(5), beside(5, document="d2")]
    order = by_rank(found, around, reach=1)
    assert [(item.document_id, item.ordinal) for item in order] == [("d1", 4), ("d2", 5)]


def test_neighbour_that_is_too_far_or_of_another_document_is_left_out() -> None:
    around = [beside(8), beside(6, document="d2")]
    assert by_rank([chunk(5, "a")], around, reach=2) == ()


def test_neighbour_of_the_same_page_joins_its_number() -> None:
    sources = number([chunk(5, "orta", page=7), chunk(1, "başka", page=3)])
    assert shown(grown(sources, beside(6, page=7))) == [
        (1, 7, [5, 6], {6}),
        (2, 3, [1], set()),
    ]


def test_neighbour_of_another_page_is_a_source_of_its_own_behind_the_others() -> None:
    sources = number([chunk(5, "orta", page=7), chunk(1, "başka", page=3)])
    whole = all_grown(sources, [beside(6, page=8), beside(7, page=8)])
    assert shown(whole[:2]) == shown(sources)
    assert shown(whole[2:]) == [(3, 8, [6, 7], {6, 7})]


def test_neighbour_of_another_page_counts_on_from_the_last_number() -> None:
    sources = number([chunk(5, "orta", page=7), chunk(1, "başka", page=3)], first=4)
    assert [item.number for item in grown(sources, beside(6, page=8))] == [4, 5, 6]


def test_neighbour_of_the_same_page_of_another_document_is_kept_apart() -> None:
    sources = number([chunk(5, "orta", page=7)])
    whole = grown(sources, beside(6, page=7, document="d2"))
    assert [(item.number, item.document_id) for item in whole] == [(1, "d1"), (2, "d2")]


def test_passage_grows_in_reading_order_without_the_overlap() -> None:
    shared = "İşveren eğitim verir."
    sources = number([chunk(5, f"{shared} Sonra denetler.")])
    assert grown(sources, beside(4, f"Önce anlatır. {shared}"))[0].text == (
        f"Önce anlatır. {shared} Sonra denetler."
    )


def test_neighbours_fill_the_budget_and_end_where_one_does_not_fit() -> None:
    sources = number([chunk(5, "orta")])
    around = [beside(6, "kısa"), beside(4, "uzun " * 100), beside(7, "kısa")]
    budget = estimate_tokens(fenced(sources[0], sources[0].text, "tr")) + 30
    packed = fill(sources, around, language="tr", budget=budget)
    assert shown(packed.context) == [(1, 1, [5, 6], {6})]
    assert estimate_tokens(packed.text) <= budget


def test_filled_text_is_what_the_sources_hold() -> None:
    sources = number([chunk(5, "orta", page=7), chunk(1, "başka", page=3)])
    packed = fill(sources, [beside(6, page=7), beside(7, page=8)], language="tr", budget=1000)
    parts = [fenced(item, item.text, "tr") for item in packed.context]
    assert packed.text == "\n".join(parts)
    assert [item.number for item in packed.context] == [1, 2, 3]


def prompt(window: int, history: Sequence[Message] = (), *, text: str = "orta " * 20) -> Prompt:
    """A prompt over two sources with one neighbour each."""
    sources = number([chunk(5, text, page=7), chunk(1, text, page=3)])
    return build(
        Asked(turns=(*history, Message(role="user", content="Soru?"))),
        sources,
        language="tr",
        window=window,
        answer_tokens=100,
        neighbours=[beside(6, "komşu " * 20, page=7), beside(2, "komşu " * 20, page=4)],
    )


def neighbours_in(built: Prompt) -> set[int]:
    return {chunk_id for item in built.context for chunk_id in item.neighbours}


def test_prompt_holds_the_neighbours_that_its_context_names() -> None:
    built = prompt(4000)
    assert neighbours_in(built) == {6, 2}
    assert built.messages[-1].content.count("komşu") == 40
    assert 'no="3"' in built.messages[-1].content


@pytest.mark.parametrize("window", range(750, 1400, 50))
def test_neighbours_never_cost_a_passage_or_the_window(window: int) -> None:
    built = prompt(window)
    tokens = sum(estimate_tokens(message.content) for message in built.messages)
    assert tokens + 100 <= window
    if neighbours_in(built):
        assert [item.number for item in built.context][:2] == [1, 2]


def test_neighbours_never_cost_a_turn() -> None:
    turn = Message(role="user", content="Önceki soru " * 20)
    reply = Message(role="assistant", content="Yanıt. " * 20)
    built = [prompt(window, [turn, reply]) for window in range(900, 1600, 20)]
    filled = [item for item in built if neighbours_in(item)]
    assert 0 < len(filled) < len(built)
    assert all(item.messages[1:3] == (turn, reply) for item in filled)


def test_passage_that_had_to_be_cut_takes_no_neighbour() -> None:
    built = prompt(900, text="uzun " * 5000)
    assert not neighbours_in(built)
    assert sum(estimate_tokens(message.content) for message in built.messages) + 100 <= 900


def test_neighbour_takes_no_room_of_a_passage_that_did_not_fit() -> None:
    sources = number([chunk(5, "orta", page=7), chunk(1, "uzun " * 5000, page=3)])
    built = build(
        Asked(turns=(Message(role="user", content="Soru?"),)),
        sources,
        language="tr",
        window=2000,
        answer_tokens=100,
        neighbours=[beside(6, page=7)],
    )
    assert built.context == sources[:1]


def test_quote_takes_from_neighbours_what_no_found_chunk_has() -> None:
    sources = number([chunk(5, "Baret takmak zorunludur. Eldiven verilir.")])
    whole = grown(sources, beside(6, "Baret takmak gerekir. Ceza elli liradır."))
    text = "".join(piece.text for piece in quote("Baret takmak zorunlu mu, ceza kaç?", whole))
    assert text.startswith("Baret takmak zorunludur.")
    assert "Ceza elli liradır. [1]" in text


def test_quote_is_of_the_found_chunk_where_a_neighbour_says_the_same() -> None:
    sources = number([chunk(5, "Yılda bir kez eğitim verilir.")])
    whole = grown(sources, beside(4, "Eğitim yılda bir kez verilir, eğitim yenilenir."))
    text = "".join(piece.text for piece in quote("Eğitim yılda kaç kez verilir?", whole))
    assert text == "Yılda bir kez eğitim verilir. [1]"


def test_sentence_over_the_border_of_two_chunks_is_quoted_whole() -> None:
    shared = "ve koruyucu donanımları"
    sources = number([chunk(5, f"İşveren çalışanlara baretleri {shared}")])
    whole = grown(sources, beside(6, f"{shared} ücretsiz verir. Başka."))
    text = "".join(piece.text for piece in quote("Baretleri kim verir?", whole))
    assert text == f"İşveren çalışanlara baretleri {shared} ücretsiz verir. [1]"
