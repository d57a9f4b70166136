"""Remarks of a law's editors: which amendment put in what, inside a text and as footnotes to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

#: What a remark names behind its first word: "fıkra", "birinci cümle", "ile Birlikte Değişik".
_NAMED: Final = (
    r"(?:[\s,]{1,3}(?:\w{1,12}nc[ıiuü]|ve|ile|[Bb]irlikte|[Dd]eğişik|[Mm]ülga|iki|üç|dört|son|alt"
    r"|(?:[Mm]adde|[Ff]ıkra|[Cc]ümle|[Bb]en[td]|[Pp]aragraf|[İi]bare|[Bb]aşlı[kğ]|[Dd]üzenleme"
    r"|[Tt]anım|[Ss]atır|[Tt]ablo|[Bb]ölüm)\w{0,6}|\d{1,3}|[a-zçğıöşü])(?!\w))*"
)
#: What stands behind that: a colon, a date, the end, or the law; a sentence has none there.
_TOLD: Final = r"\s{0,3}(?:[:)]|(?:[–-]\s?)?\d{1,2}[./]\d{1,2}[./]\d{4} ?[–-] ?\d|\d{3,5} sayılı)"
#: Any words before a colon and a date: those of a PDF whose font lost letters ("yed nc cümleler").
_DATED: Final = r"[^():]{0,60}:\s?(?:RG ?[–-]? ?)?\d{1,2}[./]\d{1,2}[./]\d{4}"
_KINDS: Final = "Ek|Değişik(?:lik)?|Mülga|İptal|Yeniden|Başlığı|Mükerrer"


def _brackets(kinds: str) -> str:
    """A remark of these kinds in brackets: "(Ek fıkra: 29/1/2016-6663/22 md.)"."""
    return rf"\((?=(?:{kinds})(?!\w)(?:{_NAMED}{_TOLD}|{_DATED}))[^()]*(?:\([^()]*\)[^()]*)*\)"


#: Such a remark alone, or figures alone.
_ALONE: Final = re.compile(rf"{_brackets(_KINDS)}\W*\d*\W*|[\W\d]*")
#: A number of an article, paragraph or item with a remark, whose words are the next sentence's.
_NUMBERED: Final = re.compile(
    r"\s*(?:(?:(?:EK|Ek|GEÇİCİ|Geçici) )?(?:MADDE|Madde|madde) ?[\d/A-Z]+ ?[–-]\s*)?"
    r"(?:\(?[a-zçğıöşü\d]{1,2}\))?\s*"
    rf"{_brackets('Ek|Değişik')}\s*"
)
#: Begins a footnote on an amendment: its number, then the date and number of the law.
_NOTE: Final = re.compile(
    r"(?:\d{1,3} |\(\d{1,3}\) )(?:\d{1,2}[./]\d{1,2}[./]\d{4} tarih(?:li)? ve \d+ sayılı"
    r"|Bu (?:madde(?:nin)?|fıkra(?:nın)?|bent|bendin) (?:başlığı|numarası))"
)
#: Ends one, also where the sentence that it stands in goes on behind it.
_NOTED: Final = re.compile(
    r"(?:değiştiril|eklen|çıkar(?:ıl|tıl)|işlen|alın|kaldırıl|teselsül ettiril|iptal edil)"
    r"m[ıiuü]şt[ıiuü]r\."
)
#: What stands before a footnote: the end of a sentence with the footnote's sign, or a line's end.
_BEFORE: Final = re.compile(r"(?:[.;:,)]\d{0,3}|\n)\s*$")
#: Characters before a footnote that are looked at.
_SHORT: Final = 8


def is_remark(text: str) -> bool:
    """True for a remark alone, a whole footnote on an amendment, and figures alone.

    :param text: with single blanks.
    """
    if _ALONE.fullmatch(text):
        return True
    end = _NOTED.search(text)
    return _NOTE.match(text) is not None and end is not None and end.end() == len(text)


def joined(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences, a number with a remark ("f) (Değişik: …)") with the sentence behind it."""
    waiting: tuple[int, int] | None = None
    for start, end in spans:
        first = waiting[0] if waiting else start
        waiting = None
        if _is_numbered(text[start:end]):
            waiting = first, end
        else:
            yield first, end
    if waiting:
        yield waiting


def borders(text: str, start: int, end: int) -> list[int]:
    """Places between start and end at which a footnote begins or ends, in order."""
    found: list[int] = []
    for note in _NOTE.finditer(text, start, end):
        if note.start() > start and _BEFORE.search(
            text[max(note.start() - _SHORT, 0) : note.start()]
        ):
            found.append(note.start())
        elif note.start() > start:
            continue
        closed = _NOTED.search(text, note.end(), end)
        if closed and closed.end() < end:
            found.append(closed.end())
    return sorted(set(found))


def _is_numbered(text: str) -> bool:
    return _NUMBERED.fullmatch(text) is not None and not text.lstrip().startswith(("(Ek", "(Değ"))
