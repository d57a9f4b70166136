"""Text that behaves like Turkish in an index, as much of it as one wants: roots by Zipf's law.

The F5 terms of Turkish encyclopedia text (TQuAD) in chunks of 120 words: the first stands in 97 %
of them, the 30th in 22 %, the 100th in 11 %, the 1,000th in 2 %; a question has 4 to 14 different
ones that stand in 0.74 chunks per chunk of the corpus in sum (median; 5 % 0.12, 95 % 2.1). Zipf's
law with exponent 1 over the roots gives the same. Zipf (1949), "Human Behavior and the Principle
of Least Effort". Words are drawn independently: there are no phrases and no subjects.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Tokens: TypeAlias = npt.NDArray[np.int32]

#: Different roots, and endings that each is seen with: about 400,000 words in 200,000 chunks.
ROOTS: Final = 120_000
#: Words of a chunk, and of a document's title, which stands in front of each of its chunks.
LENGTH, TITLE = 120, 2
#: Words of a question.
SHORTEST, LONGEST = 5, 8
#: Share of a question's words that are drawn as text is, the common ones most; the others are drawn
#: evenly from the different words of a chunk. Makes the sum above.
COMMON: Final = 0.5

_CONSONANTS: Final = "bcçdfgğhjklmnprsştvyz"
_BACK: Final = frozenset("aıou")
#: Endings by vowel harmony, front and back; the first ones are the commonest.
_ENDINGS: Final = (
    ("", ""), ("i", "ı"), ("de", "da"), ("in", "ın"), ("ler", "lar"), ("e", "a"), ("den", "dan"),
    ("leri", "ları"), ("lerin", "ların"), ("le", "la"), ("lik", "lık"), ("sel", "sal"),
    ("lerde", "larda"), ("siz", "sız"), ("lerden", "lardan"), ("liği", "lığı"), ("dir", "dır"),
    ("lerini", "larını"), ("ecek", "acak"), ("mekte", "makta"), ("liğin", "lığın"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipfText:
    """Words, and the chunks that are made of them."""

    #: Spelling of every word.
    words: list[str]
    #: Words of each chunk, int32 ``(n, LENGTH)``.
    chunks: Tokens
    #: Words of each document's title, int32 ``(documents, TITLE)``.
    titles: Tokens

    def spelled(self, row: Tokens) -> str:
        """The text of a chunk or title."""
        return " ".join(map(self.words.__getitem__, row.tolist()))

    def questions(self, count: int, *, seed: int = 2) -> list[str]:
        """Questions about random chunks."""
        rng = np.random.default_rng(seed)
        return [self._question(rng) for _ in range(count)]

    def _question(self, rng: np.random.Generator) -> str:
        chunk = self.chunks[rng.integers(len(self.chunks))]
        size = int(rng.integers(SHORTEST, LONGEST + 1))
        common = int(rng.binomial(size, COMMON))
        drawn = [
            rng.choice(chunk, common, replace=False),
            rng.choice(np.unique(chunk), size - common, replace=False),
        ]
        return self.spelled(rng.permutation(np.concatenate(drawn)).astype(np.int32)) + "?"


def make_text(n: int, *, per_document: int, seed: int = 1) -> ZipfText:
    """Text for ``n`` chunks, always the same for a seed.

    :param per_document: chunks of a document.
    """
    rng = np.random.default_rng(seed)
    tokens = _drawn(rng, n * LENGTH)
    titles = _drawn(rng, n // per_document * TITLE)
    total = ROOTS * len(_ENDINGS)
    seen = np.bincount(tokens, minlength=total) + np.bincount(titles, minlength=total) > 0
    # Only words that occur are spelled, and numbered anew.
    number = np.cumsum(seen, dtype=np.int32) - 1
    return ZipfText(
        words=_spellings(np.flatnonzero(seen).tolist(), seed),
        chunks=number[tokens].reshape(n, LENGTH),
        titles=number[titles].reshape(-1, TITLE),
    )


def _drawn(rng: np.random.Generator, count: int) -> Tokens:
    """Numbers of words: a root by Zipf's law, an ending by a steeper one."""
    endings = len(_ENDINGS)
    roots = _sampled(rng, _law(ROOTS, 1.0), count)
    return (roots * endings + _sampled(rng, _law(endings, 1.3), count)).astype(np.int32)


def _law(ranks: int, exponent: float) -> npt.NDArray[np.float64]:
    """Cumulated shares of ranks."""
    summed: npt.NDArray[np.float64] = np.cumsum(np.arange(1, ranks + 1) ** -exponent)
    shares: npt.NDArray[np.float64] = summed / summed[-1]
    return shares


def _sampled(
    rng: np.random.Generator, cumulated: npt.NDArray[np.float64], count: int
) -> npt.NDArray[np.int64]:
    return np.searchsorted(cumulated, rng.random(count)).clip(max=len(cumulated) - 1)


def _spellings(words: Sequence[int], seed: int) -> list[str]:
    """Roots with endings, by the numbers of :func:`_drawn`."""
    roots, endings = _roots(random.Random(seed)), len(_ENDINGS)  # noqa: S311 - no secret
    return [
        (root := roots[word // endings]) + _ENDINGS[word % endings][root[-2] in _BACK]
        for word in words
    ]


def _roots(rng: random.Random) -> list[str]:
    """Different roots with vowel harmony: the commonest are short, as in any language."""
    roots: dict[str, None] = {}
    while len(roots) < ROOTS:
        # Three letters for the first hundred, five to seven for the others.
        syllables = 1 if len(roots) < 100 else rng.randint(2, 3)  # noqa: PLR2004 - said above
        vowels = rng.choice(("aıou", "eiöü"))
        parts = (rng.choice(_CONSONANTS) + rng.choice(vowels) for _ in range(syllables))
        roots.setdefault("".join(parts) + rng.choice(_CONSONANTS))
    return list(roots)
