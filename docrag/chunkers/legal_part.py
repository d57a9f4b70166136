"""A part of a law: what stands before, an article, an annex, or the table of amendments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrag.chunkers.legal_headings import Heading

#: What a part is.
FRONT, ARTICLE, ANNEX, TABLE = "front", "article", "annex", "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Lines that belong together; together the parts hold every line once."""

    #: ``front``, ``article``, ``annex`` or ``table``.
    kind: str
    #: First line and the one behind the last.
    first: int
    last: int
    #: Names of the divisions around it, the largest first.
    path: tuple[str, ...] = ()
    #: Of an article: its heading, that line's place, and the title.
    heading: Heading | None = None
    at: int = 0
    title: str = ""
    #: False for an article of an amending text that is printed behind the law that it changes, and
    #: for one of an annex.
    is_own: bool = True
