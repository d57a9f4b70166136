"""Articles in pieces of at most so many characters, never cut inside an item that fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.api import spans
from docrag.chunkers.legal_lines import BODY, NOTE
from docrag.chunkers.packing import cut, packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docrag.chunkers.flow import Flow
    from docrag.chunkers.legal_lines import Line
    from docrag.chunkers.legal_paragraphs import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What becomes one chunk: a span of a flow's text and the nodes that it holds."""

    #: First character and the place behind the last.
    start: int
    end: int
    #: Neighbours of one parent; more than one piece may be of one node that is too long.
    nodes: tuple[Node, ...]


#: How many times the usual length an item, or a paragraph without items, may have that is kept
#: whole: 1,700 characters are within 512 tokens.
WHOLE = 1.7
#: The same for an item (bent) with items of its own, which say little without its first words.
#: 2,500 characters are about 600 tokens. Of 226 questions over laws (``eval/law_train.jsonl``), the
#: right page is among the first five for 200, as when such items are cut; with 3.0 for 197.
WITH_ITEMS = 2.5
#: Usual length, characters, below which the limit is kept strictly: who sets it wants small pieces.
LEAST = 500


class Cutter:
    """Cuts articles of one document."""

    def __init__(self, lines: Sequence[Line], flow: Flow, *, size: int) -> None:
        """Build for one flow.

        :param lines: lines of the document; those cut must be of this flow.
        :param size: most characters of a piece.
        """
        self._lines, self._flow, self._size = lines, flow, size

    def whole(self, nodes: Sequence[Node]) -> Piece | None:
        """All nodes as one piece if it fits, else ``None``; at least one must have text."""
        span = self._span(nodes[0].first, nodes[-1].last)
        if span is None or span[1] - span[0] > self._size:
            return None
        return Piece(start=span[0], end=span[1], nodes=tuple(nodes))

    def pieces(self, nodes: Sequence[Node]) -> Iterator[Piece]:
        """Runs of nodes that fit, in order; one that is too long is cut into its own.

        A footnote is a piece of its own, and paragraphs whose number is not known stand apart from
        those with one, so that a piece is called what all of it is.
        """
        run: list[Node] = []
        for node in nodes:
            if run and (_is_parted(run[-1], node) or self._is_long(run[0], node)):
                yield from self._run(run)
                run = []
            if self._is_long(node, node):
                yield from self._long(node)
            else:
                run.append(node)
        yield from self._run(run)

    def _is_long(self, first: Node, last: Node) -> bool:
        """True if the nodes from the first to the last are too long together."""
        span = self._span(first.first, last.last)
        return span is not None and span[1] - span[0] > self._size

    def _run(self, run: Sequence[Node]) -> Iterator[Piece]:
        piece = self.whole(run) if run else None
        if piece is not None:
            yield piece

    def _long(self, node: Node) -> Iterator[Piece]:
        """A node that is longer than a piece; nothing for one without text.

        An item, and a paragraph without items, stays whole up to a limit of its own; beyond it,
        its items become pieces, or else its sentences do.
        """
        span = self._span(node.first, node.last)
        if span and self._size >= LEAST and span[1] - span[0] <= self._size * _times(node):
            yield Piece(start=span[0], end=span[1], nodes=(node,))
        elif node.children:
            yield from self.pieces(node.children)
        elif span:
            for start, end in cut_text(self._flow.text, *span, size=self._size):
                yield Piece(start=start, end=end, nodes=(node,))

    def _span(self, first: int, last: int) -> tuple[int, int] | None:
        """Places of the first and last visible character; printed page numbers do not count."""
        while first < last and self._lines[first].role not in (BODY, NOTE):
            first += 1
        while first < last and self._lines[last - 1].role not in (BODY, NOTE):
            last -= 1
        if first == last:
            return None
        return self._lines[first].start, self._lines[last - 1].end


def _times(node: Node) -> float:
    """How many times the usual length a node may have that is kept whole; 0 for any other."""
    if node.children and len(node.names) == 1:
        return WITH_ITEMS
    return WHOLE if node.names or not node.children else 0.0


def _is_parted(before: Node, node: Node) -> bool:
    """True if two neighbours must not be in one piece."""
    if before.is_note or node.is_note:
        return True
    unknown = before.paragraph is not None and node.paragraph is None
    return unknown or (before.paragraph is None and (node.paragraph or 1) > 1)


def cut_text(text: str, start: int, end: int, *, size: int) -> Iterator[tuple[int, int]]:
    """Spans of whole sentences that fit; a longer sentence is cut at blanks.

    :param start: place of a visible character, as is ``end - 1``.
    """
    units = (
        piece
        for first, last in spans(text[start:end])
        for piece in cut(text, start + first, start + last, size=size)
    )
    return packed(units, size=size, overlap=0)
