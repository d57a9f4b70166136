"""Neighbouring pieces of a text put together again, without what the chunker repeated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

#: Ordinal and text of a piece.
Piece: TypeAlias = tuple[int, str]
#: Fewest characters at a border that count as repeated by the chunker: a word or two may as well
#: stand twice in the document ("madde 1" and "1 gün"), and would be lost.
LEAST_OVERLAP: Final = 16
#: Most characters that a chunker repeats, the upper bound of ``DOCRAG_CHUNK_OVERLAP``.
MOST_OVERLAP: Final = 10_000
#: Stands between pieces that are not neighbours, where text was left out.
GAP: Final = "\n…\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Neighbouring pieces as one text."""

    text: str
    #: Place in ``text`` where each piece begins, characters; each stands there whole.
    starts: tuple[int, ...]


def overlap(first: str, second: str) -> int:
    """Characters that the second text repeats of the end of the first.

    The longest end of the first that the second begins with, of :data:`LEAST_OVERLAP` to
    :data:`MOST_OVERLAP` characters; 0 for none. Never the whole of either: a chunker goes forward.
    """
    head = second[:LEAST_OVERLAP]
    if len(second) <= LEAST_OVERLAP:
        return 0
    place = first.find(head, max(1, len(first) - min(MOST_OVERLAP, len(second) - 1)))
    while place >= 0:
        if second.startswith(first[place:]):
            return len(first) - place
        place = first.find(head, place + 1)
    return 0


def runs(pieces: Iterable[Piece]) -> list[Run]:
    """Pieces of one document, neighbours (ordinals one apart) joined; none for no pieces.

    Every piece stands in its run as it is. What two neighbours share stands once; where they share
    nothing, a line end is put between them.

    :param pieces: in reading order, each ordinal once.
    """
    found: list[tuple[str, list[int]]] = []
    before: Piece | None = None
    for ordinal, text in pieces:
        if before is None or ordinal != before[0] + 1:
            found.append((text, [0]))
        else:
            whole, starts = found[-1]
            shared = overlap(before[1], text)
            start = len(whole) - shared if shared else len(whole) + 1
            found[-1] = (
                f"{whole}{text[shared:]}" if shared else f"{whole}\n{text}",
                [*starts, start],
            )
        before = (ordinal, text)
    return [Run(text=text, starts=tuple(starts)) for text, starts in found]


def joined(pieces: Iterable[Piece]) -> str:
    """The text of :func:`runs`, with a :data:`GAP` where text between them was left out."""
    return GAP.join(run.text for run in runs(pieces))
