"""Laws and rules that a question names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from docrag.laws import CONSTITUTION, KNOWN, LAWS, SHORT_NAMES
from docrag.lawtitles import (
    FILLING,
    JOINING,
    KIND,
    LONGEST_NAME,
    DocumentName,
    begun,
    kind_of,
    known_name,
)
from docrag.textnorm import fold

#: Stands in a question for an article that was read; no word holds it.
MARK: Final = "§"
#: Numbers that are years where only an article stands behind them.
_YEARS = range(1980, 2040)
#: Folded words that may stand before a kind and are no part of a name.
_NO_NAME: Final = frozenset(
    "bu su o hangi ilgili ayni soz konusu anilan mezkur mevcut sayili peki bana bize lutfen acaba "
    "gore ait icin her bir olan var mi nolu yeni eski yururlukteki numarali what does say the of "
    "nedir ne der diyor".split()
)
#: A possessor ("işverenin", "kurumumuzun"): what it has is not called after it.
_POSSESSOR = re.compile(r"\w{3,}(?:n[iu]n|m[iu]z[iu]n|sirketin|kurumun|isverenin)")
_NUMBER = re.compile(
    r"(?<![\w.,/-])(\d{3,5})(?:"
    r"(?P<sure>\s+say[ıi]l[ıi]|\s+s\.|\s+(?:nolu|no['’]?lu|numaral[ıi])\s+(?:kanun|yasa))"
    rf"|(?:['’]\w+)?\s*(?:k\.|kanun\w*)?\s*{MARK})"
)
_ENDING = re.compile(r"(?<=\w)['’]\w+")
_TOKEN = re.compile(rf"\w+|{MARK}")


def named_document(text: str, question: str) -> DocumentName:
    """The document that a question names by number or name.

    A proper name stands before the kind with a possessive (``İş Kanunu``), with capitals, or with
    ``hakkında``; ``yönetmeliğin`` and ``şirketin yönergesi`` name none.

    :param text: the question in lower case, with :data:`MARK` for its articles.
    :param question: the same as it was written, for its capitals.
    """
    told, numbers = _numbers(text)
    tokens = [fold(word) or MARK for word in _TOKEN.findall(_ENDING.sub(" ", text))]
    known = dict(_called_short(tokens))
    if told:
        return DocumentName(numbers=told, said=tuple(known))
    capitals: frozenset[str] | None = None
    for place in _nearest(tokens):
        found, before = KIND.match(tokens[place]), _before(tokens, place)
        if not found or not before:
            continue
        capitals = _capitals(question) if capitals is None else capitals
        kind = kind_of(found["kind"])
        least = _least(before, capitals)
        alias = known_name(before, least) if kind == "kanun" else ()
        if alias:
            numbers = numbers or (LAWS[" ".join(alias)],)
            return DocumentName(numbers=numbers, said=(*alias, *known))
        proper = before[-1] in capitals and tokens[place] in capitals
        if found["own"] or before[-1] in JOINING or proper:
            # "4857 sayılı Kanuna göre çıkarılan Fazla Çalışma Yönetmeliği"
            numbers = numbers if kind == "kanun" else tuple(n for n in numbers if n not in KNOWN)
            return DocumentName(
                numbers=numbers, words=before, least=least, kind=kind, said=tuple(known)
            )
    return DocumentName(numbers=numbers or tuple(dict.fromkeys(known.values())), said=tuple(known))


def _nearest(tokens: Sequence[str]) -> list[int]:
    """Places of the kinds: the nearest before the first article, and those behind it."""
    first = tokens.index(MARK) if MARK in tokens else len(tokens)
    kinds = [place for place, token in enumerate(tokens) if KIND.match(token)]
    before = [place for place in kinds if place < first]
    return [*reversed(before), *kinds[len(before) :]]


def _numbers(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Numbers right before an article, and those of laws that are told anywhere."""
    found = list(_NUMBER.finditer(text))
    told = [one[1] for one in found if not one["sure"] and int(one[1]) not in _YEARS]
    laws = [one[1] for one in found if one["sure"]]
    return tuple(dict.fromkeys(told)), tuple(dict.fromkeys(laws))


def _called_short(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words that name a law by themselves, with its number."""
    for token, behind in zip(tokens, (*tokens[1:], ""), strict=True):
        if token in SHORT_NAMES:
            yield token, SHORT_NAMES[token]
        elif token.startswith("anayasa") and not behind.startswith("mahkeme"):
            yield token, CONSTITUTION


def _before(tokens: Sequence[str], place: int) -> tuple[str, ...]:
    """The words before a kind that may be its name, in order."""
    first = place
    while first and place - first < LONGEST_NAME:
        word = tokens[first - 1]
        if word == MARK or word in _NO_NAME or word.isdigit() or _POSSESSOR.fullmatch(word):
            break
        first -= 1
    return tuple(begun(tokens[first:place]))


def _capitals(question: str) -> frozenset[str]:
    """Folded words with a capital; none where all are capitals, which tell nothing then."""
    if not any(sign.islower() for sign in question):
        return frozenset()
    return frozenset(fold(word) for word in re.findall(r"\w+", question) if word[0].isupper())


def _least(before: Sequence[str], capitals: Collection[str]) -> int:
    """Words from the first one of those with capitals that stand together at the end."""
    least = 0
    while least < len(before) and before[-least - 1] in {*capitals, *FILLING}:
        least += 1
    return max(len(begun(before[len(before) - least :])), 1)
