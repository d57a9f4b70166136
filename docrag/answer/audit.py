"""The audit: one row an answer, without the question and without its text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from docrag.api import Answer, Citation
from docrag.store import Store
from docrag.store.records import AuditedAnswer, Principal


def record(
    store: Store, answer: Answer, *, principal: Principal | None, channel: str, retriever: str
) -> None:
    """Write the audit row of a finished answer.

    :param principal: who asked; ``None`` on the command line and in the library.
    :param channel: ``http``, ``cli`` or ``library``.
    :param retriever: name of the retriever that found the sources.
    :raises StoreUnavailable: the database cannot be reached.
    """
    space = store.spaces.active()
    row = AuditedAnswer(
        id=answer.id,
        created_at=datetime.now(UTC),
        user_id=principal.user.id if principal else None,
        key_id=principal.key_id if principal else None,
        channel=channel,
        model_id=answer.model_id,
        prompt_id=answer.prompt_id,
        retriever=retriever,
        space_id=space.id if space else None,
        context_chunk_ids=_chunk_ids(answer.context),
        cited_chunk_ids=_chunk_ids(answer.citations),
        abstained=answer.abstention is not None,
        reason=answer.abstention.reason if answer.abstention else answer.finish_reason,
        duration=answer.duration,
        usage=answer.usage,
    )
    store.answers.record(row)


def _chunk_ids(citations: Iterable[Citation]) -> tuple[int, ...]:
    return tuple(chunk.chunk_id for citation in citations for chunk in citation.chunks)
