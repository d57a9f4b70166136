"""What the lexical search keeps of a document's chunks: their terms and letter grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docrag.api import Chunk, analysed, c4, indexed
from docrag.store.records import GramCounts


def texts_of(chunks: Sequence[Chunk], title: str) -> list[str]:
    """What is embedded and analysed of each chunk: its text below title and headings."""
    return [indexed(title, chunk.section, chunk.text) for chunk in chunks]


def terms_of(texts: Sequence[str], language: str) -> list[list[str]]:
    """Analysed terms of each text; equal ones are one string, which saves most of the memory."""
    known: dict[str, str] = {}
    return [[known.setdefault(term, term) for term in analysed(text, language)] for text in texts]


def grams_of(texts: Sequence[str]) -> GramCounts:
    """Letter grams of the texts: in how many each stands, and how many there are."""
    frequencies: Counter[str] = Counter()
    length = 0
    for text in texts:
        grams = c4(text)
        frequencies.update(set(grams))
        length += len(grams)
    return GramCounts(frequencies=frequencies, length=length)
