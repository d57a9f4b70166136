"""Grams and word pairs of many texts at once, counted in numpy.

Counting the grams of a question in the texts of 200 candidates is the second stage's whole cost;
this counts the same as :func:`docrag.api.c4` and pairs of :func:`docrag.api.f5`, some fifty times
faster: all texts become one array of characters, and every gram a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from docrag.api import fold, words

Codes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

#: Letters of a gram, and of a prefix, that one number holds.
_GRAM, _PREFIX = 4, 5
#: Ends a text among many; in no text, since PostgreSQL stores none.
_END: Final = "\x00"
#: What folding does to the letters of Turkish, and typographic signs that only separate words.
_PLAIN: Final = (
    *zip("ıİşŞğĞçÇöÖüÜâÂîÎûÛ", "iissggccoouuaaiiuu", strict=True),
    *((sign, " ") for sign in "’‘“”–—…•«»°\xa0"),
)
#: ASCII bytes as folded letters: lower case, 32 for what separates words; 0 ends a text.
_TABLE: Final = np.array(
    [0, *(ord(chr(n).lower()) if re.match(r"\w", chr(n)) else 32 for n in range(1, 128))],
    dtype=np.uint8,
)
#: A word with a sign beyond ASCII, from blank to blank.
_FOREIGN: Final = re.compile(r"[!-~]*[^\x00-\x7f]\S*")
#: A mark that may belong to the letter before it.
_MARK: Final = re.compile("[\u0300-\u036f]")
#: An odd number with well-mixed bits (Knuth, The Art of Computer Programming 3, section 6.4): makes
#: one number of several, and spreads numbers over a table.
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
#: Bits of the table that tells most numbers of a text that they are not asked for.
_BITS: Final = 16


class Letters:
    """The folded letters of texts, each text apart."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Fold the texts.

        :param texts: any strings without NUL; an empty one has no grams.
        """
        self.count = len(texts)
        signs = _signs(texts)
        self._signs = signs.astype(np.uint64)
        self._word = signs > 32  # noqa: PLR2004 - 32 separates words, 0 ends texts
        #: Number of the text that each sign belongs to.
        self._owner = np.cumsum(signs == 0, dtype=np.int64) - 1

    def grams(self) -> tuple[Codes, npt.NDArray[np.int64]]:
        """Number of every gram, and the text that it stands in, in order."""
        word, signs = self._word, self._signs
        if len(word) <= _GRAM:
            return _nothing()
        inner = word[1:-2] & word[2:-1]
        alone = ~word[:-3] & word[1:-2] & ~word[2:-1]
        edges = np.where(word, signs, np.uint64(0))
        last = np.where(alone, np.uint64(0), edges[3:])
        codes = edges[:-3]
        for part in (edges[1:-2], edges[2:-1], last):
            codes = codes * _ODD + part
        kept = np.flatnonzero(inner | alone)
        return codes[kept], self._owner[kept + 1]

    def pairs(
        self, wholes: npt.NDArray[np.int64] | None = None
    ) -> tuple[Codes, npt.NDArray[np.int64]]:
        """Number of every pair of neighbouring F5 terms, and its text, in order.

        :param wholes: number of the whole, from 0 on, that each of the texts is a part of; pairs
            then cross the borders of parts, and come with the number of their whole.
        """
        word = self._word
        starts = np.flatnonzero(word[1:] & ~word[:-1]) + 1
        if len(starts) < 2:  # noqa: PLR2004 - a pair has two
            return _nothing()
        within = np.ones(len(starts), dtype=np.bool_)
        codes = np.zeros(len(starts), dtype=np.uint64)
        for offset in range(_PREFIX):
            place = np.minimum(starts + offset, len(word) - 1)
            within &= word[place]
            codes = codes * _ODD + np.where(within, self._signs[place], np.uint64(0))
        owner = self._owner[starts] if wholes is None else wholes[self._owner[starts]]
        same = owner[1:] == owner[:-1]
        return (codes[:-1] * _ODD * _ODD + codes[1:])[same], owner[:-1][same]

    def begun(self, beginnings: Sequence[str]) -> npt.NDArray[np.float64]:
        """How many words of each text begin with each of these.

        :param beginnings: folded, of two ASCII signs or more, each once; the last may be a blank,
            for a whole word.
        :returns: shape ``(texts, len(beginnings))``.
        """
        word, signs = self._word, np.where(self._word, self._signs, np.uint64(0))
        starts = np.flatnonzero(word[1:] & ~word[:-1]) + 1
        lengths = np.array([len(beginning) for beginning in beginnings], dtype=np.int64)
        asked = np.array([_number(beginning) for beginning in beginnings], dtype=np.uint64)
        counts = np.zeros((self.count, len(beginnings)))
        codes = np.zeros(len(starts), dtype=np.uint64)
        for offset in range(max(lengths, default=0)):
            codes = codes * _ODD + signs[np.minimum(starts + offset, len(signs) - 1)]
            if offset == 1:  # few words share their first two signs with any of these
                first = [_number(beginning[:2]) for beginning in beginnings]
                kept = np.isin(codes, np.array(first, dtype=np.uint64))
                codes, starts = codes[kept], starts[kept]
            (here,) = np.nonzero(lengths == offset + 1)
            found, _ = occurrences(codes, self._owner[starts], asked[here], self.count)
            counts[:, here] = found
        return counts


def occurrences(
    codes: Codes, owner: npt.NDArray[np.int64], asked: Codes, texts: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How often each asked number stands in each text, and how many numbers a text has.

    :param codes: numbers of all texts, and ``owner`` the text of each.
    :param asked: distinct numbers.
    :returns: shapes ``(texts, len(asked))`` and ``(texts,)``.
    """
    lengths = np.bincount(owner, minlength=texts).astype(np.float64)
    if not len(asked) or not len(codes):
        return np.zeros((texts, len(asked))), lengths
    shift = np.uint64(64 - _BITS)
    wanted = np.zeros(1 << _BITS, dtype=np.bool_)
    wanted[(asked * _ODD) >> shift] = True
    likely = np.flatnonzero(wanted[(codes * _ODD) >> shift])
    order = np.argsort(asked)
    column = np.searchsorted(asked[order], codes[likely]).clip(max=len(asked) - 1)
    hit = asked[order][column] == codes[likely]
    cells = owner[likely][hit] * len(asked) + order[column[hit]]
    counts = np.bincount(cells, minlength=texts * len(asked)).astype(np.float64)
    return counts.reshape(texts, len(asked)), lengths


def _number(beginning: str) -> int:
    """The number of a run of signs, as of the signs of texts; a blank separates words."""
    number = 0
    for sign in beginning.replace(" ", _END):
        number = (number * int(_ODD) + ord(sign)) % 2**64
    return number


def _nothing() -> tuple[Codes, npt.NDArray[np.int64]]:
    return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)


def _signs(texts: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Code points of the folded texts, 32 between words, 0 before the first and after each.

    More zeros at the end, so that the last word has a gram's length behind it.
    """
    whole = _END.join(("", *texts, _END * _GRAM))
    if _MARK.search(whole):  # what a mark joins must not be replaced first
        whole = _END.join(_folded(t) if _MARK.search(t) else t for t in whole.split(_END))
    for sign, plain in _PLAIN:
        whole = whole.replace(sign, plain)
    if not whole.isascii():
        whole = _END.join(text if text.isascii() else _folded(text) for text in whole.split(_END))
    if whole.isascii():
        return _TABLE[np.frombuffer(whole.encode("ascii"), dtype=np.uint8)].astype(np.uint32)
    signs = np.frombuffer(whole.encode("utf-32-le", "replace"), dtype=np.uint32)
    ascii_signs = signs < len(_TABLE)
    return np.where(ascii_signs, _TABLE[np.where(ascii_signs, signs, 0)], signs).astype(np.uint32)


def _folded(text: str) -> str:
    """The text with folded words in place of each that has a sign beyond ASCII.

    The plain letters that already stand for Turkish ones fold to themselves; ``words`` composes
    the others, since an ``s`` with its cedilla behind it is no ``s`` yet.
    """
    return _FOREIGN.sub(lambda found: f" {' '.join(map(fold, words(found[0])))} ", text)
