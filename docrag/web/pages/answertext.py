"""The text of an answer in pieces that a page can show: markers are links, doubts are marked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from docrag.answer.checking import SIGN
from docrag.answer.markers import spans
from docrag.api import spans as sentences
from docrag.api import words
from docrag.web.openai.annotations import SNIPPET

#: Between two cells of a table's row.
BETWEEN: Final = " · "
#: Signs of Markdown and of the checking, which a checked sentence has lost, and of shown rows.
_SIGNS: Final = frozenset(f"*_`|#>{SIGN}{BETWEEN}")
#: A border between two cells; with a backslash before it, it is a sign in a cell.
_BORDER: Final = re.compile(r"(?<!\\)\|")
#: The line below the head of a table.
_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of an answer that is shown in one way."""

    text: str
    #: Number of the source that it is the marker of; ``None`` for words.
    number: int | None = None
    #: It belongs to a sentence that no source supports.
    is_doubtful: bool = False


def pieces(text: str, *, cited: Collection[int], doubtful: Iterable[str]) -> list[Piece]:
    """The whole text of an answer in order.

    :param cited: numbers of its sources; a marker that names none of them is words.
    :param doubtful: the sentences that no source supports, in order.
    """
    markers = {start: (end, n) for n, start, end in spans(text) if n in cited}
    doubts = list(_doubts(text, doubtful))
    ends = {0, len(text)}
    ends |= {place for start, (end, _) in markers.items() for place in (start, end)}
    ends |= {place for span in doubts for place in span}
    places = sorted(ends)
    return [
        Piece(
            text=text[start:end],
            number=markers[start][1] if start in markers else None,
            is_doubtful=any(first <= start < last for first, last in doubts),
        )
        for start, end in zip(places, places[1:], strict=False)
    ]


def excerpt(source: str, said: str, *, heading: str = "") -> str:
    """At most :data:`SNIPPET` characters of a source in one paragraph, from its best sentence on.

    Rows of tables come without their borders.

    :param said: the text, such as an answer, with which that sentence has the most words in common.
    :param heading: what stands above the excerpt; it is not said again where the source begins
        with it.
    """
    line = _paragraph(source.splitlines())
    if heading and line.startswith(f"{heading} "):
        line = line.removeprefix(heading).lstrip()
    if len(line) <= SNIPPET:
        return line
    wanted = set(words(said))
    starts = [(len(wanted & set(words(line[a:b]))), -a) for a, b in sentences(line)]
    start = -max(starts, default=(0, 0))[1]
    # A sentence at the end leaves room for some that stand before it.
    start = start if len(line) - start >= SNIPPET // 2 else len(line) - SNIPPET
    end = start + SNIPPET
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"


def _paragraph(lines: Iterable[str]) -> str:
    """The lines as one; rows of a table are told apart by semicolons."""
    told, before = "", False
    for line in lines:
        is_row = _is_row(line.strip())
        text = _cells(line.strip()) if is_row else line
        if text or not is_row:
            told += f"{'; ' if is_row and before else ' '}{text}"
            before = is_row
    return " ".join(told.split())


def _is_row(line: str) -> bool:
    """True for a row, also for one whose beginning is cut off."""
    return line.startswith("|") or (line.endswith("|") and not line.endswith("\\|"))


def _cells(row: str) -> str:
    """The cells beside each other, without empty ones; nothing of the line below a head."""
    cells = () if _RULE.fullmatch(row) else map(str.strip, _BORDER.split(row))
    return BETWEEN.join(cell.replace("\\|", "|") for cell in cells if cell)


def _doubts(text: str, sentences: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, in order; one that is not found has none.

    Blanks, markers and signs of Markdown are not compared: the checked sentences lack some.
    """
    kept = [place for place in range(len(text)) if _counts(text[place])]
    for _, start, end in spans(text):
        kept = [place for place in kept if not start <= place < end]
    squeezed = "".join(text[place] for place in kept)
    done = 0
    for sentence in sentences:
        wanted = "".join(filter(_counts, sentence))
        found = squeezed.find(wanted, done) if wanted else -1
        if found >= 0:
            done = found + len(wanted)
            yield kept[found], kept[done - 1] + 1


def _counts(letter: str) -> bool:
    return not letter.isspace() and letter not in _SIGNS
