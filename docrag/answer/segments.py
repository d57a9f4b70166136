"""Sentences of an answer in Markdown, while it is still being written."""

from __future__ import annotations

import re
from typing import Final

from docrag.answer.markers import strip
from docrag.api import spans

_MARKERS: Final = r"(?:\s?\[\d{1,6}\])+"
#: Markers behind the stop of a sentence, glued to it or not.
_BEHIND: Final = re.compile(_MARKERS)
_EMOJI: Final = "\U0001f000-\U0001faff\u2600-\u27bf"
#: Ends that the rules for plain sentences do not know: a stop with markers or the end of an
#: emphasis glued to it, and one before an emphasis or an emoji with which the next one begins.
_ENDS: Final = re.compile(
    rf"[.!?…](?={_MARKERS}(?:\s|\Z))|[.!?…][*_]{{1,3}}(?=\s)"
    rf"|(?<!\d)[.!?…](?=\s+(?:[*_]{{1,3}}|[{_EMOJI}]\ufe0f?\s*)[A-ZÇĞİÖŞÜ])"
)
#: Signs of Markdown at the beginning of a line, and emphasis.
_FORM: Final = re.compile(
    r"^[\s>#|]*(?:[-*•+]\s+|\d{1,3}[.)]\s+)?|\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)"
)
#: A marker that a word is made of, as in "[2]'ye göre".
_INFLECTED: Final = re.compile(r"\s?\[\d{1,6}\]['’]\w+")
#: The line below the head of a table, and what else says nothing.
_RULE: Final = re.compile(r"[\s|:*_=–—-]*")
_FENCE: Final = re.compile(r"\s*(?:```+|~~~+)([^`~]*)(```|~~~)?")
#: Words of a fence that name a language, at most.
_NAMING: Final = 1


def end_of_first(line: str) -> int:
    """End of the first sentence of a line, markers behind it included."""
    found = spans(line)
    ends = [found[0][1]] if found else [len(line)]
    other = _ENDS.search(line)
    if other:
        ends.append(other.end())
    end = min(ends)
    behind = _BEHIND.match(line, end)
    return behind.end() if behind else end


def bare(text: str) -> str:
    """A sentence or line without markers and signs of Markdown; empty if nothing is left."""
    plain = _FORM.sub("", strip(_INFLECTED.sub("", text))).strip().strip("|").strip()
    return "" if _RULE.fullmatch(plain) else plain


def is_row(line: str) -> bool:
    """True for a row of a table."""
    return line.lstrip().startswith("|")


def fence(line: str) -> tuple[bool, str] | None:
    """Whether a line opens or closes a block of code, and what it says besides.

    :returns: ``None`` for any other line; the text is empty where it only names a language.
    """
    found = _FENCE.match(line)
    if found is None:
        return None
    said = found[1].strip()
    toggles = found[2] is None
    return toggles, "" if toggles and len(said.split()) <= _NAMING else said
