"""Words and figures of a text with their places."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from docrag.api import fold

#: Figures with their stops, commas and colons inside, or letters; either with what an apostrophe
#: parts from it. Single signs that are read with figures are tokens as well.
_TOKEN: Final = re.compile(
    r"(?P<figures>\d+(?:[.,:]\d+)*)(?:['’](?P<after>[^\W\d_]+))?"
    r"|(?P<word>[^\W\d_]+(?:[²³])?)(?:['’´`](?P<tail>[^\W\d_]+))?"
    r"|(?P<sign>[%‰°₺$€/])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number in figures or a sign."""

    #: As written, without what follows an apostrophe.
    text: str
    folded: str
    #: Folded letters behind an apostrophe; empty for none.
    tail: str
    #: Place in the text, characters; the end is behind the tail.
    start: int
    end: int

    @property
    def is_figures(self) -> bool:
        """True for a number in figures."""
        return self.text[0].isdecimal()

    @property
    def is_capital(self) -> bool:
        """True for a word with a capital first letter."""
        return self.text[0].isupper()


def composed(text: str) -> str:
    """The text in composed form (NFC), in which all places are counted."""
    return unicodedata.normalize("NFC", text)


def tokens(text: str) -> list[Token]:
    """Tokens in order; none for a text without words and figures.

    :param text: in composed form.
    """
    return [_token(found) for found in _TOKEN.finditer(text)]


def _token(found: re.Match[str]) -> Token:
    written = found["figures"] or found["word"] or found["sign"]
    tail = found["after"] or found["tail"] or ""
    return Token(
        written,
        fold(written) if found["word"] else written,
        fold(tail) if tail else "",
        found.start(),
        found.end(),
    )
