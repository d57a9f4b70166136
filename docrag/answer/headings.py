"""Headings among the lines of a source, which name what they do not answer."""

from __future__ import annotations

import re
from typing import Final

from docrag.api import Citation, fold, words

#: Last signs of a sentence, and of a line that goes on below it.
_ENDS: Final = (".", "!", "?", ":", ";", "…")
#: A number of two levels or more and a capital: "4.1 Devreden izin". One level is a list's as well.
_NUMBERED: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+(?=[^\W\d_])(\w)")
#: Most words of a numbered heading; a longer line without its stop is more likely cut.
_MOST_WORDS: Final = 10


def is_heading(text: str, citation: Citation) -> bool:
    """True if a line is a heading by its form, or is the title or section of its source.

    :param text: one sentence or line.
    """
    line = " ".join(text.split())
    if not line or line.endswith(_ENDS):
        return False
    if line.isupper():
        return True
    found = _NUMBERED.match(line)
    if found and found[1].isupper() and len(line.split()) <= _MOST_WORDS:
        return True
    return _folded(line) in _names(citation)


def _names(citation: Citation) -> set[str]:
    """Title, section, and the last heading of the section's path, folded."""
    path = citation.section.split(" > ")
    names = (citation.title, citation.section, path[-1])
    return {folded for folded in map(_folded, names) if folded}


def _folded(text: str) -> str:
    return " ".join(filter(None, map(fold, words(text))))
