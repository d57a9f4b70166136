"""Sentences of Turkish text, by punctuation and a list of abbreviations."""

from __future__ import annotations

import re

#: Words whose full stop does not end a sentence, lower case, without the stop.
_ABBREVIATIONS = frozenset(
    "alb apt av bkz bl böl bul cad doç dr fık gön haz ing krş ltd mad mah md müh no nr ör örn "
    "öğr prof sayf sf sn sok sy şb şti tel t.c uzm v.b v.d vb vd vs yrd yy".split()
)
#: A full stop, question or exclamation mark, with what may close the sentence behind it.
_STOP = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*(?=\s)")
#: The word before a stop, with its inner stops ("T.C").
_LAST_WORD = re.compile(r"[\w.]*\w$")
#: What a sentence may begin with after a stop; a small letter goes on with the sentence.
_BEGINNING = re.compile(r"\s+(?:[\"'“‘«(\[•*|–—-]+\s*)?[A-ZÇĞİÖŞÜÂÎÛ0-9(]")
#: Start of a numbered article, list item, table row or heading, at the beginning of a line.
_ITEM = re.compile(
    r"(?:(?:EK |GEÇİCİ )?(?:MADDE|Madde) \d|\d+(?:\.\d+)*[.)] ?[A-ZÇĞİÖŞÜ]|\d+\.\d+ |\(\d+\) "
    r"|[a-zçğıöşü]\) |[•*–-] |\||#+ )"
)
#: A line shorter than this part of the page's usual line may be a heading.
_SHORT_LINE = 0.75
#: Place of the usual line among the page's lines sorted by length, 0 to 1.
_USUAL_LINE = 0.8


def sentences(text: str) -> list[str]:
    """Sentences, headings, list items and table rows in reading order; none for blank text.

    Every sentence occurs in the text as it is, line ends within a sentence included.
    """
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence, in characters, in order; blanks lie between them."""
    found: list[tuple[int, int]] = []
    start = 0
    for end in sorted({*_stops(text), *_breaks(text), len(text)}):
        piece = text[start:end]
        if piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            found.append((first, start + len(piece.rstrip())))
        start = end
    return found


def _stops(text: str) -> list[int]:
    """Places behind the punctuation that ends a sentence."""
    return [
        found.end()
        for found in _STOP.finditer(text)
        if _BEGINNING.match(text, found.end()) and not _goes_on(text, found)
    ]


def _goes_on(text: str, found: re.Match[str]) -> bool:
    """True for the stop of an abbreviation, an initial, or an ordinal or list number."""
    if found[0] != ".":
        return False
    word = _LAST_WORD.search(text, max(0, found.start() - 20), found.start())
    if word is None:
        return False
    name = word[0].replace("İ", "i").replace("I", "ı").lower()
    if name.isdigit():
        return len(name) <= 2  # noqa: PLR2004 - "10." is an ordinal, "2025." and "1144." are not
    return name in _ABBREVIATIONS or len(name.rsplit(".", 1)[-1]) == 1


def _breaks(text: str) -> list[int]:
    """Line ends that separate: blank lines, items, and lines too short to be wrapped text."""
    lines = text.split("\n")
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    usual = lengths[int(_USUAL_LINE * len(lengths))] if lengths else 0
    found: list[int] = []
    end = -1
    for line, following in zip(lines, lines[1:], strict=False):
        end += len(line) + 1
        after = following.lstrip()
        short = len(line.strip()) < _SHORT_LINE * usual and after[:1].isupper()
        if not after or short or _ITEM.match(after):
            found.append(end)
    return found
