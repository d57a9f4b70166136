"""Lines of a flow with what decides whether one is a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrag.chunkers.flow import Flow

#: A line shorter than this part of the usual line may end a paragraph, as in sentences.
SHORT = 0.75
#: Place of the usual line among the lines sorted by length, 0 to 1, as in sentences.
_USUAL = 0.8
#: Text is never wrapped at fewer characters: shorter lines are a list or a form.
NARROW = 30
#: What a line ends with that does not go on below it.
_ENDS = tuple(".!?:;…)\"'”»")
#: What a list item begins with.
ITEM = re.compile(
    r"(?:[-*+•–▪◦●○] |\(?\d{1,3}\) |\d{1,3}[.)][ \t]*(?=[A-ZÇĞİÖŞÜ])|\d{1,2}(?:\.\d{1,2})+[.)]? "
    r"|\(?[a-zçğıöşü]{1,2}\) |(?:(?:EK|Ek|GEÇİCİ|Geçici) )?(?:MADDE|Madde) \d)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that is not blank."""

    #: Places of its first visible character and behind its last one, in the flow.
    start: int
    end: int
    #: The visible part.
    text: str
    #: Which of the flow's pages holds it, from 0.
    page: int
    #: True if a blank line or nothing stands before it.
    apart: bool


def lines_of(flow: Flow) -> list[Line]:
    """The lines of a flow in order, without blank ones."""
    found: list[Line] = []
    place, apart = 0, True
    for raw in flow.text.split("\n"):
        text = raw.strip()
        if text:
            start = place + len(raw) - len(raw.lstrip())
            page = flow.index_at(start)
            end = start + len(text)
            found.append(Line(start=start, end=end, text=text, page=page, apart=apart))
        apart = not text
        place += len(raw) + 1
    return found


def usual_length(lines: list[Line]) -> int:
    """Characters of a line that is filled with text; 0 for no lines."""
    lengths = sorted(len(line.text) for line in lines)
    return lengths[int(_USUAL * len(lengths))] if lengths else 0


def ends_before(line: Line, before: Line | None, usual: int) -> bool:
    """True if the text before a line has ended, so that the line is not its wrapped end.

    :param usual: :func:`usual_length` of the lines.
    """
    if before is None or line.apart or before.page != line.page or usual < NARROW:
        return True
    return before.text.endswith(_ENDS) or len(before.text) < SHORT * usual


def goes_on(line: Line, after: Line | None) -> bool:
    """True if the next line begins with a small letter, so that it belongs to the line."""
    if after is None or after.apart or ITEM.match(after.text):
        return False
    return after.text[0].islower()
