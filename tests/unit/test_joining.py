"""Pieces of a text put together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docrag.api import Chunk, Chunker, Page
from docrag.chunkers.fixed import FixedChunker
from docrag.chunkers.recursive import RecursiveChunker
from docrag.joining import GAP, LEAST_OVERLAP, Piece, joined, overlap, runs

SHARED = "Baret takmak ışıklı alanda zorunludur."

#: Few letters, so that accidental repeats are frequent; dotted, dotless and decomposed ones.
texts = st.text(alphabet="aİıi\u0307.\n 1", min_size=1, max_size=60)
pieces = st.lists(
    st.tuples(st.integers(min_value=0, max_value=12), texts), unique_by=lambda piece: piece[0]
).map(sorted)
#: Pages whose words are all different, in sentences.
pages = st.integers(min_value=1, max_value=400).map(
    lambda n: " ".join(f"söz{place}{'.' if place % 7 == 0 else ''}" for place in range(n))
)


def chunked(chunker: Chunker, text: str) -> list[Piece]:
    found: list[Chunk] = list(chunker.split([Page(number=1, text=text)]))
    return [(chunk.ordinal, chunk.text) for chunk in found]


def test_neighbours_share_their_overlap() -> None:
    assert joined([(3, f"Önce. {SHARED}"), (4, f"{SHARED} Sonra.")]) == f"Önce. {SHARED} Sonra."


def test_neighbours_without_overlap_stand_on_two_lines() -> None:
    assert joined([(0, "Bir."), (1, "İki.")]) == "Bir.\nİki."


def test_gap_shows_where_text_is_left_out() -> None:
    assert joined([(0, f"a {SHARED}"), (2, f"{SHARED} b")]) == f"a {SHARED}{GAP}{SHARED} b"


def test_nothing_is_joined_of_nothing() -> None:
    assert (joined([]), runs([])) == ("", [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bakınız: madde 1", "1 gün içinde bildirilir ve kaydedilir."),
        ("evet evet evet", "evet evet evet"),
        (SHARED, SHARED),
        ("İzin süresi", ""),
        ("IŞIKLI ALANDA BARET", "Işıklı alanda baret takılır."),
    ],
)
def test_what_the_document_repeats_itself_stays(first: str, second: str) -> None:
    assert overlap(first, second) == 0


def test_longest_overlap_counts() -> None:
    row = "0;0;0;0;0;0;0;0;0;0\n"
    assert overlap("x" + row * 3, row * 3 + "y") == len(row * 3)


def test_composed_and_decomposed_letters_are_not_taken_for_the_same() -> None:
    composed = "İzin süresi on dört gündür"
    assert overlap(f"a {composed}", f"{composed} b") == len(composed)
    assert overlap(f"a {composed}", f"{composed.replace('İ', 'I' + chr(0x307))} b") == 0


@given(pieces)
def test_every_piece_stands_whole_in_its_run(pieces: list[Piece]) -> None:
    found = runs(pieces)
    assert sum(len(run.starts) for run in found) == len(pieces)
    placed = [(run.text, start) for run in found for start in run.starts]
    for (_, text), (whole, start) in zip(pieces, placed, strict=True):
        assert whole[start : start + len(text)] == text


@given(pieces)
def test_nothing_is_invented_but_line_ends(pieces: list[Piece]) -> None:
    rest = iter(text for _, text in pieces)
    for run in runs(pieces):
        end = 0
        for start in run.starts:
            repeated, added = end - start, run.text[end:start]
            assert end == 0 or repeated >= LEAST_OVERLAP or added == "\n"
            end = start + len(next(rest))
        assert end == len(run.text)


@pytest.mark.parametrize("kind", [FixedChunker, RecursiveChunker])
@given(text=pages)
def test_chunks_of_a_page_give_its_words_once(
    kind: type[FixedChunker | RecursiveChunker], text: str
) -> None:
    found = chunked(kind(size=200, overlap=80), text)
    assert joined(found).split() == text.split()


@pytest.mark.parametrize("overlap", [0, 50, 99])
@given(text=pages, left_out=st.integers(min_value=0, max_value=9))
def test_every_chunk_stands_once_in_what_is_joined(text: str, left_out: int, overlap: int) -> None:
    found = [piece for piece in chunked(FixedChunker(size=200, overlap=overlap), text)
             if piece[0] != left_out]  # fmt: skip
    whole = joined(found)
    assert all(whole.count(piece) == 1 for _, piece in found)
