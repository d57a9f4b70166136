"""A source, read once: where its words, names, numbers and dates stand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from docrag.answer.language import language_of
from docrag.answer.verification.claim import Word, keys
from docrag.answer.verification.dates import dates
from docrag.answer.verification.endings import SHORTEST, same
from docrag.answer.verification.line import Line as Line
from docrag.answer.verification.names import mentions, names
from docrag.answer.verification.numbers import numbers
from docrag.answer.verification.references import Reference, of_source, references
from docrag.answer.verification.tables import of_text
from docrag.answer.verification.tokens import Token, composed, tokens
from docrag.answer.verification.units import unit_of
from docrag.api import Citation, fold, header, spans, words

#: The beginning of a table's row.
ROW: Final = "|"
#: The beginning of a list's item.
_ITEM: Final = re.compile(r"[a-zçğıöşü]{1,2}\)|\d{1,2}[.)]\s|\(\d{1,2}\)|[•*–-]\s")
#: Characters of a source that are read; a prompt holds hardly more of all sources together.
LONGEST: Final = 20_000
#: Characters that tell the language.
LANGUAGE: Final = 2_000
#: Letters up to which a word is looked for as the beginning of others as well.
SHORT: Final = 4


class Source:
    """A source whose lines can be asked for what they hold; sets of lines are bit masks."""

    def __init__(self, citation: Citation) -> None:
        self.number = citation.number
        text = composed(citation.text[:LONGEST])
        self.lines = tuple(_line(text[start:end]) for start, end in spans(text))
        self.references: frozenset[Reference] = of_source(citation).union(
            *(references(line.text) for line in self.lines)
        )
        #: All its words and figures, folded, with a blank around each.
        self.told = told([token for line in self.lines for token in line.tokens])
        #: Its tables.
        self.tables = of_text(text)
        #: Its language; ``None`` if its words tell none.
        self.language = language_of(text[:LANGUAGE])
        #: For every line itself and the line that introduces the list that it is an item of.
        self.wholes = tuple(_wholes(self.lines))
        #: All lines.
        self.everywhere = (1 << len(self.lines)) - 1
        self._forms: dict[str, frozenset[str]] = {}
        headed = {header(citation.title, citation.section)}
        headed |= {f"{chunk.section} {chunk.label}" for chunk in citation.chunks}
        #: Folded words of title, sections and labels.
        self.header = frozenset(fold(word) for name in headed for word in words(name))
        self._keys: dict[str, int] = defaultdict(int)
        self._folded: dict[str, int] = defaultdict(int)
        for place, line in enumerate(self.lines):
            self._index(1 << place, line)
        self._beginnings: dict[str, list[str]] = defaultdict(list)
        for folded in self._folded:
            self._beginnings[folded[:SHORTEST]].append(folded)

    def _index(self, bit: int, line: Line) -> None:
        for token, known in zip(line.tokens, line.keys, strict=True):
            self._folded[token.folded] |= bit
            for key in known:
                self._keys[key] |= bit

    def having(self, word: Word) -> int:
        """Lines that hold a word or a form of it."""
        found = 0
        for key in word.keys:
            found |= self._keys.get(key, 0)
        folded = word.folded
        for other in self._beginnings.get(folded[:SHORTEST], ()):
            is_beginning = len(folded) <= SHORT and other.startswith(folded)
            if is_beginning or same(folded, other):
                found |= self._folded[other]
        return found

    def forms(self, folded: str) -> frozenset[str]:
        """Words of the text and the header that are a word of a name, with endings or without."""
        if folded not in self._forms:
            known = (*self._beginnings.get(folded[:SHORTEST], ()), *self.header)
            self._forms[folded] = frozenset(other for other in known if same(folded, other))
        return self._forms[folded]

    def naming(self, folded: str) -> int:
        """Lines that hold a word of a name, with endings or without."""
        found = 0
        for other in self.forms(folded):
            found |= self._folded.get(other, 0)
        return found

    def where(self, holds: Callable[[Line], bool]) -> int:
        """Lines of which something is true."""
        return sum(1 << place for place, line in enumerate(self.lines) if holds(line))

    def within(self, lines: int) -> list[Line]:
        """Lines of a set, in order."""
        return [line for place, line in enumerate(self.lines) if lines >> place & 1]

    def is_headed(self, folded: str) -> bool:
        """True if title or section hold a word of a name."""
        return any(same(folded, word) for word in self.header)


def told(found: Sequence[Token]) -> str:
    """Words and figures, folded, with a blank around each."""
    return f" {' '.join(token.folded for token in found)} "


def _line(text: str) -> Line:
    found = tokens(text)
    days = dates(text, found)
    dated = frozenset(place for date in days for place in range(date.first, date.last))
    return Line(
        text,
        tuple(found),
        tuple(numbers(text, found, dated)),
        tuple(days),
        tuple(mentions(text, found, names(text, found))),
        tuple(map(keys, found)),
        frozenset(unit for token in found if (unit := unit_of(token.folded))),
    )


def _wholes(lines: Sequence[Line]) -> Iterator[int]:
    """A bit for each line, with that of the line before a list, or of the first row of a table."""
    head = -1
    in_table = False
    for place, line in enumerate(lines):
        is_row = line.text.startswith(ROW)
        if is_row and not in_table:
            head = place
        elif not is_row and not _ITEM.match(line.text):
            head = place if line.text.rstrip().endswith((":", ";")) else -1
        in_table = is_row
        yield 1 << place | (1 << head if head >= 0 else 0)
