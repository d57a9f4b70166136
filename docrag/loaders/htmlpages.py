"""Reads the sections of a web page with selectolax; runs in the child process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docrag.api import LoaderError, Page
from docrag.loaders.encoding import as_written
from docrag.loaders.htmltable import HtmlTable
from docrag.loaders.htmltree import HtmlTree, Tag
from docrag.loaders.outline import Outline
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
    return pages


class _Reader:
    """Goes through the tags of one page."""

    def __init__(self, layouts: frozenset[int]) -> None:
        self._layouts = layouts
        self._outline = Outline()
        #: Text of the line that is being read.
        self._line: list[str] = []
        self._table: HtmlTable | None = None
        self._preformatted = 0
        #: Open lists, each with the number of its next item; ``None`` for one without numbers.
        self._lists: list[int | None] = []
        self._mark = ""
        #: Level of the heading that is being read, 1 to 6; 0 for text.
        self._level = 0

    def pages(self, tags: Iterable[Tag]) -> list[Page]:
        """One page for each section with text."""
        for tag in tags:
            if tag.name == "-text":
                self._line.append(tag.text if self._preformatted else re.sub(r"\s+", " ", tag.text))
            elif tag.name == "br":
                self._line += ["\n"] if tag.opens else []
            elif tag.name == "table" and tag.node.mem_id not in self._layouts:
                self._data_table(tag)
            elif self._table is not None:
                self._in_table(tag)
            else:
                self._in_flow(tag)
        self._flush()
        return self._outline.pages()

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
                self._table.cell("".join(self._line), tag.node)
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
                self._lists.append(_number(tag, "start", 1) if tag.name == "ol" else None)
            elif self._lists:
                self._lists.pop()
        elif tag.name == "li":
            self._mark = self._item(tag) if tag.opens else ""

    def _item(self, tag: Tag) -> str:
        """What stands in front of a list item."""
        if not self._lists:
            return "- "
        indent = "  " * min(len(self._lists) - 1, _MAX_INDENT)
        number = self._lists[-1]
        if number is None:
            return f"{indent}- "
        number = _number(tag, "value", number)
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _flush(self) -> None:
        """Put the line that was read into the section, below its list mark if it has one."""
        text = "".join(self._line)
        self._line = []
        if not self._preformatted:
            text = "\n".join(" ".join(part.split()) for part in text.split("\n"))
        if text.strip() and self._level:
            self._outline.heading(self._level, text)
            self._level = 0
        elif text.strip():
            self._outline.add(self._mark + text.strip("\n"))
            self._mark = ""


def _number(tag: Tag, name: str, otherwise: int) -> int:
    """The whole number that an attribute says, or another one where it says none."""
    value = (tag.node.attributes.get(name) or "").strip()
    return int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else otherwise
