"""The parts of a law in reading order: what stands before, articles, annexes, tables."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from docrag.chunkers.legal_ends import (
    annex_below,
    annex_of,
    is_last_sentence,
    is_law_title,
    law_title,
    names_law,
)
from docrag.chunkers.legal_headings import Counters, Heading
from docrag.chunkers.legal_lines import BODY, HEAD
from docrag.chunkers.legal_notes import begins_table
from docrag.chunkers.legal_order import Order, freed
from docrag.chunkers.legal_part import ANNEX, ARTICLE, FRONT, TABLE, Part
from docrag.chunkers.legal_quotes import Quotes
from docrag.chunkers.legal_titles import Title, division_of, title_above, title_within
from docrag.chunkers.legal_width import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line

#: Articles before which nothing is a table of amendments.
MIN_ARTICLES = 3
#: Lines of text for each article of a table of contents, at most: its own, one of its title, and
#: some of divisions; and the part of the articles that may end in a stop, as those of a law do.
CONTENTS_LINES, CONTENTS_STOPS = 2.4, 0.25
#: Lines of an article among which the words stand that end a law, and their characters.
LAST_LINES, LAST_LENGTH = 8, 400
#: Lines back in which a quotation mark closes the wording before a heading.
_CLOSED_WITHIN = 3
#: Lines between two names of annexes in a list of them.
_LISTED_WITHIN = 2
_GOES_ON = re.compile(r"\(\d{1,3}\)")
#: A law that changes another one.
_AMENDS = re.compile(r"DEĞİŞİKLİK YAPIL")


class Outline:
    """Reads the lines of one document once, from first to last."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Read the lines; `parts` and `count` are the result."""
        #: The lines that were read.
        self.lines = freed(lines)
        #: Widths of the lines.
        self.measure = Measure(self.lines)
        self._order = Order(self.lines)
        self._counters = Counters()
        self._quotes = Quotes()
        self._divisions: dict[int, str] = {}
        self._part = Part(kind=FRONT, first=0, last=0)
        self._document: tuple[str, ...] = ()
        self._is_own = True
        self._body = 0  # lines of text since the last heading
        self._read_lines = 0  # lines of text from the first heading on
        self._stops = 0  # those of them that end a sentence
        self._least = 0  # the first line that a title may have
        self._is_divided = False  # a division was named since the last heading
        self._closed = -_CLOSED_WITHIN  # the last line that ended a quotation, by lines of text
        self._is_last = False
        self._sentence = ""  # what the article says, while it may be the law's last one
        self._annex_at = -_LISTED_WITHIN  # the last line that named an annex
        #: The parts in reading order, and how many of them are articles.
        self.parts: list[Part] = []
        self.count = 0
        #: Lines that quote another law.
        self.quoted: set[int] = set()
        for at, line in enumerate(self.lines):
            if line.role == BODY:
                self._read(at, line.text)
        self._close(len(lines))

    def _read(self, at: int, text: str) -> None:
        inside = self._quotes.feed(text)
        self._body += 1
        self._read_lines += bool(self.count)
        self._stops += bool(self.count) and text[-1] in ".;"
        if inside:
            self.quoted.add(at)
        if self._part.kind == TABLE:
            self._read_annex(at, text)
            return
        heading = self._order.heading(at)
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
            self._is_divided = True
        elif self.count >= MIN_ARTICLES and begins_table(text, self._next_text(at)):
            self._open(at, Part(kind=TABLE, first=at, last=at, title=text))
        elif self._is_last and not _GOES_ON.match(text):
            self._open(at, Part(kind=ANNEX, first=at, last=at, title=annex_of(text)))
        elif self._part.kind == ANNEX:
            self._read_annex(at, text)
        else:
            self._read_article(at, text)

    def _read_article(self, at: int, text: str) -> None:
        """A line below a heading: behind the last article, it may open an annex."""
        name = annex_below(self.lines, at) if self._part.kind == ARTICLE else ""
        if name and not self._order.leads_on(at, self._counters):
            self._annex_at = at
            self._open(at, Part(kind=ANNEX, first=at, last=at, title=name))
        else:
            self._read_end(at, text)

    def _read_annex(self, at: int, text: str) -> None:
        """A line behind the articles: does it begin an annex, and does not only list one?"""
        name = annex_of(text)
        if name:
            alone = at - self._annex_at > _LISTED_WITHIN and not annex_of(self._next_text(at))
            self._annex_at = at
            if alone:
                self._open(at, Part(kind=ANNEX, first=at, last=at, title=name))

    def _read_end(self, at: int, text: str) -> None:
        """A line of text below a heading: is it the last sentence of the law?"""
        if self._part.kind != ARTICLE or self._body > LAST_LINES:
            return
        self._sentence = f"{self._sentence} {text}".strip()[: LAST_LENGTH + 1]
        if len(self._sentence) <= LAST_LENGTH and is_last_sentence(self._sentence):
            self._is_last = not self._order.leads_on(at, self._counters, kinds=("madde",))

    def _accepts(self, at: int, heading: Heading, *, inside: bool) -> bool:
        if inside:
            if heading.is_quoted or not self._counters.is_due(heading):
                return False
            if self._body - self._closed > _CLOSED_WITHIN and not self._ends_quotation(at, heading):
                return False
            self._quotes.end()
        if self._begins_anew(at, heading):
            return True
        if self._order.is_reference(at, self._counters.due(heading.kind)):
            return False
        return self._counters.accept(heading, self._order.following(at))

    def _ends_quotation(self, at: int, heading: Heading) -> bool:
        """True for an article behind a quotation that was never closed: the next counts on.

        An article that is quoted comes before the one of the amending law with its number.
        """
        if not heading.is_separated or not self._order.is_last(at):
            return False
        following = self._order.following(at)
        return following is None or following.number == heading.number + 1

    def _begins_anew(self, at: int, heading: Heading) -> bool:
        """True for article 1 where it is counted anew: of a second law, or behind the contents."""
        is_first = heading.name == "1" and heading.kind == "madde"
        if not is_first or heading.is_quoted or not self._counters.has(heading):
            return False
        following = self._order.following(at)
        is_behind = self._is_last or self._part.kind == ANNEX
        if is_behind and heading.is_separated:
            self._begin_document(at)
        elif self._is_contents() and following is not None and following.number == MIN_ARTICLES - 1:
            self._drop_contents(at)
        elif self._order.counts_up(at) and (heading.is_separated or not heading.rest):
            self._begin_document(at)
        else:
            return False
        self._counters = Counters()
        return self._counters.accept(heading, following)

    def _begin_document(self, at: int) -> None:
        """A second law, a part that counts its own articles, or an annex that has articles."""
        part = self._part
        title, first = law_title(self.lines, part.first, at)
        if part.kind == ANNEX and part.title and not names_law(self.lines, part.first, at):
            self._divisions = {}
            self._document, self._is_own = (title or part.title,), False
            return
        if part.kind == ARTICLE and not self._is_last and not is_law_title(title):
            self._document = self._document if self._is_divided else ()
            self._divisions = self._divisions if self._is_divided else {}
            return
        divisions = [division_of(line.text) for line in self.lines[first:at]]
        self._divisions = {found.level: found.name for found in divisions if found}
        self._document = (title,) if title else ()
        self._is_own = not _AMENDS.search(title)
        if first < at:
            self._open(first, Part(kind=FRONT, first=first, last=first))

    def _is_contents(self) -> bool:
        """True if the articles so far are hardly more than their headings."""
        if self.count < MIN_ARTICLES or self._stops > CONTENTS_STOPS * self.count:
            return False
        return self._read_lines <= CONTENTS_LINES * self.count

    def _drop_contents(self, at: int) -> None:
        """Make what was read so far text without articles."""
        below = [n for n in range(self._part.at + 1, at) if self.lines[n].role == BODY]
        if self._part.heading and not self._part.heading.rest and len(below) == 1:
            self._least = at  # what stands there is the title of the last article listed
        self.parts = []
        self.count = self._read_lines = self._stops = 0
        self._divisions = {}
        self._part = Part(kind=FRONT, first=0, last=0)

    def _open_article(self, at: int, heading: Heading) -> None:
        title = title_above(self.lines, at, floor=self._floor(), measure=self.measure)
        if heading.name == "1" and heading.kind == "madde":
            title = self._without_law(title, at)
        name = title.text or self._title_within(at, heading)
        if name and name in self._document:  # the title of the law, not of its first article
            name = ""
        is_annexed = self._part.kind == ANNEX and self._part.title and heading.kind == "madde"
        part = Part(
            kind=ARTICLE,
            first=title.first,
            last=title.first,
            path=(*self._document, *(name for _, name in sorted(self._divisions.items()))),
            heading=heading,
            at=at,
            title=name,
            is_own=self._is_own and not is_annexed,
        )
        self._open(title.first, part)
        self._body = 0
        self._closed = -_CLOSED_WITHIN
        self.count += 1
        self._sentence = ""
        self._is_divided = False
        self._read_end(at, heading.rest)

    def _without_law(self, title: Title, at: int) -> Title:
        """The title of article 1 without that of the law above it."""
        above = range(title.first, at)
        names = [place for place in above if is_law_title(self.lines[place].text)]
        if not names:
            return title
        first = names[-1] + 1
        texts = [line.text for line in self.lines[title.first : first] if line.role == BODY]
        return Title(text=title.text.removeprefix(" ".join(texts)).strip(), first=first)

    def _title_within(self, at: int, heading: Heading) -> str:
        below = self._next_text(at)
        last = at + 1 == len(self.lines) or self.lines[at + 1].flow != self.lines[at].flow
        return title_within(heading.rest, is_first=last, below=below)

    def _floor(self) -> int:
        """First line that the title of the next article may have."""
        first = self._part.at + 1 if self._part.kind == ARTICLE else self._part.first
        return max(first, self._least)

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
