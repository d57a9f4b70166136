"""Numbers and bullets of the lists and headings of a Word file, which its text does not hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

#: An element of lxml, which comes without types.
Element: TypeAlias = Any

#: Namespace of WordprocessingML (ECMA-376 part 1, 17).
W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: Deepest level of a list, from 0 (17.9.6).
_DEEPEST = 8
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
#: Most letters of a label's pattern.
_LONGEST = 40
#: Above this a number is written in figures, whatever the list asks for.
_HIGHEST = 1000


def attribute(element: Element | None, path: str, name: str = "val") -> str | None:
    """An attribute of the element that a path of bare names leads to; ``None`` if absent."""
    if element is None:
        return None
    found = element.find("/".join(W + step for step in path.split("/")))
    value: str | None = None if found is None else found.get(W + name)
    return value


def integer(value: str | None, otherwise: int = 0) -> int:
    """The number that an attribute says, or another one where it says none."""
    return int(value) if value and re.fullmatch(r"-?\d{1,9}", value) else otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """One level of a list."""

    #: Kind of number, as the standard calls it (17.18.59).
    form: str
    #: Pattern of the label, ``%1`` for the count of the highest level.
    text: str
    start: int
    #: Paragraph style that stands on this level; empty for none.
    style: str
    #: True if the counts of all levels are written in figures here.
    legal: bool


class Numbering:
    """Counts the numbered paragraphs of one document, in order; not for several threads."""

    def __init__(self, root: Element | None) -> None:
        """Read the lists.

        :param root: the root of ``numbering.xml``; ``None`` for a document without lists.
        """
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, list[int]] = {}
        self._begun: set[tuple[str, int]] = set()
        if root is not None:
            self._read(root)

    def _read(self, root: Element) -> None:
        for abstract in root.iterchildren(W + "abstractNum"):
            self._levels[abstract.get(W + "abstractNumId", "")] = {
                at: _level(level)
                for level in abstract.iterchildren(W + "lvl")
                if 0 <= (at := integer(level.get(W + "ilvl"))) <= _DEEPEST
            }
        for num in root.iterchildren(W + "num"):
            key = num.get(W + "numId", "")
            self._lists[key] = attribute(num, "abstractNumId") or ""
            self._starts[key] = {
                integer(override.get(W + "ilvl")): integer(start)
                for override in num.iterchildren(W + "lvlOverride")
                if (start := attribute(override, "startOverride")) is not None
            }

    def level_of(self, num: str, style: str) -> int:
        """The level of a list that a paragraph style stands on, from 0."""
        for at, level in self._levels.get(self._lists.get(num, ""), {}).items():
            if level.style == style:
                return at
        return 0

    def label(self, num: str, level: int) -> str:
        """What stands in front of the next paragraph of a list: ``"2.1."``, ``"a)"``, ``"-"``.

        Empty for a list that is not there or shows nothing.

        :param num: identifier of the list (``w:numId``).
        :param level: from 0.
        """
        abstract = self._lists.get(num, "")
        levels = self._levels.get(abstract, {})
        if level not in levels:
            return ""
        if levels[level].form == "bullet":
            return "-"
        counts = self._count(num, abstract, level)
        if levels[level].form == "none":
            return ""
        legal = levels[level].legal
        return re.sub(
            r"%([1-9])",
            lambda found: _figure(levels, counts, int(found[1]) - 1, legal=legal),
            levels[level].text,
        )

    def _count(self, num: str, abstract: str, level: int) -> list[int]:
        """Counts of all levels of a list after its next paragraph; lists of one kind share them."""
        levels = self._levels[abstract]
        before = [levels[at].start - 1 if at in levels else 0 for at in range(_DEEPEST + 1)]
        counts = self._counts.setdefault(abstract, before[:])
        override = self._starts[num].get(level)
        if override is not None and (num, level) not in self._begun:
            counts[level] = override - 1
        self._begun.add((num, level))
        counts[level] += 1
        counts[level + 1 :] = before[level + 1 :]
        return counts


def _level(level: Element) -> _Level:
    return _Level(
        form=attribute(level, "numFmt") or "decimal",
        text=(attribute(level, "lvlText") or "")[:_LONGEST],
        start=integer(attribute(level, "start"), 1),
        style=attribute(level, "pStyle") or "",
        legal=level.find(W + "isLgl") is not None
        and attribute(level, "isLgl") not in ("0", "false", "off"),
    )


def _figure(levels: dict[int, _Level], counts: list[int], at: int, *, legal: bool) -> str:
    """The count of one level as its list writes it; a level that was skipped counts as begun."""
    number = max(counts[at], levels[at].start if at in levels else 1)
    form = levels[at].form if at in levels and not legal else "decimal"
    return figure(number, form)


def figure(number: int, form: str) -> str:
    """A number as a list writes it.

    :param form: as the standard calls it: ``lowerLetter``, ``upperRoman``; ``1`` for an unknown.
    """
    return _FORMS.get(form, str)(number)


def _letter(number: int) -> str:
    """``a`` to ``z``, then ``aa`` to ``zz`` (17.18.59)."""
    turns, place = divmod(number - 1, 26)
    return chr(ord("a") + place) * (turns + 1) if 0 < number <= _HIGHEST else str(number)


def _roman(number: int) -> str:
    if not 0 < number <= _HIGHEST:
        return str(number)
    signs = ""
    for value, sign in _ROMAN:
        signs += sign * (number // value)
        number %= value
    return signs


_FORMS: dict[str, Callable[[int], str]] = {
    "decimalZero": "{:02d}".format,
    "lowerLetter": _letter,
    "upperLetter": lambda number: _letter(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
}
