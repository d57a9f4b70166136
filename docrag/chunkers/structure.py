"""Chunker that goes by what a document shows: headings, list items, tables, code, sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docrag.api import Chunk
from docrag.chunkers.blocks import blocks_of
from docrag.chunkers.flow import flows
from docrag.chunkers.limits import check_limits
from docrag.chunkers.packing import packed
from docrag.chunkers.units import rows_of, units_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docrag.api import Page
    from docrag.chunkers.blocks import Block
    from docrag.chunkers.flow import Flow
    from docrag.chunkers.headings import Heading
    from docrag.chunkers.packing import Span

#: Changes when the way of cutting changes, so that stored chunks are made again.
VERSION = "v1"
#: Most characters of a chunk's heading path and of its label.
LONGEST_PATH, LONGEST_LABEL = 300, 80
#: Most characters of a printed page number.
_LONGEST_NUMBER = 20
#: What a sentence ends with; a page that ends otherwise may go on with the next one.
_FINISHED = tuple(".!?:;…)\"'”’»|")


class StructureChunker:
    """Cuts below each heading; a page of plain prose is cut as ``recursive`` does.

    No chunk crosses a heading, and none is cut inside a list item, a table's row or a code block
    that fits. A chunk crosses a page only within a sentence or a list item that goes on there, or
    behind a heading at the foot of the page.
    """

    def __init__(self, *, size: int = 1000, overlap: int = 150) -> None:
        """Build a chunker.

        :param size: most characters of a chunk, 50 or more.
        :param overlap: most characters of whole sentences, items or rows that a chunk repeats of
            the one before below the same heading, 0 to half of size.
        :raises SettingsError: a value is out of its range.
        """
        check_limits("structure", size=size, overlap=overlap)
        self._size = size
        self._overlap = overlap
        self.fingerprint = f"structure/{size}/{overlap}/{VERSION}"

    def split(self, pages: Iterable[Page]) -> Iterator[Chunk]:
        """Non-empty chunks in reading order, ordinals 0, 1, 2…; none for empty pages."""
        ordinal = 0
        for flow in flows(pages):
            for part in _Parts(flow, self._size).found():
                for start, end in packed(part.units, size=self._size, overlap=self._overlap):
                    yield flow.chunk(
                        start, end, ordinal=ordinal, section=part.section(start), label=part.label
                    )
                    ordinal += 1


@dataclass(slots=True, kw_only=True)
class _Part:
    """What is packed together: the units below one heading, of one page as a rule."""

    path: tuple[str, ...]
    units: list[Span] = field(default_factory=list)
    #: Header of the table that a unit at this place is a later row of.
    headers: dict[int, str] = field(default_factory=dict)
    #: True as long as nothing but headings and page numbers stands here.
    is_bare: bool = True
    #: Kind of the last block.
    kind: str = ""

    @property
    def label(self) -> str:
        """The innermost heading, shortened."""
        name = self.path[-1] if self.path else ""
        return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1].rstrip()}…"

    def section(self, start: int) -> str:
        """Heading path of a chunk that starts here; inner headings come before outer ones."""
        header = self.headers.get(start)
        names = [*self.path, header] if header else list(self.path)
        while len(names) > 1 and len(" > ".join(names)) > LONGEST_PATH:
            del names[0]
        return " > ".join(names)[:LONGEST_PATH]


class _Parts:
    """Reads the parts of one flow, in order."""

    def __init__(self, flow: Flow, size: int) -> None:
        self._flow = flow
        self._size = size
        self._outer = tuple(flow.section.split(" > ")) if flow.section else ()
        self._headings: list[Heading] = []
        self._part = _Part(path=self._outer)

    def found(self) -> Iterator[_Part]:
        """Parts that hold text."""
        for block in blocks_of(self._flow):
            if self._breaks(block):
                yield self._part
                self._part = _Part(path=self._path())
            self._add(block)
        if self._part.units:
            yield self._part

    def _breaks(self, block: Block) -> bool:
        """True if a block begins a new part: it is a heading, or on a page of its own."""
        part = self._part
        if not part.units or part.is_bare:
            return False
        if block.kind == "heading":
            return True
        before, flow = part.units[-1], self._flow
        if flow.index_at(before[1] - 1) == flow.index_at(block.start):
            return False
        return not (part.kind == block.kind == "text" and self._goes_on(block))

    def _goes_on(self, block: Block) -> bool:
        """True if a page begins with the end of the sentence before, and both fit together."""
        text, (start, end) = self._flow.text, self._part.units[-1]
        first = units_of(text, block, self._size)[0]
        if text[end - 1] in _FINISHED or not text[first[0]].islower():
            return False
        return first[1] - start <= self._size

    def _add(self, block: Block) -> None:
        part, text = self._part, self._flow.text
        if block.kind == "heading":
            self._push(block)
        part.is_bare = part.is_bare and (block.kind == "heading" or self._is_number(block))
        if block.kind == "table":
            units, header = rows_of(text, block, self._size)
            part.headers |= {start: header for start, _ in units[1:] if header}
        else:
            units = units_of(text, block, self._size)
        crosses = part.kind == block.kind == "text" and part.units and self._apart(block)
        if crosses:
            units[0] = (part.units.pop()[0], units[0][1])
        part.units += units
        part.kind = block.kind

    def _is_number(self, block: Block) -> bool:
        """True for a printed page number or a rule, which says nothing by itself."""
        text = self._flow.text[block.start : min(block.end, block.start + _LONGEST_NUMBER + 1)]
        return len(text) <= _LONGEST_NUMBER and not any(map(str.isalpha, text))

    def _apart(self, block: Block) -> bool:
        """True if the part's text ends on another page than the one of a block."""
        end = self._part.units[-1][1] - 1
        return self._flow.index_at(end) != self._flow.index_at(block.start)

    def _push(self, block: Block) -> None:
        if block.heading is not None:
            level = block.heading.level
            kept = [above for above in self._headings if above.level < level]
            self._headings = [*kept, block.heading]
        self._part.path = self._path()

    def _path(self) -> tuple[str, ...]:
        return (*self._outer, *(heading.title for heading in self._headings))
