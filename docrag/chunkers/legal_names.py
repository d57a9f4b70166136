"""What the pieces of a law are called: labels for people, sections for the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrag.api import Article
from docrag.chunkers.legal_headings import heading_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_headings import Heading
    from docrag.chunkers.legal_paragraphs import Node

#: How the kinds of articles are called.
_KINDS = {
    "madde": "Madde",
    "ek": "Ek madde",
    "gecici": "Geçici madde",
    "mukerrer": "Mükerrer madde",
}
_STATUS = {"": "", "mulga": " (mülga)", "iptal": " (iptal)"}
#: Most characters of an article's title in a section.
MAX_TITLE = 200
_UPPER = str.maketrans({"i": "İ", "ı": "I"})


def article_name(heading: Heading, status: str) -> str:
    """``Madde 25/A``, ``Geçici madde 4``, ``Madde 77 (mülga)``."""
    letter = heading.letter.translate(_UPPER).upper()
    number = f"{heading.number}/{letter}" if letter else str(heading.number)
    return f"{_KINDS[heading.kind]} {number}{_STATUS[status]}"


def titled(name: str, title: str) -> str:
    """``Madde 8 (İşyeri hekimleri ve iş güvenliği uzmanları)``; the name alone without a title."""
    return f"{name} ({title[:MAX_TITLE]})" if title else name


def part_name(nodes: Sequence[Node]) -> str:
    """``fıkra 2–4`` or ``fıkra 1, bent a–ç``; empty for nodes without number and name."""
    first, last = nodes[0].paragraph, nodes[-1].paragraph
    numbers = [node.paragraph for node in nodes if node.paragraph is not None]
    words = []
    if numbers:
        words.append(f"fıkra {_range(str(min(numbers)), str(max(numbers)))}")
    named = [node.names for node in nodes if node.names]
    if named and first == last:
        longest = max(map(len, named))
        deep = [names for names in named if len(names) == longest]
        for depth, name in enumerate(deep[0][:-1]):
            words.append(f"{_item(depth)} {name}")
        words.append(f"{_item(longest - 1)} {_range(deep[0][-1], deep[-1][-1])}")
    return ", ".join(words)


def _item(depth: int) -> str:
    return "alt bent" if depth else "bent"


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}–{last}"


def record(heading: Heading, status: str, nodes: Sequence[Node]) -> Article:
    """The article's record of a piece with these nodes."""
    numbers = [node.paragraph for node in nodes if node.paragraph is not None]
    return Article(
        kind=heading.kind,
        number=heading.name,
        paragraph_first=min(numbers, default=None),
        paragraph_last=max(numbers, default=None),
        status=status,
    )


def section(around: str, path: Sequence[str], name: str) -> str:
    """Heading path: that of the pages, then the divisions, then the name.

    :param around: heading path of the pages, whose last heading may be the article's own.
    """
    parts = [part for part in around.split(" > ") if part]
    if parts and heading_of(parts[-1]) is not None:
        parts.pop()
    parts += [part for part in path if part not in parts]
    return " > ".join([*parts, name] if name else parts)
