"""The evidence gate: do the permitted passages hold what the question is about?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docrag.answer.naming import bears_name, speaks_of
from docrag.api import Abstention, Citation, Naming, f5, fold, named_articles, words

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


def content_words(question: str) -> tuple[str, ...]:
    """Folded words that say what the question is about, each once, in order."""
    folded = dict.fromkeys(fold(word) for word in words(question))
    return tuple(word for word in folded if word not in STOP_WORDS and len(word) > 1)


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


def weigh(
    question: str, context: Sequence[Citation], *, least: float, named: bool = False
) -> Abstention | None:
    """``None`` if the passages suffice for an answer, else why they do not.

    :param context: permitted sources that an answer could use.
    :param least: share of the question's content words that the passages together must hold, 0
        to 1; a question without content words asks for nothing that could be found.
    :param named: True if an article that the question names is among the passages: its number and
        the words that only ask what it says are then no content words. One of a document that the
        question names but that is not there is no content word either, while the name is missing.
    """
    naming = named_articles(question)
    if naming and not named and naming.document and context:
        return _weigh_name(naming, context, least)
    naming = naming if named else None
    wanted = words_beside(naming) if naming else content_words(question)
    if not context:
        return Abstention(reason="no_passages", missing=wanted)
    if naming and not wanted:
        return None
    missing = uncovered(wanted, " ".join(f"{item.title} {item.text}" for item in context))
    coverage = 1 - len(missing) / len(wanted) if wanted else 0.0
    if not wanted or coverage < least:
        return Abstention(reason="weak_evidence", coverage=coverage, missing=missing)
    return None


def _weigh_name(naming: Naming, context: Sequence[Citation], least: float) -> Abstention | None:
    """As :func:`weigh`, of an article that no source is, in a document that is named.

    An article of the same number in another document is no evidence: the name is there only where
    a source speaks of that article of it, or is of the document and tells the number.
    """
    name = (*naming.document.words[-naming.document.least :], *naming.document.numbers)
    beside = [word for word in words_beside(naming) if word not in naming.document.words]
    there = any(_is_evidence(naming, item) for item in context)
    text = " ".join(f"{item.title} {item.text}" for item in context)
    missing = (*(() if there else name), *uncovered(beside, text))
    coverage = 1 - len(missing) / len({*name, *beside})
    if (there or beside) and coverage >= least:
        return None
    return Abstention(reason="weak_evidence", coverage=max(coverage, 0.0), missing=missing)


def _is_evidence(naming: Naming, citation: Citation) -> bool:
    if speaks_of(naming, citation.text):
        return True
    numbers = {article.number for article in naming.articles}
    return bears_name(naming, citation) and not numbers.isdisjoint(words(citation.text))


def _matches(word: str, terms: set[str]) -> bool:
    term = f5(word)[0] if f5(word) else word
    if term in terms:
        return True
    return len(word) < 5 and any(other.startswith(word) for other in terms)
