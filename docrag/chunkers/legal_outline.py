"""The parts of a law in reading order: what stands before, articles, annexes, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docrag.chunkers.legal_headings import Counters, Heading, heading_of
from docrag.chunkers.legal_lines import BODY, HEAD
from docrag.chunkers.legal_notes import begins_table
from docrag.chunkers.legal_quotes import Quotes
from docrag.chunkers.legal_titles import division_of, title_above, title_within
from docrag.chunkers.legal_width import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line

#: What a part is.
FRONT, ARTICLE, ANNEX, TABLE = "front", "article", "annex", "table"
#: Articles before which nothing is a table of amendments.
MIN_ARTICLES = 3
#: Lines of text for each article of a table of contents, at most: its own and a division's.
CONTENTS_LINES = 1.6
#: Lines of an article among which the words stand that end a law, and their characters.
LAST_LINES, LAST_LENGTH = 8, 400
#: Lines back in which a quotation mark closes the wording before a heading.
_CLOSED_WITHIN = 3
#: Lines between two names of annexes in a list of them.
_LISTED_WITHIN = 2
#: Who carries out the law, which is its last sentence.
_LAST = re.compile(r"(?:\(1\)[ \t]*)?Bu [^.]{0,300}(?:yürüt(?:ür|ürler)|yürütülür)[ \t]*\.?[”\"]?$")
_GOES_ON = re.compile(r"\(\d{1,3}\)")
_ANNEX = re.compile(
    r"(?:EK|Ek)[ \t]?[-–: ]?[ \t]?(?:\d{1,3}|[IVX]{1,4}|[A-ZÇĞİÖŞÜ])(?![\w'’/.,])|EKLER\b"
    r"|\([IVX0-9]{1,4}\) SAYILI (?:CETVEL|LİSTE)"
)
#: A law that changes another one.
_AMENDS = re.compile(r"DEĞİŞİKLİK YAPIL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Lines that belong together; together the parts hold every line once."""

    #: ``front``, ``article``, ``annex`` or ``table``.
    kind: str
    #: First line and the one behind the last.
    first: int
    last: int
    #: Names of the divisions around it, the largest first.
    path: tuple[str, ...] = ()
    #: Of an article: its heading, that line's place, and the title.
    heading: Heading | None = None
    at: int = 0
    title: str = ""
    #: False for an article of an amending text that is printed behind the law that it changes.
    is_own: bool = True


class Outline:
    """Reads the lines of one document once, from first to last."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Read the lines; `parts` and `count` are the result."""
        #: The lines that were read.
        self.lines = lines
        #: Widths of the lines.
        self.measure = Measure(lines)
        self._headings = {
            at: heading
            for at, line in enumerate(lines)
            if line.role == BODY and (heading := heading_of(line.text[:HEAD]))
        }
        self._following = _following(self._headings)
        self._counters = Counters()
        self._quotes = Quotes()
        self._divisions: dict[int, str] = {}
        self._part = Part(kind=FRONT, first=0, last=0)
        self._document: tuple[str, ...] = ()
        self._is_own = True
        self._body = 0  # lines of text since the last heading
        self._read_lines = 0  # lines of text from the first heading on
        self._closed = -_CLOSED_WITHIN  # the last line that ended a quotation, by lines of text
        self._is_last = False
        self._sentence = ""  # what the article says, while it may be the law's last one
        self._annex_at = -_LISTED_WITHIN  # the last line that named an annex
        #: The parts in reading order, and how many of them are articles.
        self.parts: list[Part] = []
        self.count = 0
        #: Lines that quote another law.
        self.quoted: set[int] = set()
        for at, line in enumerate(lines):
            if line.role == BODY:
                self._read(at, line.text)
        self._close(len(lines))

    def _read(self, at: int, text: str) -> None:
        inside = self._quotes.feed(text)
        self._body += 1
        self._read_lines += bool(self.count)
        if inside:
            self.quoted.add(at)
        if self._part.kind == TABLE:
            self._read_annex(at, text)
            return
        heading = self._headings.get(at)
        if heading is not None and self._accepts(at, heading, inside=inside):
            self._open_article(at, heading)
        elif not inside:
            self._read_between(at, text)
        if self._quotes.was_closed:
            self._closed = self._body

    def _read_between(self, at: int, text: str) -> None:
        """A line that begins no article: a division, an annex, a table, or plain text."""
        division = division_of(text)
        if division is not None:
            kept = {n: name for n, name in self._divisions.items() if n < division.level}
            self._divisions = {**kept, division.level: division.name}
        elif self.count >= MIN_ARTICLES and begins_table(text, self._next_text(at)):
            self._open(at, Part(kind=TABLE, first=at, last=at, title=text))
        elif self._is_last and not _GOES_ON.match(text):
            self._open(at, Part(kind=ANNEX, first=at, last=at, title=_annex(text)))
        elif self._part.kind == ANNEX:
            self._read_annex(at, text)
        else:
            self._read_end(text)

    def _read_annex(self, at: int, text: str) -> None:
        """A line behind the articles: does it begin an annex, and does not only list one?"""
        name = _annex(text)
        if name:
            alone = at - self._annex_at > _LISTED_WITHIN and not _annex(self._next_text(at))
            self._annex_at = at
            if alone:
                self._open(at, Part(kind=ANNEX, first=at, last=at, title=name))

    def _read_end(self, text: str) -> None:
        """A line of text below a heading: is it the last sentence of the law?"""
        if self._part.kind != ARTICLE or self._body > LAST_LINES:
            return
        self._sentence = f"{self._sentence} {text}".strip()[: LAST_LENGTH + 1]
        if len(self._sentence) <= LAST_LENGTH and _LAST.match(self._sentence):
            self._is_last = True

    def _accepts(self, at: int, heading: Heading, *, inside: bool) -> bool:
        if inside:
            closed = self._body - self._closed <= _CLOSED_WITHIN
            if heading.is_quoted or not closed or not self._counters.is_due(heading):
                return False
            self._quotes.end()
        if self._begins_anew(at, heading):
            return True
        return self._counters.accept(heading, self._following.get(at))

    def _begins_anew(self, at: int, heading: Heading) -> bool:
        """True for article 1 where it is counted anew: of a second law, or behind the contents."""
        is_first = heading.name == "1" and heading.kind == "madde" and heading.is_separated
        if not is_first or heading.is_quoted or not self._counters.has(heading):
            return False
        following = self._following.get(at)
        if self._is_last or self._part.kind == ANNEX:
            self._begin_document(at)
        elif self._is_contents() and following is not None and following.number == MIN_ARTICLES - 1:
            self._drop_contents()
        else:
            return False
        self._counters = Counters()
        return self._counters.accept(heading, following)

    def _begin_document(self, at: int) -> None:
        title = _capitals([line.text for line in self.lines[self._part.first : at]])
        self._divisions = {}
        self._document = (title,) if title else ()
        self._is_own = not _AMENDS.search(title)

    def _is_contents(self) -> bool:
        """True if the articles so far are hardly more than their headings."""
        return self.count >= MIN_ARTICLES and self._read_lines <= CONTENTS_LINES * self.count

    def _drop_contents(self) -> None:
        """Make what was read so far text without articles."""
        self.parts = []
        self.count = self._read_lines = 0
        self._divisions = {}
        self._part = Part(kind=FRONT, first=0, last=0)

    def _open_article(self, at: int, heading: Heading) -> None:
        title = title_above(self.lines, at, floor=self._floor(), measure=self.measure)
        name = title.text or self._title_within(at, heading)
        if name and name in self._document:  # the title of the law, not of its first article
            name = ""
        part = Part(
            kind=ARTICLE,
            first=title.first,
            last=title.first,
            path=(*self._document, *(name for _, name in sorted(self._divisions.items()))),
            heading=heading,
            at=at,
            title=name,
            is_own=self._is_own,
        )
        self._open(title.first, part)
        self._body = 0
        self._closed = -_CLOSED_WITHIN
        self.count += 1
        self._sentence = ""
        self._read_end(heading.rest)

    def _title_within(self, at: int, heading: Heading) -> str:
        below = self._next_text(at)
        last = at + 1 == len(self.lines) or self.lines[at + 1].flow != self.lines[at].flow
        return title_within(heading.rest, is_first=last, below=below)

    def _floor(self) -> int:
        """First line that the title of the next article may have."""
        return self._part.at + 1 if self._part.kind == ARTICLE else self._part.first

    def _next_text(self, at: int) -> str:
        for line in self.lines[at + 1 : at + 4]:
            if line.role == BODY:
                return line.text[:HEAD]
        return ""

    def _open(self, first: int, part: Part) -> None:
        self._close(first)
        self._part = part
        self._is_last = False

    def _close(self, last: int) -> None:
        part = replace(self._part, last=last)
        if part.first < part.last:
            self.parts.append(part)


def _following(headings: dict[int, Heading]) -> dict[int, Heading]:
    """For each heading the next one of its kind."""
    found: dict[int, Heading] = {}
    nearest: dict[str, Heading] = {}
    for at in reversed(headings):
        heading = headings[at]
        if heading.kind in nearest:
            found[at] = nearest[heading.kind]
        nearest[heading.kind] = heading
    return found


def _annex(text: str) -> str:
    """The line if it names an annex, else empty."""
    return text[:HEAD] if _ANNEX.match(text) and len(text) <= HEAD else ""


def _capitals(texts: Sequence[str]) -> str:
    """The last lines in capitals, on one line: the title of a law."""
    run: list[str] = []
    for text in reversed(texts[-MIN_ARTICLES * LAST_LINES :]):
        if text.isupper() and division_of(text) is None:
            run.append(text)
        elif run:
            break
    return " ".join(reversed(run))[:HEAD]
