"""How far an answer may be relied on: what was found, what was verified, what was addressed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docrag.answer.gate.evidence import content_words, uncovered
from docrag.answer.quoting.unsaid import unsaid
from docrag.api import CheckedSentence, Confidence, Grade, fold, words

#: Share of a part's content words that an answer, with the sources that it cites, must hold to
#: address the part.
ADDRESSED: Final = 0.5
#: Longest part of a question in a reason, characters.
_SHOWN: Final = 80
#: Where a question has a further part: behind a question mark, and at a conjunction between two
#: halves that each ask.
_MARKS: Final = re.compile(r"[?;\n]+")
_JOINTS: Final = re.compile(r",?\s+(?:ve|ayrıca|peki|bir de|and|also)\s+|,\s+", re.IGNORECASE)
#: Folded words with which something is asked.
_ASKING: Final = frozenset(
    """
    ne nedir neler nasil neden nicin niye kim kimdir kime kimin kimler kac kacta hangi hangisi
    nerede nereye nereden mi midir miyim miyiz misin mu mudur muyum what which who whom whose how
    when where why does do did is are can may must should
    """.split()
)
_REASONS: Final = {
    "tr": {
        "found": "Bulunan bölümlerin soruyu yanıtlama olasılığı %{percent}.",
        "missing": "Bulunan bölümlerin soruyu yanıtlama olasılığı %{percent}; geçmeyen sözcükler: "
        "{words}.",
        "quoted": "Cümleler ve tablo satırları kaynaktan aktarıldı.",
        "verified": "{of} iddianın {n} tanesi gösterilen kaynakta doğrulandı.",
        "none": "Yanıtta kaynakla doğrulanacak bir iddia yok.",
        "unchecked": "Yanıt kaynaklarla karşılaştırılmadı.",
        "whole": "Sorunun sorulan her bölümüne değinildi.",
        "partly": "Sorunun {of} bölümünden {n} tanesine değinildi; eksik: {parts}.",
        "unsaid": "Aktarılan cümlelerde sorunun {of} sözcüğünden {n} tanesi geçiyor; geçmeyen: "
        "{words}.",
    },
    "en": {
        "found": "The passages found answer the question with a probability of {percent}%.",
        "missing": "The passages found answer the question with a probability of {percent}%; "
        "words not found: {words}.",
        "quoted": "Sentences and table rows are taken from the source.",
        "verified": "{n} of {of} claims were verified in the source shown.",
        "none": "The answer makes no claim that a source could verify.",
        "unchecked": "The answer was not compared with its sources.",
        "whole": "Every part of the question was addressed.",
        "partly": "{n} of {of} parts of the question were addressed; missing: {parts}.",
        "unsaid": "The quoted sentences hold {n} of {of} words of the question; not: {words}.",
    },
}


def retrieval_grade(evidence: float, missing: Sequence[str], *, language: str) -> Grade:
    """How sure it is that what was found answers the question.

    :param evidence: the gate's, 0 to 1.
    :param missing: words of the question that no passage holds.
    :param language: ``tr`` or ``en``.
    """
    percent = round(evidence * 100)
    if missing:
        return _graded(evidence, "missing", language, percent=percent, words=", ".join(missing))
    return _graded(evidence, "found", language, percent=percent)


def reason_in(grade: Grade, language: str) -> str:
    """Why a part of a confidence is what it is, in a language, whatever the answer's own is.

    :param language: ``tr`` or ``en``.
    """
    told = _REASONS[language].get(grade.kind)
    return told.format(**grade.values) if told else grade.reason


def grade(
    question: str,
    text: str,
    cited: Sequence[str],
    sentences: Sequence[CheckedSentence] | None,
    *,
    retrieval: Grade,
    is_quoted: bool,
    language: str,
) -> Confidence:
    """The breakdown of an answer.

    :param text: of the answer.
    :param cited: texts of the sources that it cites.
    :param sentences: what was checked; ``None`` if nothing was.
    :param is_quoted: the text is the sources' own.
    """
    return Confidence(
        retrieval=retrieval,
        citations=_citations(sentences, is_quoted=is_quoted, language=language),
        completeness=_completeness(question, text, cited, language, is_quoted=is_quoted),
    )


def parts(question: str) -> tuple[str, ...]:
    """The parts of a question that each ask for something, in order; one for a simple question."""
    found: list[str] = []
    for asked in _MARKS.split(question):
        halves = _JOINTS.split(asked)
        if len(halves) > 1 and all(_asks(half) and content_words(half) for half in halves):
            found += halves
        elif content_words(asked):
            found.append(asked)
    return tuple(" ".join(part.split()) for part in found)


def _asks(text: str) -> bool:
    return not _ASKING.isdisjoint(fold(word) for word in words(text))


def _citations(
    sentences: Sequence[CheckedSentence] | None, *, is_quoted: bool, language: str
) -> Grade:
    if is_quoted:
        return _graded(1.0, "quoted", language)
    if sentences is None:
        return _graded(0.0, "unchecked", language)
    claims = [sentence for sentence in sentences if sentence.is_claim]
    if not claims:
        return _graded(0.0, "none", language)
    good = sum(claim.is_supported for claim in claims)
    return _graded(good / len(claims), "verified", language, n=good, of=len(claims))


def _completeness(
    question: str, text: str, cited: Sequence[str], language: str, *, is_quoted: bool
) -> Grade:
    """Share of the parts of a question whose words the answer or its cited sources hold.

    A part of the answer seldom repeats the words that it answers; the source beside it does. Of a
    quoted answer, which may be of another subject of its source, the share of the question's words
    that it holds itself, unless it misses more of several parts.
    """
    asked = parts(question) or (question,)
    said = " ".join((text, *cited))
    missed = [part for part in asked if not _is_addressed(part, said)]
    done = len(asked) - len(missed)
    lacked, wanted = unsaid(question, text) if is_quoted else ((), 0)
    held = wanted - len(lacked)
    if lacked and (len(asked) == 1 or held / wanted < done / len(asked)):
        missing = ", ".join(lacked)
        return _graded(held / wanted, "unsaid", language, n=held, of=wanted, words=missing)
    if not missed or (wanted and not lacked):
        return _graded(1.0, "whole", language)
    shown = "; ".join(f"“{part[:_SHOWN]}”" for part in missed)
    return _graded(done / len(asked), "partly", language, n=done, of=len(asked), parts=shown)


def _graded(value: float, kind: str, language: str, **values: str | int) -> Grade:
    reason = _REASONS[language][kind].format(**values)
    return Grade(value=round(value, 4), reason=reason, kind=kind, values=values)


def _is_addressed(part: str, said: str) -> bool:
    wanted = content_words(part)
    return not wanted or len(uncovered(wanted, said)) <= (1 - ADDRESSED) * len(wanted)
