"""Paragraph styles of a Word file: which are headings, contents and lists."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass

from docrag.loaders.numbering import Element, Numbering, W, attribute, integer

#: Names of the built-in headings; Word keeps the English names in every language (17.7.4.9).
_HEADING = re.compile(r"heading ([1-9])$")
#: Names of the lines of a table of contents, an index and a table of figures.
_CONTENTS = re.compile(r"(toc|index) [1-9]$|toc heading$|table of figures$")
#: Longest chain of styles that are based on each other.
_LONGEST = 20
#: Level of the title of a document, above all headings: outline levels count from 1 here.
TITLE_LEVEL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What a paragraph is."""

    #: 2 to 10 for a heading, 1 for the title of the document, 0 for text.
    level: int
    #: True for a line of a table of contents.
    contents: bool


class Styles:
    """The styles of one document."""

    def __init__(self, root: Element | None) -> None:
        """Read the styles.

        :param root: the root of ``styles.xml``; ``None`` for a document without it.
        """
        self._styles: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        self._lists: dict[str, tuple[str, int]] = {}
        self._default = ""
        self._places: dict[str, Element] = {}
        for style in () if root is None else root.iterchildren(W + "style"):
            if style.get(W + "type") == "paragraph":
                self._styles[style.get(W + "styleId", "")] = style
                if style.get(W + "default") in ("1", "true", "on"):
                    self._default = style.get(W + "styleId", "")
            elif (place := style.find(f"{W}rPr/{W}vertAlign")) is not None:
                self._places[style.get(W + "styleId", "")] = place

    def of(self, paragraph: Element) -> Style:
        """What a paragraph is, by its style or by an outline level of its own."""
        name = self._name(paragraph)
        if name not in self._known:
            self._known[name] = self._read(name)
        style = self._known[name]
        own = attribute(paragraph, "pPr/outlineLvl")
        if own is None or style.contents:
            return style
        return Style(level=_level(own), contents=False)

    def place(self, body: Element) -> None:
        """Write into each run of a body whether its character style raises or lowers it."""
        for named in list(body.iter(W + "rStyle")) if self._places else ():
            place = self._places.get(named.get(W + "val", ""))
            properties = named.getparent()
            if place is not None and properties.find(W + "vertAlign") is None:
                properties.append(copy(place))

    def list_of(self, paragraph: Element, numbering: Numbering) -> tuple[str, int]:
        """The list that a paragraph is an item of, ``""`` for none, and its level from 0."""
        num = attribute(paragraph, "pPr/numPr/numId")
        level = attribute(paragraph, "pPr/numPr/ilvl")
        if num is not None:
            return ("", 0) if num == "0" else (num, integer(level))
        name = self._name(paragraph)
        if name not in self._lists:
            self._lists[name] = self._list_of(name, numbering)
        num, at = self._lists[name]
        return num, integer(level, at)

    def _list_of(self, name: str, numbering: Numbering) -> tuple[str, int]:
        """The list of a style and its level."""
        for called, style in self._chain(name):
            num = attribute(style, "pPr/numPr/numId")
            if num is not None:
                level = attribute(style, "pPr/numPr/ilvl")
                at = integer(level) if level else numbering.level_of(num, called)
                return ("", 0) if num == "0" else (num, at)
        return "", 0

    def _name(self, paragraph: Element) -> str:
        return attribute(paragraph, "pPr/pStyle") or self._default

    def _chain(self, name: str) -> list[tuple[str, Element]]:
        """A style and those that it is based on, nearest first."""
        chain: list[tuple[str, Element]] = []
        while name in self._styles and len(chain) < _LONGEST:
            chain.append((name, self._styles[name]))
            name = attribute(self._styles[name], "basedOn") or ""
        return chain

    def _read(self, name: str) -> Style:
        for _, style in self._chain(name):
            called = (attribute(style, "name") or "").lower()
            if _CONTENTS.match(called):
                return Style(level=0, contents=True)
            if called == "title":
                return Style(level=TITLE_LEVEL, contents=False)
            heading = _HEADING.match(called)
            if heading:
                return Style(level=TITLE_LEVEL + int(heading[1]), contents=False)
            outline = attribute(style, "pPr/outlineLvl")
            if outline is not None:
                return Style(level=_level(outline), contents=False)
        return Style(level=0, contents=False)


def _level(outline: str) -> int:
    """The level of a heading from its outline level, 0 to 8; 9 means text."""
    at = integer(outline, 9)
    return TITLE_LEVEL + 1 + at if 0 <= at <= 8 else 0  # noqa: PLR2004 - as the standard counts
