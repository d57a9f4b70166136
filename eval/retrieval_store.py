"""Synthetic text with vectors in a database of docrag, for measuring whole retrievals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import psycopg
from sqlalchemy import Engine

from docrag.api import c4, f5
from docrag.store import Store
from eval.bulk_copy import copy_columns, copy_rows, without_indexes
from eval.filtered import CHUNKS, DIM, FilteredSet
from eval.filtered_store import (
    MODEL,
    document_row,
    fill_chunks,
    fill_documents,
    fill_vectors,
    plain_connection,
    vacuum,
)
from eval.zipf import LENGTH, TITLE, ZipfText

#: Chunks whose terms and grams are counted at a time, whole documents.
STEP: Final = 100 * CHUNKS
#: Terms of a chunk: its own and those of the title in front of it.
TERMS: Final = TITLE + LENGTH
#: How much of a question's cosine counts; any finite number does for measuring time.
WEIGHT: Final = 20.0

_CALIBRATE: Final = "UPDATE embedding_spaces SET cosine_weight = %s, calibration = '{}'"

Numbers = npt.NDArray[np.int64]


class Lexicon:
    """Terms and letter grams of the words that a text uses, as docrag's own analysis gives them."""

    def __init__(self, text: ZipfText) -> None:
        """Analyse every used word once."""
        self.terms: dict[str, int] = {}
        self.grams: dict[str, int] = {}
        #: Number of the term of each word, from 1.
        self.term_of = np.zeros(len(text.words), dtype=np.int64)
        #: Numbers of the grams of each word, -1 behind the last one.
        self.grams_of = np.full((len(text.words), _longest(text.words)), -1, dtype=np.int32)
        for word, spelling in enumerate(text.words):
            self.term_of[word] = self.terms.setdefault(f5(spelling)[0], len(self.terms) + 1)
            for place, gram in enumerate(c4(spelling)):
                self.grams_of[word, place] = self.grams.setdefault(gram, len(self.grams))


def fill_text(engine: Engine, data: FilteredSet, text: ZipfText) -> None:
    """Load vectors and text into a migrated, empty database, with everything that search reads.

    Keys and indexes are made after the rows, and the counts of terms and grams without their
    triggers, which count one document after the other.

    :param data: as many chunks and documents as the text has.
    """
    space = Store(engine).spaces.ensure(model_id=MODEL, dim=DIM, chunking=f"{CHUNKS} a document")
    lexicon = Lexicon(text)
    with plain_connection(engine) as connection:
        fill_documents(connection, data, _documents(text, lexicon))
        fill_chunks(connection, map(text.spelled, text.chunks), tokens=TERMS)
        fill_vectors(connection, space, data.vectors)
        held = _fill_postings(connection, text, lexicon)
        terms = ((i, t, held[i]) for t, i in lexicon.terms.items())
        copy_rows(connection, "terms", ["id", "term", "df"], terms)
        _fill_grams(connection, text, lexicon)
        connection.execute(_CALIBRATE, (WEIGHT,))
    vacuum(engine)


def _longest(words: list[str]) -> int:
    """Most grams that a word can have."""
    return max(1, max(len(word) for word in words) - 1)


def _documents(text: ZipfText, lexicon: Lexicon) -> Iterator[tuple[object, ...]]:
    """A row for each document."""
    grams = (lexicon.grams_of >= 0).sum(axis=1)
    own = grams[text.chunks].sum(axis=1).reshape(-1, CHUNKS).sum(axis=1)
    lengths = own + CHUNKS * grams[text.titles].sum(axis=1)
    for i, (title, length) in enumerate(zip(text.titles, lengths.tolist(), strict=True)):
        words = text.spelled(title)
        yield document_row(i + 1, title=words, tokens=CHUNKS * TERMS, grams=length)


def _steps(text: ZipfText) -> Iterator[tuple[int, Numbers]]:
    """First chunk and words of the next chunks, title first, ``(chunks, TERMS)``."""
    for start in range(0, len(text.chunks), STEP):
        chunks = text.chunks[start : start + STEP]
        owners = np.arange(start, start + len(chunks)) // CHUNKS
        yield start, np.concatenate([text.titles[owners], chunks], axis=1).astype(np.int64)


def _counted(keys: Numbers, width: int) -> tuple[Numbers, Numbers, Numbers]:
    """Different values of each row with their counts: row, value, count."""
    rows = np.repeat(np.arange(len(keys), dtype=np.int64), keys.shape[1])
    flat = keys.reshape(-1)
    different, counts = np.unique((rows * width + flat)[flat >= 0], return_counts=True)
    return different // width, different % width, counts


def _fill_postings(
    connection: psycopg.Connection[Any], text: ZipfText, lexicon: Lexicon
) -> list[int]:
    """How often each term stands in each chunk; in how many chunks each stands, by its number."""
    width = len(lexicon.terms) + 1
    held = np.zeros(width, dtype=np.int64)
    connection.execute("ALTER TABLE postings DISABLE TRIGGER USER")
    with without_indexes(connection, "postings"):
        for start, words in _steps(text):
            chunk, term, count = _counted(lexicon.term_of[words], width)
            held += np.bincount(term, minlength=width)
            columns: dict[str, npt.NDArray[Any]] = {
                "term_id": term.astype(np.int32),
                "chunk_id": chunk + start + 1,
                "document_id": (chunk + start) // CHUNKS + 1,
                "tf": count.astype(np.int16),
                "dl": np.full(len(term), TERMS, dtype=np.int16),
            }
            copy_columns(connection, "postings", columns)
    connection.execute("ALTER TABLE postings ENABLE TRIGGER USER")
    numbers = np.arange(width).astype(str).astype(object)
    steps = (
        (start // CHUNKS, *_counted(lexicon.term_of[words], width)[:2])
        for start, words in _steps(text)
    )
    _fill_counts(connection, "document_terms", "term_ids", numbers, steps)
    return [int(number) for number in held]


def _fill_grams(connection: psycopg.Connection[Any], text: ZipfText, lexicon: Lexicon) -> None:
    """In how many chunks each gram stands, by document and in all."""
    total = np.zeros(len(lexicon.grams), dtype=np.int64)
    spelled = np.array(list(lexicon.grams), dtype=object)

    def steps() -> Iterator[tuple[int, Numbers, Numbers]]:
        nonlocal total
        for start, words in _steps(text):
            grams = lexicon.grams_of[words].reshape(len(words), -1).astype(np.int64)
            chunk, gram, _ = _counted(grams, len(spelled))
            total += np.bincount(gram, minlength=len(spelled))
            yield start // CHUNKS, chunk, gram

    # In quotes, as an array's text has them; a gram is of letters and spaces.
    quoted = np.array([f'"{gram}"' for gram in spelled], dtype=object)
    _fill_counts(connection, "document_grams", "grams", quoted, steps())
    copy_rows(connection, "grams", ["gram", "df"], zip(spelled, total.tolist(), strict=True))


def _fill_counts(
    connection: psycopg.Connection[Any],
    table: str,
    column: str,
    spelled: npt.NDArray[Any],
    steps: Iterable[tuple[int, Numbers, Numbers]],
) -> None:
    """In how many chunks of each document each value stands.

    :param spelled: the text of each value.
    :param steps: number of the first document, and side by side chunk (in the step) and value.
    """
    connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER".encode())
    with without_indexes(connection, table):
        for first, chunk, value in steps:
            rows = _count_rows(first, chunk // CHUNKS, value, spelled)
            copy_rows(connection, table, ["document_id", column, "counts"], rows)
    connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER".encode())


def _count_rows(
    first: int, document: Numbers, value: Numbers, spelled: npt.NDArray[Any]
) -> Iterator[tuple[object, ...]]:
    """A row for each document of a step; arrays as text, which takes a tenth of the time."""
    width = len(spelled)
    different, counts = np.unique(document * width + value, return_counts=True)
    owners, named = different // width, spelled[different % width]
    borders = np.flatnonzero(np.diff(owners, prepend=-1, append=-1))
    for low, high in zip(borders, borders[1:], strict=False):
        numbers = ",".join(map(str, counts[low:high].tolist()))
        yield (
            first + int(owners[low]) + 1,
            f"{{{','.join(named[low:high])}}}",
            f"{{{numbers}}}",
        )
