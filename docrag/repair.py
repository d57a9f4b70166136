"""Cures what the readers of real files do to Turkish text."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from docrag.glyphs import COMMON, readings
from docrag.symbols import named
from docrag.textnorm import lower

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: Letters that a broken font table gives instead of Turkish ones; Turkish has none of the three.
_BROKEN_FONT = str.maketrans({"Ġ": "İ", "ġ": "Ş", "Ģ": "ş"})
_MISPLACED = re.compile("[a-zçğıöşü][ĠĢ]|[A-ZÇĞÖÜĠ]{2}ġ|ġ[A-ZÇĞÖÜĠ]")
_BROKEN_FONT_WORD = re.compile(r"(?<!\w)\w*[ĠġĢ]\w*")
#: Line ends of other systems and of Unicode, read as a new line.
_LINE_ENDS = re.compile("\r\n|[\r\f\v\x85\u2028\u2029]")
#: A hyphen at a line end as pdfium prints it, U+0002 or U+FFFE, in the middle of a joined line.
#: (What begins with a look back is tried at every letter; so it comes behind the sign.)
_PRINTED_HYPHEN = re.compile("[\x02\ufffe](?<=\\w.)(?:[ \t]*\n)?[ \t]*(?=\\w)")
#: Ligatures, which nobody types into a search.
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st"}
#: Everything unprintable: controls but tab, new line and NUL, half surrogates, invisible marks.
_UNPRINTABLE = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200b\ufeff\ufffe\uffff]")
#: A word in which NUL stands for a letter that the font does not name.
_NUL_WORD = re.compile(r"(?<![\w\x00])\w*\x00[\w\x00]*")
#: Several NUL are no letter but the filling of a field or a file.
_FILLING = re.compile("\x00{2,}")
#: NUL beside a digit is no letter: perhaps a point, a dash, a sign of a unit.
_NUL_BESIDE_DIGIT = re.compile("(?<=\\d)\x00+(?=\\d)|(?<=\\d)\x00(?!\x00)|(?<!\x00)\x00(?=\\d)")
_WITH_HYPHENS = re.compile(r"[\w\x00]+(?:-\w+)*")
_VOWELS = frozenset("aeıioöuüâîûAEIİOÖUÜÂÎÛ")
#: A word that a hyphen or a soft hyphen breaks at the end of a line. (Looking back, here and above,
#: keeps the time linear for a word of a million letters.)
_BROKEN_WORD = re.compile(
    "(?<![^\\W\\d_])([^\\W\\d_]+)([-\xad])[ \t]*\n[ \t]*(\\w+)(\\S*)[ \t]*\n?"
)
_BREAK = re.compile("[-\xad][ \t]*\n")
#: The same for each of the two signs: a pattern that begins with a letter is found at once.
_HARD_BREAK, _SOFT_BREAK = re.compile("-[ \t]*\n"), re.compile("\xad[ \t]*\n")
#: A soft hyphen that stands for a dash: ``MADDE 5\u00ad (1)``, ``5\u00ad10 kg``.
_SOFT_DASH = re.compile(r"\xad(?=[\s(])|(?<=\d)\xad+(?=[\d%])")
#: Words that stand on both sides of real hyphens in regulations; a short document has no others.
_PARTNERS = frozenset(
    "alım anabilim anasanat araştırma bakım bilim boşaltma depolama eğitim geliştirme gelir gider "
    "giriş çıkış iç dış iş işçi işveren onarım öğretim ölçme değerlendirme satım soru cevap "
    "tedarik tesis usul esas uygulama üretim yükleme yapım yıkım".split()
)


def printable(text: str) -> str:
    """The text in NFC with ``\\n`` line ends, without control characters; NUL is left for `repair`.

    U+0002 and U+FFFE, which some readers print for a hyphen at a line end, become ``-``.
    """
    if text.replace("\n", " ").isprintable():  # nearly every page, and told fast
        return _composed(text)
    lines = _LINE_ENDS.sub("\n", text).replace("\x02", "-").replace("\ufffe", "-")
    return named(_UNPRINTABLE.sub("", _composed(lines)))


def _composed(text: str) -> str:
    """The text in NFC without ligatures."""
    composed = unicodedata.normalize("NFC", text)
    if any(chr(sign) in composed for sign in _LIGATURES):
        return composed.translate(_LIGATURES)
    return composed


def repair(texts: Sequence[str], *, letters: Mapping[str, str] | None = None) -> list[str]:
    """Texts of one document's pages in the same order, with the faults of real files cured.

    Cured are: signs that stand for letters (`docrag.glyphs`), composition and line ends
    (`printable`), the letters ``Ġ ġ Ģ`` that stand for ``İ Ş ş``, NUL in place of an i, and words
    broken at a line end. The words of the whole document decide doubtful cases, so all pages must
    be given together.

    :param letters: what `docrag.glyphs.readings` finds in these texts, if it was asked already.
    """
    read = [text.replace("\r\n", "\n") for text in texts]
    for sign, letter in (readings(texts) if letters is None else letters).items():
        if letter:  # one at a time: ten times as fast as a table, and no letter is a sign
            read = [text.replace(sign, letter) for text in read]
    clean = [printable(_with_line_ends(text)) for text in read]
    if _is_broken_font(clean):
        clean = [text.translate(_BROKEN_FONT) for text in clean]
    if any("\x00" in text for text in clean):
        known = _vocabulary(clean)
        clean = [_FILLING.sub("", _NUL_BESIDE_DIGIT.sub("\ufffd", text)) for text in clean]
        clean = [_NUL_WORD.sub(lambda found: _restored(found[0], known), text) for text in clean]
    if any(_is_broken(text) for text in clean):
        whole = _whole_words(clean)
        clean = [_unbroken(text, lambda found: _joined(found, whole)) for text in clean]
    if any("\xad" in text for text in clean):
        clean = [_SOFT_DASH.sub("-", text).replace("\xad", "") for text in clean]
    return clean


def _is_broken_font(texts: Sequence[str]) -> bool:
    """Whether ``Ġ ġ Ģ`` stand for Turkish letters, and not for those of Maltese or Latvian.

    They do where one stands as those languages never write it (a capital behind a small letter, a
    small one among capitals), or where the Turkish letters make words that are known.
    """
    if not any(sign in text for text in texts for sign in "ĠġĢ"):
        return False
    if any(_MISPLACED.search(text) for text in texts):
        return True
    found = {word for text in texts for word in _BROKEN_FONT_WORD.findall(text)}
    return any(lower(word.translate(_BROKEN_FONT)) in COMMON for word in found)


def _is_broken(text: str) -> bool:
    """Whether a hyphen or a soft hyphen stands at the end of a line."""
    return bool(_HARD_BREAK.search(text) or _SOFT_BREAK.search(text))


def _unbroken(text: str, whole: Callable[[re.Match[str]], str]) -> str:
    """The text with something else for each word that a hyphen breaks at a line end."""
    if not _is_broken(text):
        return text
    parts: list[str] = []
    done = at = 0
    # Only lines that end so are looked at, each with the next one, in which the word ends.
    while broken := _BREAK.search(text, at):
        line = max(text.rfind("\n", done, broken.start()) + 1, done)
        end = text.find("\n", broken.end()) + 1 or len(text)
        found = _BROKEN_WORD.search(text, line, end)
        at = broken.end()
        if found:
            parts += text[done : found.start()], whole(found)
            done = at = found.end()
    return "".join(parts) + text[done:]


def _with_line_ends(text: str) -> str:
    """The text with the line ends that pdfium takes away behind a hyphen."""
    if "\x02" in text or "\ufffe" in text:
        return _PRINTED_HYPHEN.sub("-\n", text)
    return text


def unreadable(texts: Sequence[str]) -> frozenset[str]:
    """Signs that stand for letters in these raw pages of one document, nobody knows for which."""
    return frozenset(sign for sign, letter in readings(texts).items() if not letter)


def _vocabulary(texts: Sequence[str]) -> frozenset[str]:
    """Lower-cased words and hyphenated words of all texts; words with a NUL are left out."""
    found: set[str] = set()
    for text in texts:
        found.update(_WITH_HYPHENS.findall(lower(text)))
    found.update(part for word in tuple(found) if "-" in word for part in word.split("-"))
    return frozenset(word for word in found if "\x00" not in word)


def _restored(word: str, known: frozenset[str]) -> str:
    """The word with each NUL read as ``i`` or ``ı``, or dropped where no letter can be missing."""
    stem = word.rstrip("\x00")
    letters = stem.replace("\x00", "")
    if not letters or (stem != word and stem[-1] in _VOWELS):  # Turkish has no such double vowel
        word = stem
    if word == letters or not letters:
        return letters
    capital = len(letters) > 1 and letters.isupper()
    dotted, dotless = (word.replace("\x00", sign) for sign in ("İI" if capital else "iı"))
    return dotless if lower(dotless) in known and lower(dotted) not in known else dotted


def _whole_words(texts: Sequence[str]) -> Callable[[], frozenset[str]]:
    """The vocabulary without broken words, made when it is asked for: few hyphens are doubtful."""
    return cache(lambda: _vocabulary([_unbroken(text, lambda _: " ") for text in texts]))


def _joined(found: re.Match[str], known: Callable[[], frozenset[str]]) -> str:
    """A word broken at a line end, whole before the line end, with its hyphen where it is real."""
    first, hyphen, second, rest = found.groups()
    joined = f"{first}{second}"
    whole = joined if hyphen == "\xad" else _hyphenated(first, second, known)
    return f"{whole}{rest}\n"


def _hyphenated(first: str, second: str, known: Callable[[], frozenset[str]]) -> str:
    """The two halves joined, with the hyphen if it is real (``eğitim-öğretim``).

    Three of four hyphens at line ends are real, so dropping all would do harm.
    """
    kept, joined = f"{first}-{second}", f"{first}{second}"
    if len(first) == 1 or second[0].isdigit() or second[0].isupper() or lower(kept) in known():
        return kept
    if lower(joined) in known():
        return joined
    return kept if {lower(first), lower(second)} - _PARTNERS <= known() else joined
