"""What people say of answers, as records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from docrag.store.records import AuditedAnswer

#: Longest comment, characters: a paragraph for the person who reads it.
COMMENT: Final = 2000
#: Longest question that is kept with feedback, characters: far more than people type.
QUESTION: Final = 8000


class Rating(StrEnum):
    """Thumb up or down."""

    UP = "up"
    DOWN = "down"


class Reason(StrEnum):
    """Why an answer was no good."""

    WRONG = "wrong"
    INCOMPLETE = "incomplete"
    #: It was declined, although the documents say it.
    NOT_IN_DOCUMENTS = "not_in_documents"
    #: What it says is right, but the cited source does not say it.
    WRONG_SOURCE = "wrong_source"
    OUTDATED = "outdated"
    UNCLEAR = "unclear"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What one person says of one answer."""

    rating: Rating
    #: Of a thumb down only.
    reason: Reason | None = None
    #: At most :data:`COMMENT` characters; ``None`` for none.
    comment: str | None = None
    #: At most :data:`QUESTION` characters, only where the person gave it; ``None`` else.
    question: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackEntry:
    """Feedback with the answer that it is about, for administrators."""

    id: int
    created_at: datetime
    #: Who gave it; ``None`` if the account is gone.
    username: str | None
    feedback: Feedback
    answer: AuditedAnswer

    @property
    def question(self) -> str | None:
        """What was asked: as the person gave it, else as the audit has kept it, else ``None``."""
        return self.feedback.question or self.answer.question


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """Where a cited chunk stands."""

    #: Public identifier of the document (UUID text).
    document_id: str
    filename: str
    #: First physical page from 1; ``None`` for a format without pages.
    page: int | None
