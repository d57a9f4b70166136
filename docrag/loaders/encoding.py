"""Decoding of text files whose encoding nobody names, for Turkish first."""

from __future__ import annotations

import codecs
import re

from docrag.api import LoaderError, repair

#: Byte order marks and their encodings; the longer mark of UTF-32 must be tried before UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Bytes of ç Ç ğ Ğ ı İ ö Ö ş Ş ü Ü in the code pages of DOS and of Windows.
_DOS = bytes([0x87, 0x80, 0xA7, 0xA6, 0x8D, 0x98, 0x94, 0x99, 0x9F, 0x9E, 0x81, 0x9A])
_WINDOWS = "çÇğĞıİöÖşŞüÜ".encode("cp1254")
#: Encodings that are read as cp1254 where they are named: it differs in what a Turkish Windows
#: writes under the name of Latin-1, and ISO-8859-9 is all but a part of it.
_LATIN = frozenset(("ascii", "iso8859-1", "cp1252", "iso8859-9", "cp1254"))
#: What Python calls an encoding although it is a way of writing signs in other signs.
_NO_CHARSETS = frozenset(
    ("utf-7", "unicode-escape", "unicode_escape", "raw-unicode-escape", "raw_unicode_escape")
    + ("punycode", "idna", "undefined")
)
#: Share of zero bytes at every second place that shows UTF-16; half the letters may be Turkish.
_ZEROS = 0.4
#: Share of control and undecodable characters above which a file is no text.
_MAX_STRANGE = 0.02
#: What stands for bytes that are no letter.
_UNREADABLE = "\ufffd"
#: Letters of several bytes for each bad one that show UTF-8: text in a code page has nearly none,
#: since each needs a capital letter and a sign behind it.
_GOOD = 3
_STRANGE = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
#: UTF-8 that was read as Windows text once: Ä± ÄŸ ÅŸ Ã¼ and the like.
_TWICE = re.compile("Ä[±°Ÿž\x9e]|Å[Ÿž\x9e]|Ã[¼¶§‡œ–\x96]")


def decode(data: bytes, *, filename: str) -> str:
    """The text of a file in NFC with ``\\n`` line ends, without byte order mark and NUL.

    Tried are in order: byte order mark, zero bytes at every second place (UTF-16), strict UTF-8
    (the file may end within a letter), UTF-8 with a few bad bytes, which become U+FFFD
    (`damage` tells), then cp857 or cp1254, whichever has more Turkish letters.

    :raises LoaderError: there is no text in it: empty, blank or binary.
    """
    (clean,) = repair([as_written(data, filename=filename)])
    if not clean.strip():
        raise LoaderError(f"{filename!r} was refused: the file holds no text, only blanks")
    return clean


def as_written(data: bytes, *, filename: str, declared: str = "") -> str:
    """The text of a file, decoded as `decode` does but not repaired.

    :param declared: encoding that the file names for itself; it is believed before the code pages
        are tried, unless it is unknown or does not fit.
    :raises LoaderError: the file is empty or binary.
    """
    if not data.strip():
        raise LoaderError(f"{filename!r} was refused: the file is empty")
    text = _unicode(data)
    if text is None:
        text = _declared(data, declared)
    text = _twice_read(_code_page(data) if text is None else text)
    if len(_STRANGE.findall(text)) > _MAX_STRANGE * len(text):
        raise LoaderError(f"{filename!r} was refused: it is not a text file but binary data")
    return text


def damage(text: str) -> str:
    """What to warn of in a decoded text; empty if each letter of it was readable."""
    count = text.count(_UNREADABLE)
    return f"unreadable characters of the file stand as {_UNREADABLE}: {count}" if count else ""


def _declared(data: bytes, name: str) -> str | None:
    """The text in the encoding that the file names; ``None`` if it is of no use."""
    try:
        codec = codecs.lookup(name).name
        if codec in _NO_CHARSETS:
            return None
        return data.decode("cp1254" if codec in _LATIN else codec, "strict")
    except (LookupError, ValueError):
        return None


def _unicode(data: bytes) -> str | None:
    """The text if the file is in UTF-8, UTF-16 or UTF-32, else ``None``."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    half = max(1, len(data) // 2)
    even, odd = data[::2].count(0) / half, data[1::2].count(0) / half
    if max(even, odd) > _ZEROS and min(even, odd) < _ZEROS / 10:
        return data.decode("utf-16-le" if odd > even else "utf-16-be", "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=False)
    except UnicodeDecodeError:
        return _nearly(data)


def _nearly(data: bytes) -> str | None:
    """The text if the file is in UTF-8 but for a few bytes, else ``None``."""
    text = data.decode("utf-8", "replace")
    bad = text.count(_UNREADABLE) - data.count(_UNREADABLE.encode())
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    return text if good >= _GOOD * bad else None


def _code_page(data: bytes) -> str:
    dos = sum(data.count(letter) for letter in _DOS)
    windows = sum(data.count(letter) for letter in _WINDOWS)
    return data.decode("cp857" if dos > windows else "cp1254", "replace")


def _twice_read(text: str) -> str:
    """The text with UTF-8 that was taken for Windows text and saved again put right."""
    if not _TWICE.search(text):
        return text
    try:
        return b"".join(_byte(sign) for sign in text).decode("utf-8")
    except UnicodeError:
        return text


def _byte(sign: str) -> bytes:
    """The byte that Windows shows as this sign; the five bytes without a sign stay as they are."""
    try:
        return sign.encode("cp1252")
    except UnicodeEncodeError:
        return sign.encode("latin-1")
