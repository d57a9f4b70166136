"""Roots of verbs, by which their forms are one: "taşınır", "taşınamaz", "taşımak"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from docrag.answer.subject import STOP_WORDS
from docrag.api import f5, fold, words

#: The passive's end and a vowel of the stem's, without which "taşı", "taşın" and "taşınıl" are one.
_PASSIVE: Final = re.compile(r"(?<=[aeiu][b-df-hj-np-tv-z])[iu][nl]$|(?<=\w\w[aeiu])n$")
_VOWEL: Final = re.compile(r"(?<=\w\w)[aeiu]$")
#: Roots of verbs that mean something only with the word before them: "park etmek".
LIGHT: Final = frozenset("et yap ol al ver bul gel kal".split())
#: Longest verb, letters.
_LONGEST: Final = 40
#: Ends of persons and of a condition, folded: "-ım", "-ız", "-sınız", "-lar", "-dır", "-sam".
_PERSON: Final = (
    r"(?:[iu]m|[iu]z|s[iu]n(?:[iu]z)?|k|l[ae]r|d[iu]r(?:l[ae]r)?|s[ae](?:m|n|k|n[iu]z|l[ae]r)?)?"
)
#: Ends of a folded verb that says or asks what is done, by whom or whether: "-ır", "-amaz",
#: "-malıyım", "-mıştır", "-maktadır", "-acak", "-an", "-makla"; not of one that only names a deed.
_SAYING: Final = re.compile(
    r"(\w+?)(?:(?:y?[ae]bil(?:ir|iyor|ecek)|y?[ae]m[ae]z|m[ae]z|(?:m[ae])?m[ae]l[iu]y?|[iu]?yor"
    rf"|y?[ae]c[ae][kg]|m[iu]s|m[ae]kt[ae]|[dt][iu]|[aeiu]?r){_PERSON}"
    r"|y?[ae]n(?:l[ae]r\w*)?|m[ae]kl[ae])"
)
#: Folded words behind the verb of a question: "yanıt vermezse ne olur".
_ASKING: Final = re.compile(
    r"m[iu](?:y[iu]m|y[iu]z|s[iu]n|s[iu]n[iu]z|d[iu]r)?|acaba|peki|lutfen|ne|olur|olacak"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a question's verb asks for, or of which it asks what comes of it, read once."""

    #: Root of the verb; empty for a question without one, or with one that means nothing alone.
    root: str = ""
    #: F5 term of the word before a verb that means nothing without it; empty for any other.
    before: str = ""

    @classmethod
    def of(cls, question: str) -> Self:
        """The deed of the verb that a question ends with: "kullan" of "kim kullanabilir?"."""
        folded = [fold(word) for word in words(question)]
        while folded and _ASKING.fullmatch(folded[-1]):
            folded.pop()
        own = root_of(_SAYING, folded[-1]) if folded else ""
        if own not in LIGHT and own != "ed":
            return cls(root=own if len(own) > 1 else "")
        before = next((w for w in reversed(folded[:-1]) if not _is_asking(w)), "")
        return cls(root=own, before=term(before)) if before and own != "ol" else cls()

    def is_told(self, text: str) -> bool:
        """True if a sentence says of this deed that it is, may or must (not) be done."""
        if not self.root:
            return False
        folded = [fold(word) for word in words(text)]
        begins = self.root[:-1]
        places = [
            at
            for at, word in enumerate(folded)
            if word.startswith(begins) and root_of(_SAYING, word) == self.root
        ]
        if not self.before or not places:
            return bool(places)
        return self.before in map(term, folded[: places[-1]])


def _is_asking(word: str) -> bool:
    return word in STOP_WORDS or word.startswith(("kac", "hangi", "kim", "nere"))


def term(word: str) -> str:
    """F5 term of a folded word; the word itself where it has none."""
    return next(iter(f5(word)), word)


def root_of(form: re.Pattern[str], word: str) -> str:
    """Root of a folded verb of one of these forms, without the passive's end; else empty.

    :param form: one of whose groups is the stem.
    """
    found = form.fullmatch(word) if len(word) <= _LONGEST else None
    stem = next((group for group in found.groups() if group), "") if found else ""
    shorter = _VOWEL.sub("", _PASSIVE.sub("", stem))
    while shorter != stem:
        stem, shorter = shorter, _VOWEL.sub("", _PASSIVE.sub("", shorter))
    return f"{stem[:-1]}t" if stem.endswith("d") else stem
