"""Text below its headings: what a document without pages is cut into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from docrag.api import Page, printable, repair

#: More than one empty line, which is a matter of looks.
_GAPS = re.compile(r"\n{3,}")
#: What stands between the headings of a path.
_STEP = " > "


@dataclass(slots=True, kw_only=True)
class _Section:
    """A heading and the lines below it, while they are collected."""

    #: 1 for the highest; 0 for what stands before the first heading.
    level: int
    title: str
    lines: list[str] = field(default_factory=list)


class Outline:
    """Collects the text of a document heading by heading; not for several threads."""

    def __init__(self) -> None:
        self._sections = [_Section(level=0, title="")]

    def heading(self, level: int, title: str) -> None:
        """Begin a section; a heading without words begins none.

        :param level: 1 for the highest.
        """
        line = " ".join(title.split())
        if line:
            self._sections.append(_Section(level=level, title=line, lines=[line]))

    def add(self, text: str) -> None:
        """Put a block of lines below the ones before it; ``""`` leaves a line empty."""
        self._sections[-1].lines.append(text)

    def table(self, text: str) -> None:
        """Put a table below the text before it, with an empty line around it; ``""`` is none."""
        if text:
            self._sections[-1].lines += ["", text, ""]

    def pages(self) -> list[Page]:
        """One page without a number for each section with text, its heading first.

        ``section`` is the path of headings. A heading that stands alone on the highest level and
        before all others is the title of the document, and stands in its own path only.
        """
        texts = repair(["\n".join(section.lines) for section in self._sections])
        pages = [
            Page(number=None, text=_GAPS.sub("\n\n", text).strip(), section=printable(path))
            for text, path in zip(texts, _paths(self._sections), strict=True)
        ]
        return [page for page in pages if page.text]


def _paths(sections: Sequence[_Section]) -> list[str]:
    title = _title(sections)
    above: list[_Section] = []
    paths: list[str] = []
    for section in sections:
        above = [*(one for one in above if one.level < section.level), section]
        named = [one.title for one in above if one.title and (one is not title or one is section)]
        paths.append(_STEP.join(named))
    return paths


def _title(sections: Sequence[_Section]) -> _Section | None:
    """The heading that names the whole document, if one does."""
    headings = [section for section in sections if section.title]
    if len(headings) < 2:  # noqa: PLR2004 - a title and something that it is the title of
        return None
    first, *others = headings
    return first if all(first.level < other.level for other in others) else None
