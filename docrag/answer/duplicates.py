"""Copies of a passage among what was found, such as the same one in two versions of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from docrag.api import ScoredChunk, StoredChunk, fold, words

#: Share of common word 3-shingles (Jaccard) from which on two passages may be copies; a passage of
#: 100 words with one changed word has 0.94.
LEAST_SHARE: Final = 0.9
#: Words of a passage that says by itself what it is about; a shorter one ("Süre 14 gündür.") needs
#: its title for that, so it is a copy only below the same title.
ENOUGH_WORDS: Final = 20
#: Scores that differ by less than this part of the greater one are equal for the choice between
#: two copies: a title that the question names makes more of a difference, a typing error less.
EQUAL_SCORE: Final = 0.005
#: Letters of a word that a typing error leaves recognisable; "A" and "B" are two names.
_SPELT: Final = 4
#: A number with its sign, unit, and points, up to the next blank.
_FIGURE: Final = re.compile(r"\S*\d\S*")
_AROUND: Final = ".,;:!?()[]\"'“”‘’«»…"
#: Folded beginnings of words that change what a sentence says, wherever they are put in: numbers in
#: letters (Turkish, English) and negations.
_TELLING: Final = tuple(
    """
    sifir bir iki uc dort bes alti yedi sekiz dokuz on yirmi otuz kirk elli altmis yetmis seksen
    doksan yuz bin milyon milyar yarim ceyrek bucuk zero one two three four five six seven eight
    nine ten eleven twelve twenty thirty forty fifty sixty hundred thousand half quarter
    degil yok olma haric disin asla hic ne istisna yasak not no never none except unless without
    """.split()
)

#: Three words in a row.
Shingle: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Print:
    """What two passages are compared by."""

    chunk: StoredChunk
    words: tuple[str, ...]
    shingles: frozenset[Shingle]


def without_copies(found: Sequence[ScoredChunk], k: int) -> list[ScoredChunk]:
    """The best ``k`` of what was found, best first, each passage once.

    Of two copies the better-ranked stays. Where both score nearly the same and are of two
    documents, the newer document's stays instead (its chunk id is higher), at the place and with
    the score of the better one, so that the list goes on being sorted.

    :param found: permitted chunks, best first; nothing else takes part in the choice.
    :param k: 1 or more.
    """
    kept: list[ScoredChunk] = []
    prints: list[_Print] = []
    for scored in found:
        if len(kept) >= k and not _scores_the_same(scored, kept[k - 1]):
            break  # neither this one nor those behind it can take a place
        mine = _print(scored.chunk)
        twin = next((n for n, other in enumerate(prints) if _are_copies(other, mine)), None)
        if twin is None:
            kept.append(scored)
            prints.append(mine)
        elif _is_newer(scored, kept[twin]):
            kept[twin] = replace(scored, score=kept[twin].score)
            prints[twin] = mine
    return kept[:k]


def are_copies(first: StoredChunk, second: StoredChunk) -> bool:
    """True if one passage says what the other says, but for spelling or a heading more.

    Sets of 3-shingles of folded words are compared (Broder, 1997, "On the resemblance and
    containment of documents"). Beyond the source: passages whose numbers differ are never copies
    ("10 gün", "15 gün"), nor are those in which one word stands for another one, a number in
    letters or a negation is more, or the section is another one.
    """
    return _are_copies(_print(first), _print(second))


def _print(chunk: StoredChunk) -> _Print:
    folded = _folded(chunk.text)
    last = max(len(folded) - 2, 1)
    shingles = frozenset(folded[start : start + 3] for start in range(last))
    return _Print(chunk=chunk, words=folded, shingles=shingles)


def _are_copies(first: _Print, second: _Print) -> bool:
    if _share(first.shingles, second.shingles) < LEAST_SHARE:
        return False
    if not _same_heading(first, second) or _figures(first.chunk) != _figures(second.chunk):
        return False
    return first.words == second.words or _is_spelling(first.words, second.words)


def _share(first: frozenset[Shingle], second: frozenset[Shingle]) -> float:
    """Jaccard index, 0 where the sizes alone forbid :data:`LEAST_SHARE`."""
    fewer, more = sorted((len(first), len(second)))
    if fewer < LEAST_SHARE * more:
        return 0.0
    common = len(first & second)
    return common / (fewer + more - common)


def _same_heading(first: _Print, second: _Print) -> bool:
    """True if nothing outside the two texts makes them speak of different things."""
    one, other = first.chunk, second.chunk
    if _folded(one.section) != _folded(other.section):
        return False
    alone = min(len(first.words), len(second.words)) >= ENOUGH_WORDS
    return alone or _folded(one.title) == _folded(other.title)


def _is_spelling(first: Iterable[str], second: Iterable[str]) -> bool:
    """True if the words differ by typing errors, or by harmless words that only one side has."""
    ours, theirs = Counter(first), Counter(second)
    lost, new = list((ours - theirs).elements()), list((theirs - ours).elements())
    for word in lost[:]:
        variant = next((other for other in new if _is_variant(word, other)), None)
        if variant is not None:
            lost.remove(word)
            new.remove(variant)
    return not (lost and new) and not any(word.startswith(_TELLING) for word in lost + new)


def _is_variant(first: str, second: str) -> bool:
    """True for words that one letter more, less or other turns into each other."""
    if min(len(first), len(second)) < _SPELT or abs(len(first) - len(second)) > 1:
        return False
    start = next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    one, other = first[start:], second[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:]


def _is_newer(scored: ScoredChunk, better: ScoredChunk) -> bool:
    """True if a copy is of a newer document than the better-ranked one, which scores the same."""
    if scored.chunk.document_id == better.chunk.document_id:
        return False
    newer = scored.chunk.chunk_id > better.chunk.chunk_id
    return newer and _scores_the_same(scored, better)


def _scores_the_same(scored: ScoredChunk, better: ScoredChunk) -> bool:
    limit = EQUAL_SCORE * max(abs(scored.score), abs(better.score))
    return better.score - scored.score <= limit


def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in words(text))


def _figures(chunk: StoredChunk) -> list[str]:
    return [figure.strip(_AROUND) for figure in _FIGURE.findall(chunk.text)]
