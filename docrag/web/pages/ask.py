"""The page to ask on: a question, its answer with sources, and what one says of it."""

from __future__ import annotations

from flask import Response, flash, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from docrag.api import DocragError, Message, StoreError
from docrag.assistant import Sampling
from docrag.store.ratings import COMMENT, QUESTION, Feedback, Rating, Reason
from docrag.web import errors, feedback
from docrag.web.errors import INVALID, RequestRefused
from docrag.web.extensions import service
from docrag.web.openai import tasks, turns
from docrag.web.openai.calls import Call
from docrag.web.openai.pump import ClientGone
from docrag.web.pages import language, session
from docrag.web.pages.blueprint import own_pages
from docrag.web.pages.forms import optional
from docrag.web.pages.shown import Shown, seal, shown, unseal
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import refusal

blueprint = own_pages("ask", "/ask")


@blueprint.get("")
def form() -> Response:
    """The form for a question."""
    return _page(200)


@blueprint.post("")
def answer() -> Response:
    """Answer a question; the answer is shown this once and not kept."""
    question = optional("question") or ""
    if not question or len(question) > QUESTION:
        return _page(400, question=question[:QUESTION], problem=_wrong(question))
    try:
        found, retrieval = _asked(question)
    except ClientGone:
        return Response(status=turns.CLIENT_GONE)
    except StoreError:  # before DocragError: the page for it is everybody's
        raise
    except (DocragError, RequestRefused) as exc:
        problem = errors.describe(exc)
        errors.log(exc, problem)
        response = _page(problem.status, question=question, problem=refusal(exc))
        if "Retry-After" in problem.headers:
            response.headers["Retry-After"] = problem.headers["Retry-After"]
        return response
    kept = feedback.guard().kept(question)
    # A greeting leaves no row that feedback could belong to.
    can_rate = retrieval == tasks.USED
    return _page(
        200, question=question, answer=shown(found.turn.answer, kept=kept, can_rate=can_rate)
    )


@blueprint.post("/language")
def speak() -> Response:
    """The same page in another language, with the answer if it still holds for who asks."""
    language.keep(request.form.get(language.CHOICE, ""))
    answer = unseal(request.form.get("shown", ""))
    return _page(200, question=(optional("asked") or "")[:QUESTION], answer=answer)


@blueprint.get("/language")
@blueprint.get("/feedback")
def back() -> BaseResponse:
    """To the form for a question: where a reloaded or a copied address leads."""
    return redirect(url_for("ask.form"), 303)


@blueprint.post("/feedback")
def rate() -> BaseResponse:
    """Keep what somebody says of an answer that they got; of any other nothing is found."""
    feedback.keep(request.form.get("answer", ""), _said(), session.principal())
    flash(_("Thank you. Your feedback is kept."))
    return redirect(url_for("ask.form"), 303)


def _asked(question: str) -> tuple[turns.Whole, str]:
    """The whole answer, counted and admitted as one of the chat, and what was searched.

    :raises ClientGone: nobody waits any more.
    :raises RequestRefused: too many questions (429) or answers under way (503).
    :raises DocragError: the search or the model failed.
    """
    # Where the chat looks for its caller.
    g.principal = session.principal()
    call = Call(
        model=service().settings.model_name,
        messages=(Message(role="user", content=question),),
        stream=False,
        sampling=Sampling(),
        # People ask here; a question with the form of a front end's task is none.
        retrieval=True,
    )
    run = g.run = turns.start(call)
    try:
        return turns.collect(run), run.retrieval
    finally:
        run.close()


def _said() -> Feedback:
    """What the form says.

    :raises RequestRefused: no thumb, a reason that no form offers, or a comment that is too long.
    """
    comment, asked = optional("comment"), optional("question")
    # Browsers count a line's end as one character and send two.
    comment = comment and comment.replace("\r\n", "\n")
    try:
        rating = Rating(request.form.get("rating", ""))
        reason = optional("reason")
        chosen = Reason(reason) if reason else None
    except ValueError:
        raise RequestRefused(INVALID, "rating: choose one that the form offers.") from None
    if len(comment or "") > COMMENT or len(asked or "") > QUESTION:
        raise RequestRefused(INVALID, f"comment: at most {COMMENT} characters.", param="comment")
    return Feedback(
        rating=rating,
        reason=chosen if rating is Rating.DOWN else None,
        comment=comment,
        question=asked if request.form.get("keep") else None,
    )


def _wrong(question: str) -> str:
    if not question:
        return _("Write a question first.")
    return _("The question is too long; at most %(most)d characters are taken.", most=QUESTION)


def _page(
    status: int, *, question: str = "", problem: str = "", answer: Shown | None = None
) -> Response:
    spoken = language.chosen()
    text = render_template(
        "ask.html",
        question=question,
        problem=problem,
        answer=answer,
        sealed=seal(answer) if answer else "",
        pieces=answer.pieces(spoken) if answer else (),
        sure=answer.reasons(spoken) if answer else (),
        longest=QUESTION,
        comment=COMMENT,
        reasons=list(Reason),
    )
    return make_response(text, status)
