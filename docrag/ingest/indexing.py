"""What the lexical search keeps of a document's chunks: their terms and letter grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docrag.api import Chunk, analysed, c4, indexed, words
from docrag.store.records import GramCounts


def texts_of(chunks: Sequence[Chunk], title: str) -> list[str]:
    """What is embedded and analysed of each chunk: its text below title and headings."""
    return [indexed(title, chunk.section, chunk.text) for chunk in chunks]


def terms_of(texts: Sequence[str], language: str) -> list[list[str]]:
    """Analysed terms of each text; equal ones are one string, which saves most of the memory."""
    known: dict[str, str] = {}
    # A word is analysed once a document, not each time that it stands there.
    terms: dict[str, list[str]] = {}
    for word in {word for text in texts for word in words(text)}:
        terms[word] = [known.setdefault(term, term) for term in analysed(word, language)]
    return [[term for word in words(text) for term in terms[word]] for text in texts]


def grams_of(texts: Sequence[str]) -> GramCounts:
    """Letter grams of the texts: in how many each stands, and how many there are."""
    frequencies: Counter[str] = Counter()
    grams: dict[str, list[str]] = {}
    length = 0
    for text in texts:
        found: set[str] = set()
        for word, times in Counter(words(text)).items():
            if word not in grams:
                grams[word] = c4(word)
            length += times * len(grams[word])
            found.update(grams[word])
        frequencies.update(found)
    return GramCounts(frequencies=frequencies, length=length)
