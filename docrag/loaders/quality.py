"""How far the text of one page can be trusted."""

from __future__ import annotations

import re
from itertools import accumulate

#: Visible characters below which a page counts as having no text.
MIN_VISIBLE = 40
#: The same for a page with a picture on it: a scan often carries a printed stamp as text, and one
#: that covers the page a note of its electronic signature.
MIN_VISIBLE_BESIDE_PICTURE, MIN_VISIBLE_ON_SCAN = 100, 400
#: Share of control characters that no readable text reaches.
MAX_CONTROLS = 0.02
#: Share of glyph names ("/12", "/i255", "(cid:7)") among the signs of garbled text.
MAX_GLYPH_NAMES = 0.1
#: Least shares of Latin letters and of digits; readable text, tables too, reaches one of them.
MIN_LETTERS, MIN_DIGITS = 0.5, 0.3
#: Share of letters of any script in a text that is of another script than Latin.
MIN_SCRIPT = 0.6
#: Words from which on a text can be expected to hold common ones, and their least share.
MANY_WORDS, MIN_COMMON = 60, 0.02
#: Shares of vowels among the letters between which languages in Latin letters lie.
VOWELS = (0.28, 0.58)
#: Share of lines that go on with a small letter after a full stop; none do in ordered text.
MAX_JUMPS = 0.05
#: Verdicts from the best to the worst; of two readings of a page, the better one is taken.
VERDICTS = ("", "beside", "columns", "nul", "script", "short", "garbled", "none")

_WARNINGS = {
    "none": "no text on page {number}; it may be a scanned picture",
    "short": "no text on page {number} but {characters} characters; it may be a scanned picture",
    "script": "the text of page {number} may be garbled; it holds few Latin letters",
    "garbled": "the text of page {number} may be garbled; it cannot be read as words",
    "beside": "page {number} has a large picture beside its text; what it says was not read",
    "columns": "the lines of page {number} may be out of order; its columns were read across",
}

#: Words that no page of running text lacks, Turkish and English.
_COMMON = frozenset("ve ile bir bu için veya olan göre her de da the of and to in is for".split())
#: Those of them that make up most.
_COMMONEST = ("ve", "ile", "bir", "bu", "için", "veya", "the", "of", "and")
#: Characters that a Turkish word takes, with its blank.
_SIGNS_A_WORD = 8
_LEAST = {"little": 0, "picture": MIN_VISIBLE_BESIDE_PICTURE, "scan": MIN_VISIBLE_ON_SCAN}
_LEADER = re.compile(r"[.…_\-–—·\s]{4,}")
_LETTER = re.compile("[A-Za-zª-ɏḀ-ỿ]")
_DIGIT = re.compile(r"\d")
_VOWEL = re.compile("[aeıioöuüâîûAEIİOÖUÜÂÎÛ]")
_WORD = re.compile(r"[^\W\d_]+")
_CONTROL = re.compile("[\x01\x03-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd]")
_GLYPH_NAME = re.compile(r"(?<!\d)(?:/i?\d+)+|\(cid:\d+\)")
_JUMP = re.compile(r"[a-zçğıöşü]{2}[.!?][ \t]*\r?\n\s*[a-zçğıöşü]{2}")
#: The same from its full stop on, where it is looked for far faster; it finds all that the other
#: does, and one more where two letters stand between two stops.
_STOP = re.compile(r"[.!?](?<=[a-zçğıöşü]{2}.)[ \t]*\r?\n\s*[a-zçğıöşü]{2}")
#: A line end behind a stop or a blank, and a small letter: no fewer than stops, and found at once.
_MAYBE_STOP = re.compile("\n(?:(?<=[.!? \t]\n)|(?<=[.!? \t]\r\n))\\s*[a-zçğıöşü]{2}")


def visible(text: str) -> int:
    """Number of characters that are no white space."""
    return _printed(text)[0]


def _printed(text: str) -> tuple[int, bool]:
    """Number of visible characters, and whether all are printable, which most pages tell fast."""
    flat = text.replace("\r", " ").replace("\n", " ")
    if flat.isprintable():  # so its only white space is the blank
        return len(flat) - flat.count(" "), True
    return len("".join(text.split())), False


def verdict(text: str, *, shows: str = "", signs: frozenset[str] = frozenset()) -> str:
    """What is wrong with the raw text of a page: one of `VERDICTS`, empty if it looks fine.

    The rules and their limits are those of a study of 1,550 Turkish pages; the share of vowels
    keeps forms, lists and tables from being called garbled for having no common words.

    :param shows: what a reader saw on a page of little text: ``blank``, ``little``, ``picture`` or
        ``scan``; empty if nobody looked.
    :param signs: signs that stand for letters in this document and cannot be read.
    """
    count, printable = _printed(text)
    if count == 0:
        return "none"
    if "\0" in text:
        return "nul"
    if not (printable and "\ufffd" not in text) and _has_controls(text, count):
        return "garbled"
    return _illegible(text, count, signs) or _incomplete(text, count, shows)


def _illegible(text: str, count: int, signs: frozenset[str]) -> str:
    if _has_names(text, count) or any(sign in text for sign in signs):
        return "garbled"
    if _is_plain(text):
        return ""
    if _is_strange(text):
        return "script" if _is_script(text) else "garbled"
    return "garbled" if _is_no_language(text) else ""


def _incomplete(text: str, count: int, shows: str) -> str:
    if count < _LEAST.get(shows, MIN_VISIBLE):
        return "short"
    most = MAX_JUMPS * (text.count("\n") + 1)
    jumps = all(len(form.findall(text)) > most for form in (_MAYBE_STOP, _STOP, _JUMP))
    return "columns" if jumps else ""


def _has_controls(text: str, count: int) -> bool:
    return len(_CONTROL.findall(text)) > MAX_CONTROLS * count


def _has_names(text: str, count: int) -> bool:
    """True if many of its signs are names of glyphs."""
    # Fewer bars than this cannot be enough of them: a name has five signs at most.
    if 5 * text.count("/") + 10 * text.count("(cid:") < MAX_GLYPH_NAMES * count:
        return False
    return sum(len(name) for name in _GLYPH_NAME.findall(text)) > MAX_GLYPH_NAMES * count


def _is_plain(text: str) -> bool:
    """True if common words alone show that it is language: nearly every page, and fast."""
    common = accumulate(text.count(f" {word} ") for word in _COMMONEST)
    return any(count * _SIGNS_A_WORD >= MIN_COMMON * len(text) for count in common)


def _is_strange(text: str) -> bool:
    """True if next to nothing of it is Latin letters or digits."""
    bare = _LEADER.sub(" ", text)
    count, letters, digits = visible(bare), len(_LETTER.findall(bare)), len(_DIGIT.findall(bare))
    return count >= MIN_VISIBLE and letters < MIN_LETTERS * count and digits < MIN_DIGITS * count


def _is_script(text: str) -> bool:
    """True for letters of any script; fonts without a table give marks and symbols, too."""
    return sum(map(str.isalpha, text)) >= MIN_SCRIPT * visible(text)


def _is_no_language(text: str) -> bool:
    """True for many words without a common one among them, and with too few or many vowels."""
    found, letters = _WORD.findall(text), len(_LETTER.findall(text))
    if letters <= len(_DIGIT.findall(text)) or 2 * letters < sum(map(len, found)):
        return False
    common = sum(word.lower() in _COMMON for word in found)
    if len(found) <= MANY_WORDS or common >= MIN_COMMON * len(found):
        return False
    return not VOWELS[0] <= len(_VOWEL.findall(text)) / letters <= VOWELS[1]


def page_warning(fault: str, number: int, *, characters: int = 0) -> str:
    """What a verdict means for a reader of the page; empty for a page that is fine.

    :param fault: one of `VERDICTS`.
    :param number: physical page from 1.
    :param characters: visible ones of its text.
    """
    told = _WARNINGS.get(fault, "")
    return told.format(number=number, characters=characters)
