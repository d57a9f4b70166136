"""The audit: one row an answer, without its text, and without the question unless told so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from docrag.api import Answer, Citation, storable
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.records import AuditedAnswer, Principal


def recorder(
    store: Store, settings: Settings, *, principal: Principal | None, channel: str
) -> Callable[[Answer], None]:
    """What writes the audit row of a finished answer.

    :param principal: who asked; ``None`` on the command line and in the library.
    :param channel: ``http``, ``cli`` or ``library``.
    """

    def record(answer: Answer) -> None:
        store.answers.record(_row(store, settings, answer, principal, channel))

    return record


def _row(
    store: Store, settings: Settings, answer: Answer, principal: Principal | None, channel: str
) -> AuditedAnswer:
    space = store.spaces.active()
    return AuditedAnswer(
        id=answer.id,
        created_at=datetime.now(UTC),
        user_id=principal.user.id if principal else None,
        key_id=principal.key_id if principal else None,
        frontend=principal.frontend if principal else None,
        channel=channel,
        question=storable(answer.question) if settings.keep_questions else None,
        model_id=answer.model_id,
        prompt_id=answer.prompt_id,
        retriever=settings.retriever,
        space_id=space.id if space else None,
        context_chunk_ids=_chunk_ids(answer.context),
        cited_chunk_ids=_chunk_ids(answer.citations),
        abstained=answer.abstention is not None,
        reason=_reason(answer),
        duration=answer.duration,
        usage=answer.usage,
        **_confidence(answer),
        unsupported=len(answer.unsupported),
        flags=answer.flags,
    )


def _confidence(answer: Answer) -> dict[str, float]:
    """The parts of the confidence, without their reasons, which hold words of the question."""
    if answer.confidence is None:
        return {}
    return {
        "retrieval": answer.confidence.retrieval.value,
        "citation_coverage": answer.confidence.citations.value,
        "completeness": answer.confidence.completeness.value,
    }


def _reason(answer: Answer) -> str:
    """Why nothing was answered, that no source is cited, or else why the answer ended."""
    if answer.abstention:
        return answer.abstention.reason
    return "uncited" if answer.is_uncited else answer.finish_reason


def _chunk_ids(citations: Iterable[Citation]) -> tuple[int, ...]:
    # A chunk of two pages stands in two citations.
    return tuple(dict.fromkeys(c.chunk_id for citation in citations for c in citation.chunks))
