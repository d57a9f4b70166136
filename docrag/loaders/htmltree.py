"""The visible elements of a web page in the order of their tags, however deep they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from docrag.api import LoaderError
from docrag.loaders.htmlhidden import is_hidden, left_out, mark_hidden

#: Most elements inside each other: the time that the parser needs grows with the square.
MAX_DEPTH = 5000
#: Most tags of a page: each takes about 350 bytes while the page is read.
MAX_TAGS = 1_000_000
#: Elements that stay open until they are closed, so that they can be counted before parsing.
_NESTING = re.compile(
    rb"<(/?)(?:div|table|section|article|main|ul|ol|dl|blockquote|fieldset|form|center)\b", re.I
)
#: What no table of data holds.
_LAID_OUT = ", ".join(f"table {inner}" for inner in ("table", "h1", "h2", "h3", "h4", "h5", "h6"))
#: Letters at the start in which a document type must end.
_START = 65536
#: A document type with declarations of its own, as XHTML may have; HTML readers know none.
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*\[(.*?)\]\s*>", re.I | re.S)
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]{1,100})")


class Tag(NamedTuple):
    """The begin or the end of an element, or a run of text."""

    #: Name in lower case; ``-text`` for text.
    name: str
    #: True for the begin of an element.
    opens: bool
    #: Letters of a run of text, as written; empty for an element.
    text: str
    node: LexborNode


class HtmlTree:
    """The visible part of one page; not for several threads."""

    def __init__(self, source: str) -> None:
        """Parse the page and find what it hides.

        :raises LoaderError: there are too many elements, or they stand too deep in each other.
        """
        if source.count("<") > MAX_TAGS:
            raise LoaderError(f"it has more than {MAX_TAGS} tags; split it into smaller files")
        if _depth(source.encode("utf-8", "replace")) > MAX_DEPTH:
            raise LoaderError(
                f"its elements are nested more than {MAX_DEPTH} deep; save it as text"
            )
        self._tree = LexborHTMLParser(_without_declarations(source))
        mark_hidden(self._tree)
        self._left_out = 0

    def tags(self) -> Iterator[Tag]:
        """Begins, ends and texts of the visible body in order."""
        if self._tree.body is not None:
            yield from self._walk(self._tree.body)

    def warning(self) -> str:
        """What was left out of the tags that `tags` gave; empty for nothing."""
        if not self._left_out:
            return ""
        return f"text that the page hides or draws was left out: {self._left_out} characters"

    def layouts(self) -> frozenset[int]:
        """Identifiers (``mem_id``) of tables that hold tables or headings.

        They only arrange the page.
        """
        found: set[int] = set()
        for node in self._tree.css(_LAID_OUT):
            above = node.parent
            while above is not None and above.mem_id not in found:
                if above.tag == "table":
                    found.add(above.mem_id)
                above = above.parent
        return frozenset(found)

    def _walk(self, root: LexborNode) -> Iterator[Tag]:
        """Without recursion, since a page may be deeper than Python's stack."""
        above: list[LexborNode] = []
        node = root.child
        while node is not None or above:
            if node is None:
                node = above.pop()
                yield Tag(name=node.tag or "", opens=False, text="", node=node)
                node = node.next
            elif node.tag == "-text":
                yield Tag(name="-text", opens=False, text=node.text_content or "", node=node)
                node = node.next
            elif is_hidden(node):
                self._left_out += left_out(node)
                node = node.next
            else:
                yield Tag(name=node.tag or "", opens=True, text="", node=node)
                above.append(node)
                node = node.child


def _without_declarations(source: str) -> str:
    """The page without declarations of entities and without what stands for them."""
    declared = _DOCTYPE.search(source[:_START])
    if declared is None:
        return source
    names = "|".join(re.escape(name) for name in set(_ENTITY.findall(declared[1])))
    rest = source[declared.end() :]
    return re.sub(f"&(?:{names});", "", rest) if names else rest


def _depth(source: bytes) -> int:
    """How deep the nesting elements stand at most."""
    depth = deepest = 0
    for tag in _NESTING.finditer(source):
        depth += -1 if tag[1] else 1
        deepest = max(deepest, depth)
    return deepest
