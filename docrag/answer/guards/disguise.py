"""What a text says to a model through its disguises: plain lower-case words and clause marks."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

#: Stands for a web address and for an e-mail address among the words.
ADDRESS: Final = "zurl"
MAIL: Final = "zmail"
#: Characters of a text that are read, the first and the last half of them; what a pasted book
#: holds in its middle is not worth the seconds.
LONGEST: Final = 20_000
#: Letters of other scripts that look like Latin ones (a short extract of Unicode TS 39,
#: confusables), and letters that no decomposition leads to ASCII.
_LOOKALIKES: Final = str.maketrans(
    "аеорсухіјѕһԁԛԝкмтвнгпиαοερτυνκιχβγıøłđɡɩʟ’‘`´",
    "aeopcyxijshdqwkmtbhrnnaoeptuvkixbyioldgil''''",
)
#: Figures and signs that stand for letters inside words.
_LEET: Final = str.maketrans("013457@$", "oieastas")
_LEET_WORD: Final = re.compile(r"[a-z0-9@$]+")
#: Letters, at the least, of a word whose figures are read as letters, and most such figures.
_LEET_LETTERS: Final = 3
#: Names of codes, whose figures are figures.
_CODES: Final = ("base64", "base32", "rot13")
#: Invisible copies of ASCII (Unicode block Tags), which models read and people do not see.
_TAGS: Final = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([2-7][0-9a-fA-F])")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s)\]>\"']+")
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_APOSTROPHE: Final = re.compile(r"(?<=\w)'(?=\w)")
_MARKS: Final = {"?": " ? ", ",": " , "}
_SIGN: Final = re.compile(r"[^\w\s]|_")
#: The same mark again, which ends nothing more.
_AGAIN: Final = re.compile(r"([.,?])(?: \1)+")
#: Signs that end a clause, and those that stand for a blank.
_ENDS: Final = frozenset(".!;:…()[]{}<>|=#")
#: Single letters with signs between them, at least six.
_SPACED: Final = re.compile(r"(?<![a-z0-9])(?:[a-z][ .\-_*/|]{1,3}){5,400}[a-z](?![a-z0-9])")
#: Base64 and hexadecimal runs that may hold a sentence.
_BASE64: Final = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,20000}={0,2}(?![\w+/=-])")
_HEX: Final = re.compile(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){16,5000}(?!\w)")
#: Share of a decoded text that must be letters and blanks, and words that it must have.
_LETTERS_SHARE: Final = 0.85
_LEAST_WORDS: Final = 3


def ends(text: str) -> str:
    """A text of at most :data:`LONGEST` characters as it is, the two ends of a longer one."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"


def bare(text: str) -> str:
    """The text in ASCII lower case, without invisible characters; marks and line ends stay.

    Full-width and mathematical letters, accents, look-alikes of other scripts, HTML entities,
    ``\\u`` and percent escapes become the letters that they stand for. What they blow up beyond
    :data:`LONGEST` is cut as :func:`ends` does: one sign may stand for eighteen.
    """
    text = _ESCAPE.sub(_unescaped, html.unescape(text).translate(_TAGS))
    # A dotted capital I decomposes into I and a dot, which is a mark like any other.
    decomposed = unicodedata.normalize("NFKD", text)
    shown = "".join(sign for sign in decomposed if unicodedata.category(sign) not in _UNSEEN)
    return ends(shown).lower().translate(_LOOKALIKES)


#: Combining marks, and characters that are not shown.
_UNSEEN: Final = frozenset(("Mn", "Me", "Cf", "Co", "Cn", "Cs"))


def readings(text: str) -> tuple[str, ...]:
    """The words of a bare text with ``.``, ``,`` and ``?`` as clause marks, single blanks between.

    :param text: as of :func:`bare`.
    :returns: with a line end as a mark, as a blank, and as a blank that takes a full stop before it
        away, where these differ.
    """
    flat = _EMAIL.sub(f" {MAIL} ", _URL.sub(f" {ADDRESS} ", text))
    flat = _LEET_WORD.sub(_letters, _APOSTROPHE.sub("", flat))
    lines = [line for line in map(_marked, flat.splitlines()) if line]
    run_on = " ".join(line.removesuffix(" .") for line in lines)
    return tuple(dict.fromkeys((" . ".join(lines), " ".join(lines), run_on)))


def spaced(text: str) -> Iterator[str]:
    """Words that a bare text spells with blanks or signs between the letters, without these."""
    for run in _SPACED.finditer(text):
        yield _joined(run)


def joined(text: str) -> str:
    """A bare text with the words of :func:`spaced` in their places."""
    return _SPACED.sub(_joined, text)


def _joined(run: re.Match[str]) -> str:
    return re.sub("[^a-z]", "", run[0])


def decoded(text: str) -> Iterator[str]:
    """Sentences that a text holds in base64 or hexadecimal.

    :param text: as the user wrote it.
    """
    for run in _HEX.finditer(text):
        yield from _sentence(binascii.unhexlify(re.sub("[ :]", "", run[0])))
    for run in _BASE64.finditer(text):
        coded = run[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield from _sentence(base64.b64decode(coded + "=" * (-len(coded) % 4)))
        except binascii.Error:
            continue


def turned(text: str) -> tuple[str, str]:
    """A text read backwards, and read by ROT13."""
    return text[::-1], codecs.encode(text, "rot13")


def _sentence(data: bytes) -> Iterator[str]:
    """The bytes as text if they are words."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    letters = sum(sign.isalpha() or sign in " ,.'\n" for sign in text)
    if letters >= _LETTERS_SHARE * len(text) and len(text.split()) >= _LEAST_WORDS:
        yield text


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(next(group for group in found.groups() if group), 16))


def _letters(word: re.Match[str]) -> str:
    """A word with its figures read as letters, if most of it are letters."""
    said = word[0]
    if said.startswith(_CODES):
        return said
    letters = sum(sign.isalpha() for sign in said)
    if letters == len(said) or letters < _LEET_LETTERS or 2 * letters < len(said):
        return said
    return said.translate(_LEET)


def _marked(line: str) -> str:
    return _AGAIN.sub(r"\1", " ".join(_SIGN.sub(_mark, line).split()))


def _mark(sign: re.Match[str]) -> str:
    return _MARKS.get(sign[0], " . " if sign[0] in _ENDS else " ")
