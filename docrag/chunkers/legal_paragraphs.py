"""What an article consists of: numbered or plain paragraphs (fıkra), items (bent), footnotes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.chunkers.legal_items import Item, items_of
from docrag.chunkers.legal_lines import BODY, HEAD, NOTE
from docrag.chunkers.legal_notes import is_bare
from docrag.chunkers.legal_plain import plain_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docrag.chunkers.legal_plain import Body

_NUMBERED = re.compile(r"\([ \t]?(\d{1,3})[ \t]?[)}][ \t]*(?=[^\W\d_a-zçğıöşüâîû]|[\d(“\"‘'*])")
#: The first number behind the heading's own, past the notes that may stand between; OCR reads it
#: as ``()`` or ``0`` at times.
_FIRST = re.compile(
    r"(?:\([^()]{0,200}:[^()]{0,200}\)[ \t]*){0,3}(?:\([ \t]?[1lI]?[ \t]?\)|0[ \t])"
)
#: Numbers that may be missing between two paragraphs, which OCR did not read.
MAX_MISSING = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A run of whole lines of an article, and the smaller ones that it consists of."""

    #: First line and the one behind the last.
    first: int
    last: int
    #: Number of the paragraph, from 1; ``None`` where it has none.
    paragraph: int | None = None
    #: Names of the item and of those around it, the largest first: ``("b", "2")``.
    names: tuple[str, ...] = ()
    #: Together these are the whole node; empty for one of plain text.
    children: tuple[Node, ...] = ()
    is_note: bool = False


def paragraphs_of(body: Body) -> list[Node]:
    """The paragraphs and the footnotes between them, in reading order, without gaps."""
    end = _notes_start(body, body.first, body.last)
    starts = _starts(body, end)
    found: list[Node] = []
    ends = [start for start, _ in starts[1:]] + [end]
    for (start, number), last in zip(starts, ends, strict=True):
        text_end = _notes_start(body, start, last)
        found.append(_paragraph(body, start, text_end, number))
        found += _notes(text_end, last)
    return [*found, *_notes(end, body.last)]


def _notes_start(body: Body, first: int, last: int) -> int:
    """Place of the footnotes that a run of lines ends with; its end if there are none."""
    at = last
    while at > first and body.lines[at - 1].role != BODY:
        at -= 1
    return next((n for n in range(at, last) if body.lines[n].role == NOTE), last)


def _notes(first: int, last: int) -> list[Node]:
    return [Node(first=first, last=last, is_note=True)] if first < last else []


def _starts(body: Body, end: int) -> list[tuple[int, int | None]]:
    """First line and number of each paragraph; the first begins with the article."""
    places = body.text_lines(body.first, end)
    begun = body.before or int(bool(_FIRST.match(body.rest)))
    numbered = list(_numbered(body, places, begun))
    if numbered and not body.begins and numbered[0][0] == places[0]:
        return [(body.first, numbered[0][1]), *numbered[1:]]
    if begun:
        return [(body.first, begun), *numbered]
    if not numbered:
        return plain_starts(body, places)
    between = [body.rest, *(body.lines[at].text for at in places if at < numbered[0][0])]
    first = numbered[0][1]
    if all(map(is_bare, between)):
        return [(body.first, first), *numbered[1:]]
    return [(body.first, first - 1 or None), *numbered]


def _numbered(body: Body, places: Sequence[int], begun: int) -> Iterator[tuple[int, int]]:
    due = begun + 1
    for at in places:
        found = _NUMBERED.match(body.lines[at].text[:HEAD])
        if found and 0 <= int(found[1]) - due <= MAX_MISSING:
            yield at, int(found[1])
            due = int(found[1]) + 1


def _paragraph(body: Body, first: int, last: int, number: int | None) -> Node:
    items = items_of(body.lines, body.text_lines(first, last))
    return _node(body, Node(first=first, last=last, paragraph=number), items)


def _node(body: Body, node: Node, items: Sequence[Item]) -> Node:
    """A node with its items as children, and theirs."""
    depth = len(node.names)
    own = [n for n, item in enumerate(items) if item.depth == depth]
    if not own:
        return node
    children: list[Node] = []
    if node.first < items[own[0]].at:
        children += _with_notes(body, node, node.first, items[own[0]].at, node.names, ())
    for n, behind in zip(own, [*own[1:], len(items)], strict=True):
        last = items[behind].at if behind < len(items) else node.last
        names = (*node.names, items[n].name)
        children += _with_notes(body, node, items[n].at, last, names, items[n + 1 : behind])
    return Node(
        first=node.first,
        last=node.last,
        paragraph=node.paragraph,
        names=node.names,
        children=tuple(children),
    )


def _with_notes(
    body: Body, parent: Node, first: int, last: int, names: tuple[str, ...], items: Sequence[Item]
) -> list[Node]:
    """A child, and the footnotes behind it."""
    end = _notes_start(body, first, last)
    child = Node(first=first, last=end, paragraph=parent.paragraph, names=names)
    return [_node(body, child, items), *_notes(end, last)]
