"""The lines of a law with what they are: text, footnote, printed page number or blank."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from docrag.chunkers.legal_headings import heading_of
from docrag.chunkers.legal_pages import page_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docrag.chunkers.flow import Flow

#: What a line is.
BODY, BLANK, NOTE, RUNNING = "body", "blank", "note", "running"
#: Characters of a line that are looked at where only its beginning counts.
HEAD = 200
#: A rule of dashes or underscores, which opens a page's footnotes.
_RULE = re.compile("[-_‐‑‒–—―=]{6,}")
#: A drawn rule comes as a line of many blanks.
_DRAWN_RULE = re.compile("[ \t]{30,}")
#: How the first footnote begins: ``(1)``, ``12 ``, ``*``.
_NOTE_MARK = re.compile(r"\(\*{1,3}\)|\*|\(\d{1,3}\)|\d{1,3}[ \t)]")
#: A footnote without brackets, whose raised number may stand in a line of its own, and words that
#: every note of an amendment has.
_NUMBERED_NOTE = re.compile(r"[ \t]{0,4}(\d{1,3})(?:[ \t]+(?=[A-ZÇĞİÖŞÜ\d])|[ \t]*$)")
_NAMES_LAW = re.compile(r"tarihli|sayılı|maddesi|Bu (?:madde|fıkra|ben[td]|cümle)")
#: A raised number that the reader put into a line of its own.
RAISED = re.compile(r"\d{1,6}")
_LISTED = re.compile(r"[a-zçğıöşü]{1,2}\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a flow, without the blanks at its ends."""

    #: Which flow of the document, from 0.
    flow: int
    #: First character and the place behind the last one, in the flow's text.
    start: int
    end: int
    text: str
    #: ``body``, ``blank``, ``note`` or ``running``.
    role: str


def lines_of(flows: Sequence[Flow]) -> list[Line]:
    """All lines of a document in reading order, neighbouring blank ones of a page as one."""
    found: list[Line] = []
    last = 0  # number of the last footnote without brackets
    for number, flow in enumerate(flows):
        places = list(pairwise([*flow.starts, len(flow.text) + 1]))
        pages = [flow.text[begin : end - 1].split("\n") for begin, end in places]
        is_paged = flow.first is not None
        printed = page_numbers(pages, flow.first or 0) if is_paged else [set()] * len(pages)
        for (begin, _), raw, running in zip(places, pages, printed, strict=True):
            roles, last = _roles(raw, running, paged=is_paged, last=last)
            found += _page_lines(number, raw, roles, begin)
    return found


def _page_lines(flow: int, raw: Sequence[str], roles: Sequence[str], begin: int) -> Iterator[Line]:
    place, before = begin, ""
    for line, role in zip(raw, roles, strict=True):
        if role is not BLANK or before is not BLANK:  # one stands for many
            text = line.strip()
            start = place + len(line) - len(line.lstrip()) if text else place
            yield Line(flow=flow, start=start, end=start + len(text), text=text, role=role)
        place += len(line) + 1
        before = role


def _roles(
    raw: Sequence[str], running: set[int], *, paged: bool, last: int
) -> tuple[list[str], int]:
    """What each line of one page is, and the number of the last footnote.

    :param running: places of printed page numbers.
    :param paged: it is a physical page, at the end of which footnotes end.
    :param last: number of the last footnote of the pages before.
    """
    roles = [BODY if line.strip() else BLANK for line in raw]
    first = _footnotes(raw)
    end = len(raw) if paged else _footnotes_end(raw, first)
    for at in running:
        roles[at] = RUNNING
    if paged:
        first = min(first, _numbered_footnotes(raw, last))
    for at in range(first, end):
        roles[at] = NOTE if roles[at] is BODY else roles[at]
        numbered = _NUMBERED_NOTE.match(raw[at])
        if numbered and int(numbered[1]) == last + 1:
            last += 1
    return roles, last


def is_rule(text: str) -> bool:
    """True for a line, without blanks at its ends, that opens footnotes."""
    return _RULE.fullmatch(text) is not None


def _footnotes(raw: Sequence[str]) -> int:
    """Place of the rule above the footnotes; the number of lines if there are none."""
    opened = len(raw)
    for at, line in enumerate(raw):
        text = line.strip()
        if text and opened < at and not _RULE.fullmatch(text):
            if _NOTE_MARK.match(text):
                return opened
            opened = len(raw)
        if _RULE.fullmatch(text) or (not text and _DRAWN_RULE.match(line)):
            opened = at
    return len(raw)


def _numbered_footnotes(raw: Sequence[str], last: int) -> int:
    """Place of footnotes whose rule is a drawing, so that only a blank line is left of it.

    The first one has the next number of the document, names a law, and no article stands below.
    """
    for at in range(1, len(raw)):
        if raw[at - 1].strip():
            continue
        found = _NUMBERED_NOTE.match(raw[at])
        text = " ".join(raw[at : at + 2])[:HEAD]
        if found and int(found[1]) == last + 1 and _NAMES_LAW.search(text):
            below = (heading_of(line.strip()[:HEAD]) for line in raw[at:])
            return len(raw) if any(below) else at
    return len(raw)


def _footnotes_end(raw: Sequence[str], first: int) -> int:
    """End of footnotes in a text without pages: a blank line, a list item or a heading."""
    seen = False
    for at in range(first + 1, len(raw)):
        text = raw[at].strip()
        if seen and (not text or _LISTED.match(text) or heading_of(text[:HEAD])):
            return at
        seen = seen or bool(text)
    return len(raw)
