"""Headings among the lines of a source, which name what they do not answer."""

from __future__ import annotations

import re
from typing import Final

from docrag.api import Citation, fold, lower, words

#: Last signs of a sentence, and of a line that goes on below it.
_ENDS: Final = (".", "!", "?", ":", ";", "…")
#: A number of two levels or more and a capital: "4.1 Devreden izin". One level is a list's as well.
_NUMBERED: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+(?=[^\W\d_])(\w)")
#: Title of an article in a section: "Madde 8 (İşyeri hekimleri), fıkra 1".
_TITLED: Final = re.compile(r"^[^(]*\(([^()]+(?:\([^()]*\)[^()]*)*)\)")
#: Words that stay small in a heading of capitalised words.
_SMALL: Final = frozenset("ve veya ile ya da de için".split())
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
    if _is_capitalised(line):
        return True
    found = _NUMBERED.match(line)
    if found and found[1].isupper() and len(line.split()) <= _MOST_WORDS:
        return True
    return _folded(line) in _names(citation)


def _is_capitalised(line: str) -> bool:
    """True for two words or more that all begin with a capital: "Şarj, Yakıt ve Acil Durum"."""
    told = [word for word in line.split() if lower(word) not in _SMALL]
    if not 1 < len(told) <= _MOST_WORDS or ":" in line or any(map(str.isdigit, line)):
        return False
    return all(word[0].isupper() for word in told)


def _names(citation: Citation) -> set[str]:
    """Title, section, headings of the sections' paths and titles of their articles, folded."""
    sections = {citation.section, *(chunk.section for chunk in citation.chunks)}
    path = [part for section in sections for part in section.split(" > ")]
    titles = [found[1] for part in path if (found := _TITLED.match(part))]
    names = (citation.title, citation.section, *path, *titles)
    return {folded for folded in map(_folded, names) if folded}


def _folded(text: str) -> str:
    return " ".join(filter(None, map(fold, words(text))))
