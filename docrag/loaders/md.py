"""Loader for Markdown: one page without a number for each section."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

from docrag.api import LoaderError, Page
from docrag.loaders.bounded import Bounded
from docrag.loaders.encoding import damage, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

#: Most lines of a file: each takes up to 1 KiB while the headings are looked for.
MAX_LINES: Final = 300_000
#: First line of a YAML block, which programs read and people do not: a key with its value.
_KEY = re.compile(r"[\w.\"'-]{1,80}(?: [\w.\"'-]{1,80}){0,3}[ \t]*:(?:[ \t]|$)")
#: Other lines of it: keys, parts of values, list items, comments; an empty one may stand between.
_INNER = re.compile(r"[ \t#]|-[ \t]|[\]}]|$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    """A heading outside of quotes, lists and code."""

    #: First line of the heading and first line behind it, from 0.
    first: int
    behind: int
    #: 1 to 6, as in ``<h1>`` to ``<h6>``.
    level: int
    title: str


class MarkdownLoader:
    """Loads Markdown section by section; safe to use from many threads."""

    def __init__(self, *, timeout: float = 120.0, memory_limit: int = 1024) -> None:
        """Build without reading anything.

        :param timeout: seconds that one long file may take.
        :param memory_limit: address space of the process that reads a long file, MiB.
        """
        self._bounded = Bounded(
            read=read,
            reader="docrag.loaders.textpages:md",
            timeout=timeout,
            memory_limit=memory_limit,
        )

    def load(self, data: bytes, *, filename: str) -> list[Page]:
        """Sections in order, heading path as ``section``, heading line first in ``text``.

        Text before the first heading has section ``""``. Front matter and HTML comments are left
        out, everything else stays as written.

        :raises LoaderError: the file is empty, blank or binary, holds only comments, or is over a
            limit.
        """
        return self._bounded.load(data, filename=filename)


def read(data: bytes, *, filename: str) -> list[Page]:
    """The sections of a Markdown file, without limits.

    :raises LoaderError: the file is empty, blank or binary, holds only comments, or has too many
        lines.
    """
    text = decode(data, filename=filename)
    if text.count("\n") > MAX_LINES:
        raise LoaderError(
            f"{filename!r} was refused: it has more than {MAX_LINES} lines; split it into smaller "
            "files"
        )
    source = _without_front_matter(text)
    pages = [page for page in _sections(source) if page.text]
    if not pages:
        raise LoaderError(f"{filename!r} was refused: the file holds no text for readers")
    return [replace(pages[0], warning=damage(text)), *pages[1:]]


def _without_front_matter(source: str) -> str:
    """The text behind a YAML block at its very start; all of it where a rule begins the text."""
    start = source.find("\n") + 1
    if source[:start].rstrip() != "---":
        return source
    first = True
    while start < len(source):
        end = source.find("\n", start)
        behind = len(source) if end < 0 else end + 1
        text = source[start:behind].rstrip()
        if not first and text in ("---", "..."):
            return source[behind:]
        if not _KEY.match(text) and (first or not _INNER.match(text)):
            return source
        first, start = False, behind
    return source


def _sections(source: str) -> Iterator[Page]:
    lines: list[str] = source.split("\n")
    tokens = _blocks(source)
    for token in tokens:
        if token.type == "html_block" and token.content.lstrip().startswith("<!--") and token.map:
            first, behind = token.map
            lines[first:behind] = [""] * (behind - first)
    headings = list(_headings(tokens))
    ends = [*(heading.first for heading in headings), len(lines)]
    yield Page(number=None, text="\n".join(lines[: ends[0]]).strip())
    path: list[_Heading] = []
    for heading, end in zip(headings, ends[1:], strict=True):
        path = [*(above for above in path if above.level < heading.level), heading]
        text = "\n".join([heading.title, *lines[heading.behind : end]]).strip()
        yield Page(number=None, text=text, section=" > ".join(part.title for part in path))


def _blocks(source: str) -> list[Token]:
    """Block tokens with their lines; inline marks are not parsed, which saves most of the time."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.parse(source)


def _headings(tokens: Sequence[Token]) -> Iterator[_Heading]:
    parser = MarkdownIt("commonmark")  # one for all: making it costs more than a heading
    for opening, inline in zip(tokens, tokens[1:], strict=False):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            first, behind = opening.map
            title = _plain(parser, inline.content)
            yield _Heading(first=first, behind=behind, level=int(opening.tag[1:]), title=title)


def _plain(parser: MarkdownIt, title: str) -> str:
    """The words of a heading without emphasis, code and link marks, on one line."""
    (inline,) = parser.parseInline(title)
    words = "".join(
        " " if part.type in ("softbreak", "hardbreak") else part.content
        for part in inline.children or ()
        if part.type in ("text", "code_inline", "softbreak", "hardbreak")
    )
    return " ".join(words.split())
