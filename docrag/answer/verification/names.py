"""Names in a sentence, and whether a word of a source is one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from docrag.answer.gate.evidence import STOP_WORDS
from docrag.answer.language import language_of
from docrag.answer.verification.dates import month_of
from docrag.answer.verification.spelled import spelled
from docrag.answer.verification.tokens import Token
from docrag.api import lower

#: What a sentence begins behind, besides its own beginning.
_BEGINNING: Final = re.compile(
    r"(?:^|(?:[!?:;…•*|–—-]|[^\W\d_]{4}\.)\s+|^\s*[\"'“‘«(\[]|[:.]\s*[\"'“‘«(])\s*$"
)
#: Folded words that are written with a capital and name nobody.
_TITLES: Final = frozenset(
    "prof dr doc yrd sayin bay bayan sn av ord uzm op ms mr mrs sir hz st bkz madde md "
    "yuzyil co".split()
)
#: A share of capital letters from which a text tells nothing by them.
_SHOUTED: Final = 0.6


@dataclass(frozen=True, slots=True)
class Name:
    """One word of a name."""

    folded: str
    #: As written.
    written: str
    #: Place among the sentence's tokens.
    place: int
    #: True if the name is sure: it stands in the middle, or has an apostrophe.
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of one or several words."""

    names: tuple[Name, ...]

    @property
    def first(self) -> int:
        """Place of its first token."""
        return self.names[0].place

    @property
    def last(self) -> int:
        """Place behind its last token."""
        return self.names[-1].place + 1

    @property
    def written(self) -> str:
        """The name as written, without endings behind apostrophes."""
        return " ".join(name.written for name in self.names)


def mentions(text: str, found: Sequence[Token], told: Sequence[Name]) -> list[Mention]:
    """Sure names put together where only blanks or a hyphen part them, in order.

    :param found: the tokens of the text.
    """
    groups: list[list[Name]] = []
    for name in told:
        if not name.is_sure:
            continue
        if groups and _goes_on(text, found, groups[-1][-1].place, name.place):
            groups[-1].append(name)
        else:
            groups.append([name])
    return [Mention(tuple(group)) for group in groups]


def _goes_on(text: str, found: Sequence[Token], place: int, following: int) -> bool:
    between = text[found[place].end : found[following].start]
    return place + 1 == following and not found[place].tail and not between.strip(" -.")


def is_shouted(text: str) -> bool:
    """True if most letters are capitals, so that these tell no name."""
    letters = [sign for sign in text if sign.isalpha()]
    return bool(letters) and sum(map(str.isupper, letters)) > _SHOUTED * len(letters)


def begins(text: str, token: Token) -> bool:
    """True if a word stands where a sentence begins, so that its capital tells nothing."""
    return _BEGINNING.search(text, max(token.start - 8, 0), token.start) is not None or not text[
        : token.start
    ].strip(" \"'“‘«([-–•*")


def names(text: str, found: Sequence[Token]) -> list[Name]:
    """Words with a capital that name something, in order; none where all is in capitals.

    :param found: the tokens of the text.
    """
    if is_shouted(text):
        return []
    return [
        Name(token.folded, token.text, place, _is_sure(text, found, place))
        for place, token in enumerate(found)
        if (_may_name(token) if len(token.text) > 1 else _is_label(text, found, place))
    ]


def _is_label(text: str, found: Sequence[Token], place: int) -> bool:
    """True for a letter that names a thing ("A binası", "(C) sınıfı"), and is no initial."""
    token = found[place]
    if not token.is_capital or token.text == "O":  # "o", that one
        return False
    if begins(text, token) and language_of(text) == "en":  # an article or "I"
        return False
    sign = text[token.end : token.end + 1]
    if text[max(token.start - 1, 0) : token.start] == "(" and sign == ")":
        return place + 1 < len(found)
    following = found[place + 1] if place + 1 < len(found) else None
    return sign == " " and following is not None and following.text[0].islower()


def _may_name(token: Token) -> bool:
    if not token.is_capital or len(token.folded) < 2 or token.folded in _TITLES:  # noqa: PLR2004 - initials
        return False
    if token.folded in STOP_WORDS or month_of(token.folded):
        return False
    return spelled(lower(token.text)) is None and not _is_roman(token.text)


def _is_roman(word: str) -> bool:
    return set(word) <= set("IVXL")


def _is_sure(text: str, found: Sequence[Token], place: int) -> bool:
    token = found[place]
    if token.tail or token.text.isupper():
        return True
    if not begins(text, token):
        return True
    after = found[place + 1] if place + 1 < len(found) else None
    if after is None or after.text.isupper() or not _may_name(after):
        return False
    return not text[token.end : after.start].strip()
