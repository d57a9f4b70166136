"""``/api/answers/<id>/feedback`` and ``/api/feedback``: what people say of answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from flask import Response
from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf, Range

from docrag.answer.guards.guard import Guard
from docrag.api import UnknownName, storable
from docrag.store.ratings import COMMENT, QUESTION, Feedback, FeedbackEntry, Rating, Reason
from docrag.store.records import Principal
from docrag.web.blueprint import keyed, limit_body
from docrag.web.credentials import principal, require_admin
from docrag.web.errors import INVALID, NOT_FOUND, RequestRefused
from docrag.web.extensions import service

blueprint = keyed("feedback", "/api", "Feedback on answers")
blueprint.before_request(limit_body)

#: What stands before the identifier of an answer in OpenAI's APIs.
PREFIXES: Final = ("chatcmpl-", "resp_")
#: Most characters of an unknown identifier in a message; a real one has 36.
SHOWN: Final = 60
#: Entries of one list: the usual number and the most.
USUAL, MOST = 50, 500
#: Largest number of an entry, a signed number of 8 bytes in the database.
LAST: Final = 2**63 - 1


class GivenSchema(Schema):
    """What the caller says of an answer."""

    rating = fields.String(required=True, validate=OneOf([str(item) for item in Rating]))
    reason = fields.String(
        allow_none=True,
        validate=OneOf([str(item) for item in Reason]),
        metadata={"description": "Why; only with the rating down."},
    )
    comment = fields.String(allow_none=True, validate=Length(max=COMMENT))
    question = fields.String(
        allow_none=True,
        validate=Length(max=QUESTION),
        metadata={"description": "The question, if the person agrees that it is kept with it."},
    )


class PartSchema(Schema):
    """Which part of the list is asked for."""

    limit = fields.Integer(load_default=USUAL, validate=Range(min=1, max=MOST))
    before = fields.Integer(
        validate=Range(max=LAST), metadata={"description": "Only what is older than this entry."}
    )
    rating = fields.String(validate=OneOf([str(item) for item in Rating]))


class EntrySchema(Schema):
    """Feedback and the answer that it is about, without the answer's text."""

    id = fields.Integer()
    created_at = fields.String()
    #: ``null`` if the account is gone.
    user = fields.String(allow_none=True)
    rating = fields.String()
    reason = fields.String(allow_none=True)
    comment = fields.String(allow_none=True)
    #: As the person gave it, else as the audit keeps it; ``null`` where neither is.
    question = fields.String(allow_none=True)
    #: Identifier of the answer, as in the audit.
    answer = fields.String()
    answered_at = fields.String()
    abstained = fields.Boolean()
    #: Why it abstained, or why the answer ended.
    outcome = fields.String()
    model = fields.String()
    prompt = fields.String()
    #: Parts of the confidence, 0 to 1; ``null`` without one.
    retrieval = fields.Float(allow_none=True)
    citation_coverage = fields.Float(allow_none=True)
    completeness = fields.Float(allow_none=True)
    unsupported = fields.Integer()


class EntryListSchema(Schema):
    """Feedback, newest first."""

    feedback = fields.List(fields.Nested(EntrySchema))
    #: What to give as ``before`` for the next part; ``null`` at the end.
    next = fields.Integer(allow_none=True)


@blueprint.route("/answers/<answer_id>/feedback", methods=["POST"])
@blueprint.arguments(GivenSchema)
@blueprint.response(204)
def give(body: dict[str, Any], answer_id: str) -> Response:
    """Rate an answer that one got, in place of what one said of it before.

    The identifier is that of the audit, or the ``id`` of a chat completion or response.
    Administrators may rate every answer.
    """
    keep(answer_id, _feedback(body), principal())
    return Response(status=204)


@blueprint.route("/feedback")
@blueprint.arguments(PartSchema, location="query")
@blueprint.response(200, EntryListSchema)
def list_feedback(part: dict[str, Any]) -> dict[str, Any]:
    """List feedback, newest first. For administrators."""
    require_admin()
    limit, rating = part["limit"], part.get("rating")
    found = service().assistant.store.feedback.list(
        limit=limit + 1,
        before=part.get("before"),
        rating=Rating(rating) if rating else None,
    )
    shown = found[:limit]
    more = len(found) > limit
    return {"feedback": [_shown(entry) for entry in shown], "next": shown[-1].id if more else None}


def keep(answer_id: str, feedback: Feedback, caller: Principal) -> None:
    """Keep what a caller says of an answer, with personal data masked where questions lose them.

    :param answer_id: of the audit, or with a prefix of :data:`PREFIXES`.
    :raises RequestRefused: there is no such answer, or it was given to somebody else (404).
    """
    for prefix in PREFIXES:
        answer_id = answer_id.removeprefix(prefix)
    # What stands in a header never manages anything, as for every route of administrators.
    every = caller.access.is_admin and caller.kind != "frontend"
    try:
        service().assistant.store.feedback.give(
            answer_id, _guarded(feedback), user_id=caller.user.id, every=every
        )
    except UnknownName as exc:
        raise RequestRefused(NOT_FOUND, f"There is no answer {answer_id[:SHOWN]!r}.") from exc


def guard() -> Guard:
    """Looks at what is kept, by the policies for questions."""
    settings = service().settings
    return Guard(attacks=settings.attacks, personal_data=settings.personal_data)


def _guarded(feedback: Feedback) -> Feedback:
    """The feedback as it may be kept: without the question of an answer that was refused."""
    look, comment, question = guard(), feedback.comment, feedback.question
    return replace(
        feedback,
        # A mask may be longer than what it hides.
        comment=comment and look.comment(comment)[:COMMENT],
        question=(question and look.kept(question)[:QUESTION]) or None,
    )


def _feedback(body: dict[str, Any]) -> Feedback:
    """:raises RequestRefused: a reason without a thumb down."""
    rating, reason = Rating(body["rating"]), body.get("reason")
    if reason and rating is not Rating.DOWN:
        raise RequestRefused(INVALID, "reason: only the rating 'down' has one.", param="reason")
    return Feedback(
        rating=rating,
        reason=Reason(reason) if reason else None,
        comment=_filled(body.get("comment")),
        question=_filled(body.get("question")),
    )


def _filled(text: str | None) -> str | None:
    """A text without blanks around it; ``None`` for nothing."""
    return storable(text or "").strip() or None


def _shown(entry: FeedbackEntry) -> dict[str, Any]:
    said, answer = entry.feedback, entry.answer
    return {
        "id": entry.id,
        "created_at": entry.created_at.isoformat(),
        "user": entry.username,
        "rating": str(said.rating),
        "reason": said.reason and str(said.reason),
        "comment": said.comment,
        "question": entry.question,
        "answer": answer.id,
        "answered_at": answer.created_at.isoformat(),
        "abstained": answer.abstained,
        "outcome": answer.reason,
        "model": answer.model_id,
        "prompt": answer.prompt_id,
        "retrieval": answer.retrieval,
        "citation_coverage": answer.citation_coverage,
        "completeness": answer.completeness,
        "unsupported": answer.unsupported,
    }
