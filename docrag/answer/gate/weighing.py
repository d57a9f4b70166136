"""Which words of some passages stand for which words of a question, and how surely."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.answer.gate.asker_forms import is_case, is_form, stem
from docrag.answer.gate.filling import is_filling
from docrag.api import f5, fold, lower, other_names, other_stems

#: One figure a word of the question.
Figures = npt.NDArray[np.float64]

#: Words of a question that are weighed, those that tell most; a pasted text has hundreds.
MOST: Final = 40
#: Letters that a word and its inflection must begin with; shorter words must be all of it.
STEM: Final = 4
#: How surely words mean the same that begin with the same :data:`STEM` letters only.
_ALIKE: Final = 0.6
#: Least share of common letter pairs (Dice, 1945, "Measures of the amount of ecologic association
#: between species", Ecology 26(3)) of a misspelt word and the right one.
_LEAST_DICE: Final = 0.6
#: Words of passages up to which misspelt ones are looked for; five chunks have some 600.
_LARGEST: Final = 5_000
#: Letters that endings add to a word of at most :data:`STEM` letters.
_ENDINGS: Final = 5
#: Idf of a word where nobody has counted: of one that stands in a few of a thousand chunks.
_UNCOUNTED: Final = 5.0
#: What a verb in a form of who asks, or a word that only holds others together, tells, of what
#: another word does: .05 to .2 do nearly the same on training questions.
_LIGHT: Final = 0.1
#: A noun with the ending of who asks ("gözüme", "tatilimi"), its stem first.
_MINE: Final = re.compile(r"([a-z]{3,}?)[iu]?m(?:[iu]n?|[ea]|[dt][ea]n?)?")
_TOKEN: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWords:
    """The words of a question that say what it is about."""

    #: Folded, each once, in order.
    words: tuple[str, ...]
    #: How much each tells (idf), above 0.
    weights: Figures
    #: What each would tell if all were as rare, above 0, at most 1.
    plain: Figures
    #: Those that tell little: verbs in a form of who asks, and words that only hold together.
    verbs: frozenset[str]

    @classmethod
    def of(
        cls, words: Iterable[str], idf: Mapping[str, float], verbs: Collection[str] = ()
    ) -> AskedWords:
        """The words with their weights, at most :data:`MOST` of them.

        :param words: folded content words.
        :param idf: by F5 term; a word that is not counted is taken for the rarest one.
        :param verbs: those words that are verbs in a form of who asks, which tell less.
        """
        asked = tuple(dict.fromkeys(words))
        rare = max(idf.values(), default=_UNCOUNTED)
        little = {*verbs, *filter(is_filling, asked)}
        light = frozenset(little) if not little.issuperset(asked) else frozenset()
        plain = [_LIGHT if word in light else 1.0 for word in asked]
        weights = [
            idf.get(f5(word)[0], rare) * part for word, part in zip(asked, plain, strict=True)
        ]
        heavy = sorted(range(len(asked)), key=lambda place: -weights[place])[:MOST]
        places = sorted(heavy)
        return cls(
            words=tuple(asked[place] for place in places),
            weights=np.array([weights[place] for place in places], dtype=np.float64),
            plain=np.array([plain[place] for place in places], dtype=np.float64),
            verbs=light.intersection(asked),
        )

    def share(self, found: Figures) -> Figures:
        """Share of the weight of all words that is found, 0 to 1; 0 without words.

        :param found: how surely each word is found, shape ``(…, words)``.
        """
        whole: Figures = found @ self.weights / (self.weights.sum() or 1.0)
        return whole

    def plain_share(self, found: Figures) -> Figures:
        """As :meth:`share`, if all words were as rare."""
        whole: Figures = found @ self.plain / (self.plain.sum() or 1.0)
        return whole


def tokens(text: str) -> list[str]:
    """Folded words of a text in order, none empty."""
    return [folded for word in _TOKEN.findall(lower(text)) if (folded := fold(word))]


class Matches:
    """How surely each word of some passages stands for each word of a question."""

    def __init__(self, asked: AskedWords, vocabulary: Collection[str]) -> None:
        """Compare the words.

        :param vocabulary: every folded word of the passages.
        """
        self._size = len(asked.words)
        self._known: dict[str, list[tuple[int, float]]] = {}
        words = _Vocabulary(vocabulary)
        for place, word in enumerate(asked.words):
            begun = stem(word) if word in asked.verbs or is_case(word) else ""
            for other, strength in words.alike(word, begun):
                self._known.setdefault(other, []).append((place, strength))

    def strengths(self, said: Iterable[str]) -> Figures:
        """How surely each word of the question is among these folded words, 0 to 1."""
        found = np.zeros(self._size)
        for word in said:
            for place, strength in self._known.get(word, ()):
                found[place] = max(found[place], strength)
        return found


class _Vocabulary:
    """Words by their beginnings."""

    def __init__(self, words: Collection[str]) -> None:
        self._words = frozenset(words)
        self._starts: dict[str, list[str]] = {}
        self._letters: dict[str, frozenset[str]] = {}
        for word in self._words:
            self._starts.setdefault(word[:STEM], []).append(word)

    def alike(self, word: str, stem: str = "") -> Iterator[tuple[str, float]]:
        """Words that may stand for a folded word of a question, with how surely they do.

        :param stem: beginning of other forms of a verb.
        """
        if word[0].isdigit():
            yield from ((word, 1.0) for _ in (1,) if word in self._words)
            return
        same = list(self._inflected(word))
        yield from same
        if len(word) > STEM and all(strength < 1 for _, strength in same):
            yield from self._misspelt(word)
        for other_stem, strength in other_names(word):
            yield from ((other, strength) for other in self._beginning(other_stem))
        owned = _MINE.fullmatch(word)
        if owned and all(strength < 1 for _, strength in same):
            longest = len(owned[1]) + _ENDINGS
            yield from ((w, _ALIKE) for w in self._beginning(owned[1]) if len(w) <= longest)
        if stem:
            alike = self._beginning(stem)
            yield from ((other, _ALIKE) for other in alike if is_form(other, stem))

    def _inflected(self, word: str) -> Iterator[tuple[str, float]]:
        if len(word) <= STEM:
            longest = len(word) + _ENDINGS
            yield from ((w, 1.0) for w in self._beginning(word) if len(w) <= longest)
            return
        prefix = f5(word)[0]
        for other in self._beginning(word[:STEM]):
            yield other, 1.0 if other.startswith(prefix) else _ALIKE

    def _beginning(self, stem: str) -> Iterator[str]:
        pool: Iterable[str] = (
            self._starts.get(stem[:STEM].rstrip(), ()) if len(stem) >= STEM else self._words
        )
        return (word for word in pool if f"{word} ".startswith(stem))

    def _misspelt(self, word: str) -> Iterator[tuple[str, float]]:
        """Words of nearly the same pairs of letters; none of a huge vocabulary."""
        if not self._letters and len(self._words) <= _LARGEST:
            self._letters = {other: _pairs(other) for other in self._words}
        own = _pairs(word)
        for other, theirs in self._letters.items():
            if abs(len(other) - len(word)) < STEM and not other[0].isdigit():
                dice = 2 * len(own & theirs) / (len(own) + len(theirs))
                if dice >= _LEAST_DICE:
                    yield other, dice


def _pairs(word: str) -> frozenset[str]:
    edged = f" {word} "
    return frozenset(edged[start : start + 2] for start in range(len(edged) - 1))


#: A word with a capital behind a small letter or a comma, so not at the beginning of a sentence.
_INSIDE: Final = re.compile(r"(?<=[\wçğıöşü,] )[A-ZÇĞİÖŞÜÂÎÛ]\w+")
_WRITTEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
#: Share of words with a capital from which on capitals tell nothing.
_SHOUTED: Final = 0.7


def names(question: str, passages: Sequence[str], vocabulary: Collection[str]) -> frozenset[str]:
    """Folded words of a question that are names by their capitals; none of one in capitals.

    The first word counts with an apostrophe, where passages write it as a name, or where they do
    not know it.
    """
    said = _WRITTEN.findall(question)
    capitals = [word for word in said if word[0].isupper()]
    if not capitals or len(capitals) > max(1, _SHOUTED * len(said)):
        return frozenset()
    inside = {fold(lower(word)) for text in passages for word in _INSIDE.findall(text)}
    known = {word[:length] for word in vocabulary for length in range(3, STEM + 2)}
    found = set()
    for place, word in enumerate(said):
        stem, _, ending = word.replace("’", "'").partition("'")
        if not word[0].isupper():
            continue
        folded = fold(lower(stem))
        if place or ending or folded in inside or not known.intersection(_begun(folded)):
            found.add(folded)
    return frozenset(found)


def _begun(word: str) -> set[str]:
    """Beginnings by which a folded word is known: its own, and of what else it is called."""
    return {word[: STEM + 1], *(other[: STEM + 1].rstrip() for other in other_stems(word))}
