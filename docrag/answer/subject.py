"""What a question is about: its words without those that only ask, and where they are missing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from docrag.answer.gate.asker_forms import without_vague
from docrag.api import Naming, f5, fold, lower, words

#: Folded words that say how a question is asked, not what about (Turkish and English).
STOP_WORDS: Final = frozenset(
    """
    ve veya ya yahut ile bir bu su o da de ki mi mu midir mudur miyim muyum miyiz muyuz misin
    ne nedir neler nelerdir nasil neden nicin niye kim kimdir kime kimin kimler kac hangi hangisi
    hangileri nerede nereye nereden neresi neresidir zaman var varsa vardir yok yoktur icin gibi
    kadar gore daha en cok az her ise hem ama fakat ancak yalniz yalnizca olarak olan olur olmali
    olmasi olup oldugu gerekir gerekli gerek gerekiyor lazim ben biz sen siz bizim benim senin
    bana bize sana size onun onlar ediyor eder edilir etmek etmeli yapar yapmak yapmakla yapmali
    yapilir yapilmali yapiliyor uzere sonra once yoksa peki acaba lutfen soyle anlat acikla
    hakkinda bilgi ver dir dur tir tur
    a an the is are was were be been am of to in on at by for from with and or not no what which
    who whom whose how many much when where why do does did can could must should may will would
    i we you they he she it my our your their his her its this that these those there please tell
    me us about as if than then
    """.split()
)
#: Further ones, which only stand in the way where words are looked for in passages: they make a
#: question neither shorter nor vaguer.
_ASKING: Final = frozenset(
    """
    neye neyi neyin neyle nelere kimi kimden kactir kacta olursa olsa olmaz olmus olabilir edebilir
    siklikla siklikta kadardir have has had need
    """.split()
)
#: What stands behind the apostrophe of a name or figure: "F-03'ün", "MARS'TA".
_SUFFIX: Final = re.compile(r"(?<=\w\w)['’](?:[a-zçğıöşüâîû]{1,7}|[A-ZÇĞİÖŞÜÂÎÛ]{1,7})(?!\w)")
_WRITTEN: Final = re.compile(r"\w+")


def content_words(question: str) -> tuple[str, ...]:
    """Folded words that say what the question is about, each once, in order."""
    folded = dict.fromkeys(fold(word) for word in words(question))
    return tuple(word for word in folded if word not in STOP_WORDS and len(word) > 1)


def sought_words(question: str) -> tuple[str, ...]:
    """Those content words that a passage should hold; all of them if it is none of them.

    Neither endings behind an apostrophe nor verbs that any question may have ("yapmalıyım").
    """
    wanted = content_words(without_suffixes(question))
    kept = tuple(word for word in wanted if word not in _ASKING) or wanted
    return without_vague(kept, question)


def without_suffixes(question: str) -> str:
    """The question without what stands behind an apostrophe as an ending ("Mars'ta": "Mars")."""
    return _SUFFIX.sub("", question)


def as_written(folded: Iterable[str], question: str) -> tuple[str, ...]:
    """The folded words as the question writes them, each once; others as they are."""
    said = {fold(lower(word)): word for word in _WRITTEN.findall(without_suffixes(question))}
    return tuple(dict.fromkeys(said.get(word, word) for word in folded))


def words_beside(naming: Naming) -> tuple[str, ...]:
    """Content words of a question beside the article that it names; none if it only asks for it."""
    return content_words(" ".join(naming.rest))


def uncovered(wanted: Iterable[str], text: str) -> tuple[str, ...]:
    """Those of the folded words that no word of the text matches, in order.

    Two words match when their F5 terms are equal; a word of at most four letters also matches a
    longer word that starts with it ("izin" and "izinler").
    """
    terms = set(f5(text))
    return tuple(word for word in wanted if not _matches(word, terms))


def _matches(word: str, terms: set[str]) -> bool:
    term = f5(word)[0] if f5(word) else word
    if term in terms:
        return True
    return len(word) < 5 and any(other.startswith(word) for other in terms)
