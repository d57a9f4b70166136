"""Running heads, feet and printed page numbers, which are no part of what a page says."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Lines at the top and at the bottom of a page among which running lines stand.
TOP, BOTTOM = 3, 2
#: Share of the pages with text on which a running line stands, 0 to 1.
MIN_SHARE = 0.6
#: Pages below which a repeated line may be chance.
MIN_PAGES = 3
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")


def without_running_lines(texts: Sequence[str]) -> list[str]:
    """Texts of a document's pages in order, without lines that repeat at their edges.

    Numbers in a line are ignored when lines are compared. The first page keeps its lines, for a
    head often holds the number and the date of the document; so does a page that would lose half
    of its text.
    """
    pages = [text.split("\n") for text in texts]
    filled = [lines for lines in pages if any(line.strip() for line in lines)]
    if len(filled) < MIN_PAGES:
        return list(texts)
    counts = Counter(key for lines in filled for key in {_key(lines[at]) for at in _edges(lines)})
    running = {key for key, count in counts.items() if count >= MIN_SHARE * len(filled)}
    return [texts[0], *(_stripped(lines, running) for lines in pages[1:])]


def _key(line: str) -> str:
    return _DIGITS.sub("#", _BLANKS.sub("", line))


def _edges(lines: Sequence[str]) -> Iterator[int]:
    """Places of the first and last lines with text, each once."""
    places = [at for at, line in enumerate(lines) if line.strip()]
    yield from sorted({*places[:TOP], *places[-BOTTOM:]})


def _stripped(lines: Sequence[str], running: set[str]) -> str:
    dropped = {at for at in _edges(lines) if _key(lines[at]) in running}
    kept = "\n".join(line for at, line in enumerate(lines) if at not in dropped)
    whole = "\n".join(lines)
    return kept if 2 * len(kept) > len(whole) else whole
