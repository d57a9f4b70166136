"""Answers and abstentions, with what was checked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from docrag.citations import Citation
from docrag.messages import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """Why nothing is answered from the documents."""

    #: Machine word: ``no_passages``, ``weak_evidence``, ``model_declined`` or ``unverified``.
    reason: str
    #: Share of the question's content words that the permitted passages hold, 0 to 1.
    coverage: float = 0.0
    #: Content words of the question that no permitted passage holds.
    missing: tuple[str, ...] = ()
    #: How sure the gate is that the passages answer the question, 0 to 1.
    evidence: float = 0.0
    #: Permitted sources that come nearest, best first, numbered from 1; they answer nothing.
    nearest: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSentence:
    """A sentence of an answer, and whether the sources that it cites say it."""

    #: As it stands in the answer, without its markers.
    text: str
    #: Numbers of the sources that it cites, in order, also of one that docrag added.
    citations: tuple[int, ...]
    #: True if a cited source says it, and for what claims nothing.
    is_supported: bool
    #: How well the best source covers it, 0 to 1.
    score: float = 1.0
    #: Machine words of what is not supported: ``number``, ``date``, ``unit``, ``article``,
    #: ``name``, ``negation``, ``coverage``, ``wrong_source``, ``judge``; empty if it is supported.
    reasons: tuple[str, ...] = ()
    #: Values or words that no cited source holds, as written.
    missing: tuple[str, ...] = ()
    #: False for what says nothing that could be checked: a courtesy, a heading, the introduction
    #: of a list.
    is_claim: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One part of a confidence."""

    #: 0 to 1.
    value: float
    #: Why, in words, in the language of the deployment.
    reason: str
    #: Machine word of that reason, and the values in it: what it takes to say it in another
    #: language (:func:`docrag.answer.confidence.reason_in`). Empty for a reason of another origin.
    kind: str = ""
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """How far an answer may be relied on, part by part; no single figure hides the others."""

    #: How sure it is that what was found answers the question.
    retrieval: Grade
    #: Share of the answer's claims that the sources that they cite support.
    citations: Grade
    #: Share of the parts of the question that the answer addresses.
    completeness: Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A finished answer with its sources."""

    #: Identifier of the audit row (UUID text).
    id: str
    #: The question as it was searched.
    question: str
    text: str
    #: Sources that the text cites, in order of first mention; empty for an abstention.
    citations: tuple[Citation, ...]
    #: Every source that was offered, by number.
    context: tuple[Citation, ...]
    #: ``None`` when the question was answered.
    abstention: Abstention | None
    #: Model that wrote the text; ``extractive`` when passages were quoted without a model.
    model_id: str
    #: Versioned prompt that was used; empty when no model was asked.
    prompt_id: str
    finish_reason: str
    usage: Usage
    #: Seconds from question to end of the answer.
    duration: float
    #: True if it was to be answered from the sources, and what was written cites none of them.
    is_uncited: bool = False
    #: What was checked of the text, in order; empty where nothing was to be checked.
    sentences: tuple[CheckedSentence, ...] = ()
    #: ``None`` for an abstention, and where nothing was to be checked.
    confidence: Confidence | None = None
    #: What the guard saw in the question, such as ``personal:tckn``.
    flags: tuple[str, ...] = ()

    @property
    def unsupported(self) -> tuple[CheckedSentence, ...]:
        """The sentences that no cited source supports."""
        return tuple(sentence for sentence in self.sentences if not sentence.is_supported)
