"""A failure as a page, with the status that programs get for the same."""

from __future__ import annotations

from flask import Response, make_response, render_template
from flask_wtf.csrf import CSRFError
from werkzeug.routing import RequestRedirect

from docrag.web import errors
from docrag.web.pages.translate import gettext as _
from docrag.web.pages.words import describe


def answer(error: Exception) -> Response:
    """The page of an error; the message of one that we did not expect tells nothing."""
    if isinstance(error, RequestRedirect):
        return Response(status=error.code, headers={"Location": error.new_url})
    problem = errors.describe(error)
    errors.log(error, problem)
    text = render_template(
        "problem.html",
        title=title(problem.status),
        text=text_of(error, problem),
        status=problem.status,
    )
    response = make_response(text, problem.status)
    for name, value in problem.headers.items():
        if name in {"Retry-After", "Allow"}:
            response.headers[name] = value
    return response


def title(status: int) -> str:
    """Heading of a page with this status."""
    titles = {
        400: _("That did not work"),
        403: _("Not allowed"),
        404: _("Not found"),
        405: _("That did not work"),
        413: _("Too large"),
        415: _("This file cannot be read"),
        429: _("Too many attempts"),
        503: _("Not available just now"),
    }
    return titles.get(status) or _("Something went wrong")


def text_of(error: Exception, problem: errors.Problem) -> str:
    """What a person is told about an error, in their language."""
    if isinstance(error, CSRFError):
        return _(
            "This form is no longer valid. Go back, reload the page and send it again. If it "
            "happens each time, your browser keeps no cookie of this address: open it over HTTPS."
        )
    if problem.body["error"]["code"] == "no_secret_key":
        return _("Nobody can sign in until the operator sets SECRET_KEY.")
    texts = {
        404: _("There is nothing here, or it is not open to you."),
        405: _("This address takes another kind of request."),
        403: _("Your account may not do this. Ask an administrator if you need it."),
        503: _("The database cannot be reached just now. Nothing was changed; try again."),
    }
    if problem.status in texts:
        return texts[problem.status]
    if problem.status >= 500:
        return _("The operator finds the cause in the log.")
    return describe(error)
