"""A finished answer made of what was written and checked."""

from __future__ import annotations

import time
from typing import Final

from docrag.answer.checking import Checking
from docrag.answer.confidence import grade
from docrag.answer.context import estimate_tokens
from docrag.answer.draft import Draft
from docrag.answer.markers import numbers, strip
from docrag.answer.templates import AROUND
from docrag.api import Abstention, Answer, Citation, Confidence, Usage

#: Largest token count that is believed, and that the audit can hold.
MOST_TOKENS: Final = 2**31 - 1
#: Sources that are named where nothing is answered.
NEAREST: Final = 3
#: Ends of a turn whose text is not what was to be said.
_FAILURES: Final = ("aborted", "error")


def finished(
    draft: Draft, text: str, reason: str, usage: Usage | None, checking: Checking | None
) -> Answer:
    """The record of an answer.

    :param reason: why it ended, ``aborted`` or ``error`` for one that was cut short.
    :param usage: as the backend counted; ``None`` takes estimates.
    :param checking: what checked the text; ``None`` if nothing did.
    """
    by_number = {citation.number: citation for citation in draft.context}
    named = numbers(text) if draft.resolves else ()
    cited = tuple(by_number[n] for n in named if n in by_number)
    counted = usage or Usage(
        prompt_tokens=draft.prompt_tokens, completion_tokens=estimate_tokens(text)
    )
    abstention = _abstained(draft, text, None if reason in _FAILURES else checking)
    if abstention:
        cited = ()
    is_due = draft.resolves and reason not in _FAILURES and bool(draft.context and text.strip())
    answered = abstention is None and is_due
    return Answer(
        id=draft.id,
        question=draft.question,
        text=text,
        citations=cited,
        context=draft.context,
        abstention=abstention,
        is_uncited=answered and not cited,
        model_id=draft.model_id,
        prompt_id=draft.prompt_id,
        finish_reason=reason,
        usage=_possible(counted),
        duration=time.monotonic() - draft.started,
        sentences=checking.sentences if checking else (),
        confidence=_confidence(draft, text, cited, checking) if answered else None,
        flags=draft.flags,
    )


def _abstained(draft: Draft, text: str, checking: Checking | None) -> Abstention | None:
    """Why nothing was answered: by the gate, by the model, or since nothing was verified."""
    if draft.abstention is not None or not draft.retrieved:
        return draft.abstention
    has_failed = checking is not None and checking.has_failed
    if not has_failed and strip(text).strip(AROUND) != draft.fallback:
        return None
    return Abstention(
        reason="unverified" if has_failed else "model_declined",
        evidence=draft.retrieval.value if draft.retrieval else 0.0,
        nearest=draft.context[:NEAREST],
    )


def _confidence(
    draft: Draft, text: str, cited: tuple[Citation, ...], checking: Checking | None
) -> Confidence | None:
    """The breakdown of an answer whose sources were judged."""
    if draft.retrieval is None:
        return None
    return grade(
        draft.question,
        text,
        [citation.text for citation in cited],
        checking.sentences if checking else None,
        retrieval=draft.retrieval,
        is_quoted=draft.is_quoted,
        language=draft.language,
    )


def _possible(counted: Usage) -> Usage:
    """The counts within what a backend can have meant."""
    return Usage(
        prompt_tokens=min(max(counted.prompt_tokens, 0), MOST_TOKENS),
        completion_tokens=min(max(counted.completion_tokens, 0), MOST_TOKENS),
    )
