"""Reads the sections of a web page with selectolax; runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from docrag.api import LoaderError, Page
from docrag.loaders.encoding import as_written, damage
from docrag.loaders.htmlform import chosen, filled
from docrag.loaders.htmllist import HtmlList
from docrag.loaders.htmlmath import formula
from docrag.loaders.htmltable import HtmlTable
from docrag.loaders.htmltree import HtmlTree, Tag
from docrag.loaders.outline import Outline
from docrag.loaders.raised import joined, lowered, raised, struck
from docrag.loaders.records import Record, records

#: Bytes at the start in which a page names its encoding (HTML standard, 13.2.3.2, asks for 1024).
_HEAD = 4096
_CHARSET = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)", re.I
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: Elements that do not stand in a line with others.
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form header hgroup hr legend li main menu ol optgroup option p pre "
    "search section summary ul table tbody thead tfoot tr td th".split()
)
#: Elements whose text stands above or below the line, or is struck out.
_PUT = {"sup": raised, "sub": lowered, "del": struck, "s": struck, "strike": struck}
#: Elements that are read with all in them at once.
_WHOLE = {"math": formula, "select": chosen}
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
#: Deepest indent of a list item.
_MAX_INDENT = 8


def read(data: bytes) -> Iterator[Record]:
    """One record a section, or one ``error`` for a refusal."""
    return records(lambda: _pages(data))


def _pages(data: bytes) -> list[Page]:
    named = _CHARSET.search(data[:_HEAD])
    declared = (named[1] or named[2]).decode("ascii") if named else ""
    source = as_written(data, filename="", declared=declared)
    if re.match(r"\s*(?:%PDF|\{\\rtf)", source):
        raise LoaderError("it is not a web page (.html)")
    tree = HtmlTree(source)
    pages = _Reader(tree.layouts()).pages(tree.tags())
    if not pages:
        raise LoaderError("it shows no text; if a script fetches it, save the page from a browser")
    warning = "; ".join(filter(None, (damage(source), tree.warning())))
    return [replace(pages[0], warning=warning), *pages[1:]]


class _Reader:
    """Goes through the tags of one page."""

    def __init__(self, layouts: frozenset[int]) -> None:
        self._layouts = layouts
        self._outline = Outline()
        #: Text of the line that is being read.
        self._line: list[str] = []
        self._table: HtmlTable | None = None
        self._preformatted = 0
        #: Open lists.
        self._lists: list[HtmlList] = []
        self._mark = ""
        #: Level of the heading that is being read, 1 to 6; 0 for text.
        self._level = 0
        #: Number of open elements of each kind that says how its text stands.
        self._open = dict.fromkeys(_PUT, 0)
        #: Identifier of the element that was read at once and whose tags follow; 0 for none.
        self._whole = 0

    def pages(self, tags: Iterable[Tag]) -> list[Page]:
        """One page for each section with text."""
        for tag in tags:
            if self._whole or tag.name in _WHOLE:
                self._at_once(tag)
            elif tag.name == "-text":
                self._line.append(self._put(tag.text))
            elif tag.name in _PUT:
                self._open[tag.name] += 1 if tag.opens else -1
            elif tag.name == "br":
                self._line += ["\n"] if tag.opens else []
            elif tag.name == "input":
                self._line += [f" {filled(tag.node)} "] if tag.opens else []
            elif tag.name == "table" and tag.node.mem_id not in self._layouts:
                self._data_table(tag)
            elif self._table is not None:
                self._in_table(tag)
            else:
                self._in_flow(tag)
        self._flush()
        return self._outline.pages()

    def _put(self, text: str) -> str:
        """A run of text as the elements around it let it stand."""
        text = text if self._preformatted else re.sub(r"\s+", " ", text)
        for name, count in self._open.items():
            text = _PUT[name](text) if count else text
        return text

    def _at_once(self, tag: Tag) -> None:
        """Read a formula or a choice where it begins, and leave out its tags."""
        if not self._whole:
            self._line.append(_WHOLE[tag.name](tag.node))
            self._whole = tag.node.mem_id
        elif not tag.opens and tag.node.mem_id == self._whole:
            self._whole = 0

    def _data_table(self, tag: Tag) -> None:
        """Begin or end a table of data, which holds no other."""
        if tag.opens:
            self._flush()
            self._table = HtmlTable()
        elif self._table is not None:
            self._outline.table(self._table.text())
            self._table = None
            self._line = []

    def _in_table(self, tag: Tag) -> None:
        if self._table is None:
            return
        if tag.name == "tr" and tag.opens:
            self._table.row()
        elif tag.name in ("td", "th"):
            if tag.opens:
                self._line = []
            else:
                self._table.cell(joined("".join(self._line)), tag.node)
                self._line = []
        elif tag.name == "caption":
            if not tag.opens:
                self._flush()
        elif tag.name in _BLOCKS:
            self._line.append(" ")

    def _in_flow(self, tag: Tag) -> None:
        if tag.name in _HEADINGS:
            self._heading(tag)
        elif tag.name in _BLOCKS:
            self._flush()
            self._block(tag)
        elif tag.name == "img" and tag.opens:
            self._line.append(f" {tag.node.attributes.get('alt') or ''} ")

    def _heading(self, tag: Tag) -> None:
        """Begin or end a heading; its words are put where the next block begins at the latest."""
        self._flush()
        self._level = _HEADINGS[tag.name] if tag.opens else 0

    def _block(self, tag: Tag) -> None:
        if tag.name == "pre":
            self._preformatted += 1 if tag.opens else -1
        elif tag.name in _LISTS:
            if tag.opens:
                self._lists.append(HtmlList(tag.node))
            elif self._lists:
                self._lists.pop()
        elif tag.name == "li":
            self._mark = self._item(tag) if tag.opens else ""

    def _item(self, tag: Tag) -> str:
        """What stands in front of a list item."""
        if not self._lists:
            return "- "
        indent = "  " * min(len(self._lists) - 1, _MAX_INDENT)
        return f"{indent}{self._lists[-1].mark(tag.node)} "

    def _flush(self) -> None:
        """Put the line that was read into the section, below its list mark if it has one."""
        text = joined("".join(self._line))
        self._line = []
        if not self._preformatted:
            text = "\n".join(" ".join(part.split()) for part in text.split("\n"))
        if text.strip() and self._level:
            self._outline.heading(self._level, text)
            self._level = 0
        elif text.strip():
            self._outline.add(self._mark + text.strip("\n"))
            self._mark = ""
