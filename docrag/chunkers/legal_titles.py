"""Titles above articles, and the books, parts and chapters that articles stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.api import fold
from docrag.chunkers.legal_headings import heading_of
from docrag.chunkers.legal_lines import BLANK, BODY, RAISED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line
    from docrag.chunkers.legal_width import Measure

#: Most characters of a line of a title.
MAX_TITLE = 110
#: Lines above a heading that are looked at: division, its title and two of the article's.
MAX_ABOVE = 8
#: Kinds of divisions from the largest.
_LEVELS = {"kitap": 0, "kisim": 1, "bolum": 2, "ayirim": 3, "ayrim": 3}
_DIVISION = re.compile(
    r"(?P<ordinal>[^\W\d_]{2,12}(?:[ \t]+[^\W\d_]{2,12})?|\d{1,2}\.|[IVX]{1,5}\.)[ \t]+"
    r"(?P<kind>[^\W\d_]{5,6})(?:[ \t]*[-–—:][ \t]*(?P<title>\S.*))?"
)
_ORDINAL = re.compile(
    r"(?:(?:on|yirmi|otuz|kirk) ?)?(?:birin|ikin|ucun|dordun|besin|altin|yedin|sekizin|dokuzun)"
    r"c[iu]|onuncu|yirminci|otuzuncu|son|tek|\d{1,2}\.?|[ivx]{1,5}\.?"
)
_ENDS = re.compile(r"[.!?…:;)\]”\"’»][ \t]*\d{0,3}$")
_LISTED = re.compile(
    r"\(?(?:\d{1,3}|[a-zçğıöşü]{1,3}|[IVX]{1,4})[).][ \t]|\(\d{1,3}\)|[•*▪●-]|[IVX]{1,4}[-–][ \t]"
)
_CAPITAL = re.compile(r"[“\"]?[A-ZÇĞİÖŞÜÂÎÛ]")
_SMALL = re.compile(r"[a-zçğıöşüâîû]")
#: How no title ends: with a stop, past brackets and the numbers of footnotes.
_STOPPED = re.compile(r"[.;:,][”\"’)\]]*[ \t]?(?:\(?\d{1,3}\)?){0,3}$")
#: A footnote's number at the end of a title.
_MARK = re.compile(r"(?<=[^\W\d_])\d{1,6}$|[ \t]*\(\d{1,3}\)$")
#: A line that names an article, though it is no heading.
_NAMES = re.compile(r"(?:[^\W\d_]{2,9}[ \t]*[-–.]?[ \t]*)?M[Aa][Dd][Dd][Ee][ \t]*\d")
#: A quoted sign or definition.
_QUOTED = re.compile(r"[“\"][^”\"]*[:!]")
#: What a heading's line says of an article that is no more, which is no title.
_STATUS = re.compile(r"(?i:m[üu]lga|[iİ]ptal|y[üu]r[üu]rl[üu]kten kald)|Danıştay|Anayasa Mahkemesi")
#: Title in the heading's own line: ``(Başlık)``.
_BRACKETED = re.compile(r"\(([A-ZÇĞİÖŞÜÂÎÛ][^():]{1,108})\)(?=$|[ \t])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """A line such as ``İKİNCİ BÖLÜM``."""

    #: 0 (kitap) to 3 (ayırım).
    level: int
    name: str


def division_of(text: str) -> Division | None:
    """The division that a line names, ``None`` for any other line.

    :param text: a line without blanks at its ends.
    """
    if len(text) > MAX_TITLE:
        return None
    found = _DIVISION.fullmatch(text)
    if found is None or found["kind"][0].islower():
        return None
    level = _LEVELS.get(fold(found["kind"]))
    ordinal = " ".join(fold(word) or word for word in found["ordinal"].split())
    if level is None or not (_ORDINAL.fullmatch(ordinal.rstrip(".")) or _misspelt(ordinal)):
        return None
    title = found["title"]
    name = f"{found['ordinal']} {found['kind']}"
    return Division(level=level, name=f"{name}: {title}" if title else name)


def _misspelt(ordinal: str) -> bool:
    """``ÜÇÜNÇÜ`` folds as it should; a letter too many or too few is let pass in one word."""
    return " " not in ordinal and ordinal.endswith(("inci", "uncu", "nci", "ncu"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """What an article is called."""

    text: str
    #: Place in the list of lines of the first line above that belongs to the article, divisions
    #: and their titles counted in; the heading's own place if none does.
    first: int


def title_above(lines: Sequence[Line], at: int, *, floor: int, measure: Measure) -> Title:
    """The title in the lines above a heading, empty where there is none.

    :param at: place of the heading among the lines.
    :param floor: place of the first line that the title may have.
    :param measure: of the document, for a sentence that ends without a stop in a short line.
    """
    above, gaps = _above(lines, at, floor)
    divided = _divisions(lines, [place for place in above if place >= floor])
    if divided:
        places = _below_division(lines, above[: divided[0]], gaps)
        first = above[divided[-1]]
    else:
        places = _free_title(lines, above, gaps, measure)
        places = [place for place in places if place >= floor]
        first = places[-1] if places else at
    text = " ".join(lines[place].text for place in reversed(places))
    return Title(text=_MARK.sub("", text).strip('“”" '), first=first)


def _divisions(lines: Sequence[Line], above: list[int]) -> list[int]:
    """Which of the lines above, nearest first, name a division; only short ones lie between."""
    found: list[int] = []
    for n, place in enumerate(above):
        if len(lines[place].text) > 2 * MAX_TITLE:
            break
        if division_of(lines[place].text) is not None:
            found.append(n)
    return found


def _above(lines: Sequence[Line], at: int, floor: int) -> tuple[list[int], list[bool]]:
    """Text lines above, nearest first, and whether a blank line stands between each and the next.

    The gap of a line is above it: ``gaps[0]`` is between the nearest and the second. The line
    above the floor comes last, for it shows whether a sentence ended there.
    """
    places: list[int] = []
    gaps: list[bool] = []
    for place in range(at - 1, max(floor - 1, at - 40, 0) - 1, -1):
        line = lines[place]
        if line.role == BLANK and places:
            gaps[-1] = True
        elif line.role == BODY and not RAISED.fullmatch(line.text):
            if len(places) == MAX_ABOVE or line.flow != lines[at].flow:
                break
            places.append(place)
            gaps.append(False)
    if len(places) < MAX_ABOVE and places and places[-1] >= floor:
        gaps[-1] = True  # nothing stands above it
    return places, gaps


def _below_division(lines: Sequence[Line], between: list[int], gaps: list[bool]) -> list[int]:
    """The article's title among the lines between a division and the heading, nearest first.

    The first lines are the division's own title: up to a blank line, or else as long as a line
    ends in a comma or the next begins with a small letter.
    """
    for n in range(len(between) - 1):
        if gaps[n]:
            return between[: n + 1] if _is_title(lines[between[n]].text) else []
    order = between[::-1]
    own = 1
    while own < len(order) and (
        lines[order[own - 1]].text.endswith((",", " ve", " ile", "-"))
        or _SMALL.match(lines[order[own]].text)
    ):
        own += 1
    return order[own:][::-1]


def _free_title(
    lines: Sequence[Line], above: list[int], gaps: list[bool], measure: Measure
) -> list[int]:
    """Up to two lines that look like a title and begin behind the end of a sentence."""
    texts = [lines[place].text for place in above]
    if not texts or len(texts[0]) > MAX_TITLE or _STOPPED.search(texts[0]):
        return []
    if _is_title(texts[0]) and _ended(texts, gaps, 1, measure):
        return above[:1]
    if len(texts) > 1 and not gaps[0] and _is_title(texts[1]) and not _LISTED.match(texts[0]):
        return above[:2] if _ended(texts, gaps, 2, measure) else []
    return []


def _ended(texts: list[str], gaps: list[bool], at: int, measure: Measure) -> bool:
    """True if the text above a line ended before it."""
    if gaps[at - 1]:
        return True
    if at >= len(texts):
        return False
    before = texts[at]
    if len(before) <= MAX_TITLE // 2 and _LISTED.match(before):
        return True  # an item that is ended without a stop
    if _ENDS.search(before):
        return True
    if before[-1] in ",;" and _SMALL.match(before):
        return True  # the last item of a list that a comma ends
    return not _is_title(before) and measure.fits(before, texts[at - 1])


def _is_title(text: str) -> bool:
    """True for a short line that begins like a title and does not end like a sentence."""
    return (
        len(text) <= MAX_TITLE
        and not _STOPPED.search(text)
        and bool(_CAPITAL.match(text))
        and not _LISTED.match(text)
        and not _NAMES.match(text)
        and not _QUOTED.match(text)
        and heading_of(text) is None
    )


def title_within(rest: str, *, is_first: bool, below: str) -> str:
    """The title in the heading's own line, empty where there is none.

    :param rest: what the line says behind the number.
    :param is_first: the line is one by itself, as the headings of Markdown are.
    :param below: the next line of text.
    """
    bracketed = _BRACKETED.match(rest)
    if _STATUS.match(rest.lstrip("( ")):
        return ""
    if bracketed:
        return bracketed[1].strip()
    if not rest or len(rest) > MAX_TITLE or _STOPPED.search(rest) or not _CAPITAL.match(rest):
        return ""
    letters = [sign for sign in rest if sign.isalpha()]
    capital = len(letters) > 2 and all(sign.isupper() for sign in letters)  # noqa: PLR2004 - a word
    return rest if capital or is_first or below.startswith("(1)") else ""
