"""What tells whether a sentence of a law or regulation answers a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

from docrag.answer.quoting.matching import LOOKED_AT, Read, Scale
from docrag.answer.quoting.pieces import Piece
from docrag.api import fold, lower, words

#: Letters by which two words are one, as in the lexical index.
_PREFIX: Final = 5
#: A definition: "g) İş kazası: İşyerinde …"; what is defined has at most so many characters.
_DEFINED: Final = re.compile(r"^(?:\(?\w{1,2}\)\s*)?(?:\([^()]*\)\s*)?([^:;.]{2,70}):\s*\S")
#: Kinds of questions in a folded text between blanks: whether something is so or may be done, which
#: fine there is.
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    "whether": re.compile(r" m[iu](?:y[iu]m|y[iu]z|s[iu]n\w*|d[iu]r)? "),
    "fine": re.compile(r" (?:\w*ceza\w*|yaptirim\w*|lira\w*) "),
}
#: What answers them in a sentence in small letters: a duty, a ban or a leave; a fine.
_HELD: Final[Mapping[str, re.Pattern[str]]] = {
    "whether": re.compile(
        r"(?:m[ae]z|[ae]bilir)(?:lar|ler)?(?!\w)"
        r"|(?<!\w)(?:zorund|yükümlü|mecbur|yasak|gerek|şart|zorunlu|sayılır|saklıdır|hakk[ıi]|muaf)"
    ),
    "fine": re.compile(r"para cezası|lirası|(?<!\w)(?:cez[ae]|yaptırım|tl)"),
}
#: Asks in a folded text between blanks what a word means.
_MEANING: Final = re.compile(
    r" (?:ne demek\w*|ne anlam\w*|\w*tanim\w*|(?:ne(?:ye)?|kime) (?:denir|denmek\w*)|nedir"
    r"|kim(?:dir|lerdir)) "
)
#: Features of a piece by name.
Features: TypeAlias = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawQuestion:
    """A question of a law, read once."""

    #: The kinds of :data:`_ASKED` that it is of.
    kinds: frozenset[str]
    #: True if it asks what a word means.
    is_of_meaning: bool
    #: Beginnings of all its words.
    said: frozenset[str]

    @classmethod
    def of(cls, question: str) -> Self:
        """The question, read."""
        folded = [fold(word) for word in words(question)]
        text = f" {' '.join(folded)} "
        return cls(
            kinds=frozenset(kind for kind, form in _ASKED.items() if form.search(text)),
            is_of_meaning=_MEANING.search(text) is not None,
            said=frozenset(word[:_PREFIX] for word in folded),
        )


def articles(reads: Iterable[Read], scale: Scale) -> dict[tuple[str, str, str], float]:
    """Weight of the question's words that each article speaks of, or calls otherwise."""
    held: dict[tuple[str, str, str], set[str]] = {}
    for one in reads:
        if key := article_key(one.piece):
            held.setdefault(key, set()).update(one.counts, one.meant, one.titled)
    return {key: scale.of_words(own) for key, own in held.items()}


def article_key(piece: Piece) -> tuple[str, str, str] | None:
    """Document, kind and number of a piece's article."""
    own = piece.article
    return (piece.document, own.kind, own.number) if own else None


def law_features(
    asked: LawQuestion, one: Read, whole: Mapping[tuple[str, str, str], float]
) -> Features:
    """Features of a piece of a law; none of another text.

    :param whole: as of :func:`articles`.
    """
    piece = one.piece
    key = article_key(piece)
    if key is None or piece.article is None:
        return {}
    return {
        "law_article": whole[key],
        "law_behind": max(whole.values()) - whole[key],
        "law_transitional": float(piece.article.kind != "madde"),
        "law_repealed": float(piece.is_repealed),
        "law_remark": float(piece.kind == "remark"),
        "law_broken": float(piece.text[:1].islower() and piece.kind == "sentence"),
        f"law_defines_{asked.is_of_meaning}": _defines(piece.text, asked),
        **_held(asked, piece.text[:LOOKED_AT]),
    }


def _held(asked: LawQuestion, text: str) -> Features:
    small = lower(text)
    return {f"law_{kind}_{_HELD[kind].search(small) is not None}": 1.0 for kind in asked.kinds}


def _defines(text: str, asked: LawQuestion) -> float:
    """1 if all words that a definition is of are the question's, 0 if it defines nothing."""
    found = _DEFINED.match(text)
    if not found:
        return 0.0
    own = [fold(word)[:_PREFIX] for word in words(found[1])]
    return float(bool(own) and all(_is_said(word, asked) for word in own))


def _is_said(word: str, asked: LawQuestion) -> bool:
    if word in asked.said:
        return True
    return any(other.startswith(word) for other in asked.said) if len(word) < _PREFIX else False
