"""What text recognition typically misreads in Turkish regulations, put right where it is safe."""

from __future__ import annotations

import re

from docrag.loaders.itemletters import in_order

#: An article's number at the start of a line: ``MADDE 8``, ``GEÇİCİ MADDE 3``, ``Madde 25/A``.
_HEAD = r"^[ \t]*(?:(?:EK|Ek|GEÇİCİ|Geçici|MÜKERRER|Mükerrer)[ \t]+)?(?:MADDE|Madde)[ \t]+"
#: The bar between number and letter, read with an S in front: ``25S/A``.
_LETTER = re.compile(rf"({_HEAD}\d+)[S$§](/[A-ZÇĞİÖŞÜ]\b)", re.MULTILINE)
_LETTER_CITED = re.compile(r"(?<![\w/])(\d+)S(/[A-ZÇĞİÖŞÜ] (?:maddesi|inci|nci|ncı|uncu|üncü)\b)")
#: A number with a letter that looks like a digit, behind which an article's text begins.
_NUMBER = re.compile(
    rf"({_HEAD})(?=\w*[\d$])([\dOIl|$]{{1,3}})(?=[ \t]*[-\u2010-\u2015]+[ \t]*\()",
    re.MULTILINE,
)
_DIGITS = str.maketrans("OIl|$", "01118")
#: The dash behind the number, read as a long one, as two, or without its blanks.
_DASH = re.compile(
    rf"({_HEAD}\d+(?:/[A-ZÇĞİÖŞÜ])?)[ \t]*[-\u2010-\u2015_~]+[-\u2010-\u2015_~ \t]*"
    r"(?=\(\d{1,2}\)|0 ?[A-ZÇĞİÖŞÜ]|\([Il|i ]?\) )",
    re.MULTILINE,
)
#: The first paragraph's ``(1)`` behind that dash, read as a zero or as empty brackets.
_FIRST = re.compile(
    rf"({_HEAD}\d+(?:/[A-ZÇĞİÖŞÜ])? – )(?:\([Il|i ]?\)|0(?= ?[A-ZÇĞİÖŞÜ]))[ \t]*", re.MULTILINE
)


def corrected(text: str) -> str:
    """The text with article headings as they are printed: ``MADDE 8 – (1)``, ``MADDE 25/A – (1)``.

    Only the number, the dash and the first paragraph's mark of a heading, and the letters of list
    items, are touched, where nothing else can stand; everything else stays as it was read.
    """
    text = _LETTER.sub(r"\1\2", text)
    text = _NUMBER.sub(lambda found: found[1] + found[2].translate(_DIGITS), text)
    text = _LETTER_CITED.sub(r"\1\2", text)
    text = _DASH.sub(r"\1 – ", text)
    return in_order(_FIRST.sub(r"\1(1) ", text))
