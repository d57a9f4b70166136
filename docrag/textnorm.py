"""Turkish-aware text analysis, the same for indexing and asking, and the repair of read text.

Case folding, folding to ASCII and terms live here and never in SQL, because no PostgreSQL build at
hand knows Turkish casing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_LOWER = str.maketrans({"İ": "i", "I": "ı"})
_FOLD = str.maketrans("ıİşŞğĞçÇöÖüÜâÂîÎûÛ", "iissggccoouuaaiiuu")
#: A combining dot above, which ``str.lower`` leaves behind a decomposed dotted capital I.
_DOT_ABOVE = "\u0307"


def lower(text: str) -> str:
    """Turkish lower case: ``İ`` to ``i`` and ``I`` to ``ı``, composed first (NFC)."""
    composed = unicodedata.normalize("NFC", text)
    return composed.translate(_LOWER).lower().replace(_DOT_ABOVE, "")


def words(text: str) -> list[str]:
    """Lower-cased words in order; an apostrophe separates, nothing is stemmed or left out."""
    return _WORD.findall(lower(text))


def fold(word: str) -> str:
    """ASCII spelling of a word: Turkish letters to their plain ones, other accents dropped.

    Empty for a word of nothing but marks.
    """
    # Nearly every word; it holds no mark that could join a letter, so it needs no composing.
    plain = word.translate(_FOLD).lower()
    if plain.isascii() and plain.isalnum():
        return plain
    plain = unicodedata.normalize("NFC", word).translate(_FOLD).lower()
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(sign for sign in decomposed if sign.isalnum() or sign == "_")


#: Letters that a broken font table gives instead of Turkish ones; Turkish has none of the three.
_BROKEN_FONT = str.maketrans({"Ġ": "İ", "ġ": "Ş", "Ģ": "ş"})
#: Line ends of other systems and of Unicode, read as a new line.
_LINE_ENDS = re.compile("\r\n|[\r\f\v\x85\u2028\u2029]")
#: Everything unprintable: controls but tab, new line and NUL, half surrogates, invisible marks.
_UNPRINTABLE = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200b\ufeff\ufffe\uffff]")
#: Bullets of symbol fonts, which have no Unicode place of their own.
_SYMBOL_BULLET = re.compile("[\uf020-\uf0ff]")
#: A word in which NUL stands for a letter that the font does not name.
_NUL_WORD = re.compile(r"(?<![\w\x00])\w*\x00[\w\x00]*")
#: Several NUL are no letter but the filling of a field or a file.
_FILLING = re.compile("\x00{2,}")
_VOWELS = frozenset("aeıioöuüâîûAEIİOÖUÜÂÎÛ")
#: A word that a hyphen or a soft hyphen breaks at the end of a line. (Looking back, here and above,
#: keeps the time linear for a word of a million letters.)
_BROKEN_WORD = re.compile(
    "(?<![^\\W\\d_])([^\\W\\d_]+)([-\xad])[ \t]*\n[ \t]*(\\w+)(\\S*)[ \t]*\n?"
)
#: Words that stand on both sides of real hyphens in regulations; a short document has no others.
_PARTNERS = frozenset(
    "alım anabilim anasanat araştırma bakım bilim boşaltma depolama eğitim geliştirme gelir gider "
    "giriş çıkış iç dış iş işçi işveren onarım öğretim ölçme değerlendirme satım soru cevap "
    "tedarik tesis usul esas uygulama üretim yükleme yapım yıkım".split()
)


def printable(text: str) -> str:
    """The text in NFC with ``\\n`` line ends, without control characters; NUL is left for `repair`.

    U+0002, which some readers print for a hyphen at a line end, becomes ``-``.
    """
    lines = _LINE_ENDS.sub("\n", text.replace("\x02", "-"))
    clean = _UNPRINTABLE.sub("", unicodedata.normalize("NFC", lines))
    return _SYMBOL_BULLET.sub("•", clean)


def repair(texts: Sequence[str]) -> list[str]:
    """Texts of one document's pages in the same order, with the faults of real files cured.

    Cured are: composition and line ends (`printable`), the letters ``Ġ ġ Ģ`` that stand for
    ``İ Ş ş``, NUL in place of an i, and words broken at a line end. The words of the whole document
    decide doubtful cases, so all pages must be given together.
    """
    clean = [printable(text) for text in texts]
    if any(sign in text for text in clean for sign in "ĠġĢ"):
        clean = [text.translate(_BROKEN_FONT) for text in clean]
    if any("\x00" in text for text in clean):
        known = _vocabulary(clean)
        clean = [_FILLING.sub("", text) for text in clean]
        clean = [_NUL_WORD.sub(lambda found: _restored(found[0], known), text) for text in clean]
    if any("-\n" in text or "\xad" in text for text in clean):
        known = _vocabulary([_BROKEN_WORD.sub(" ", text) for text in clean])
        clean = [_BROKEN_WORD.sub(lambda found: _joined(found, known), text) for text in clean]
        clean = [re.sub("\xad(?=[\\s(])", "-", text).replace("\xad", "") for text in clean]
    return clean


def _vocabulary(texts: Sequence[str]) -> frozenset[str]:
    """Lower-cased words and hyphenated words of all texts; words with a NUL are left out."""
    found: set[str] = set()
    for text in texts:
        for word in re.findall(r"[\w\x00]+(?:-\w+)*", lower(text)):
            found.add(word)
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


def _joined(found: re.Match[str], known: frozenset[str]) -> str:
    """A word broken at a line end, whole before the line end, with its hyphen where it is real."""
    first, hyphen, second, rest = found.groups()
    joined = f"{first}{second}"
    whole = joined if hyphen == "\xad" else _hyphenated(first, second, known)
    return f"{whole}{rest}\n"


def _hyphenated(first: str, second: str, known: frozenset[str]) -> str:
    """The two halves joined, with the hyphen if it is real (``eğitim-öğretim``).

    Three of four hyphens at line ends are real, so dropping all would do harm.
    """
    kept, joined = f"{first}-{second}", f"{first}{second}"
    if lower(kept) in known or second[0].isdigit() or second[0].isupper():
        return kept
    if lower(joined) in known:
        return joined
    return kept if {lower(first), lower(second)} <= known | _PARTNERS else joined


def storable(text: str) -> str:
    """The text without NUL; halves of surrogate pairs, which UTF-8 cannot hold, become ``?``."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def ending(text: str, limit: int) -> str:
    """The end of a text, without surrounding space; a word that the cut would split is left out.

    :param limit: most characters, 1 or more; a single longer word is cut to its end.
    """
    stripped = text.strip()
    if len(stripped) <= limit:
        return stripped
    end = stripped[-limit - 1 :]
    _, _, whole = end.replace("\n", " ").partition(" ")
    return whole.strip() or end[1:]
