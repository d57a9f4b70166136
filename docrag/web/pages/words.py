"""Errors, states and choices in the words and the language of a page."""

from __future__ import annotations

from docrag.access.passwords import LONGEST, SHORTEST
from docrag.answer.quoting.extractive import MODEL_ID
from docrag.api import (
    DocumentError,
    DuplicateDocument,
    LastAdmin,
    LoaderError,
    NameTaken,
    PromptTooLong,
    UnknownName,
    UnsupportedDocument,
)
from docrag.store.ratings import Reason
from docrag.store.records import Document, DocumentState
from docrag.web.errors import BUSY, TOO_LARGE, RequestRefused
from docrag.web.pages.notices import known
from docrag.web.pages.translate import day
from docrag.web.pages.translate import gettext as _


def describe(error: Exception) -> str:
    """What a person is told when a form was refused; the form says what it takes."""
    if isinstance(error, NameTaken):
        return _("“%(name)s” exists already, or a name that looks the same.", name=error.name)
    if isinstance(error, UnknownName):
        return _("“%(name)s” is unknown or no longer in use.", name=error.name)
    if isinstance(error, RequestRefused) and error.kind is TOO_LARGE:
        return _("The file is larger than this server takes.")
    if isinstance(error, RequestRefused) and error.kind is BUSY:
        return _("Too many files are coming in at the moment. Try again.")
    if isinstance(error, DocumentError) and (note := known(str(error))):
        return note
    texts: dict[type[Exception], str] = {
        DuplicateDocument: _("The same file is stored already."),
        UnsupportedDocument: _(
            "This kind of file cannot be read, or it is not what its name says."
        ),
        LoaderError: _("The file could not be read."),
        LastAdmin: _("This is the last administrator. Make another user one first."),
    }
    other = _("What you entered was not accepted. Check the fields and try again.")
    return texts.get(type(error), other)


def refusal(error: Exception) -> str:
    """What a person is told whose question was not answered."""
    if isinstance(error, RequestRefused) and error.kind.status == 429:
        seconds = int(error.headers.get("Retry-After", "60"))
        return _(
            "You have asked as much as you may for now. Try again in %(seconds)d seconds.",
            seconds=seconds,
        )
    if isinstance(error, RequestRefused) and error.kind is BUSY:
        return _("Many answers are being written at the moment. Try again.")
    if isinstance(error, PromptTooLong):
        return _("The question is too long for the model. Make it shorter.")
    if isinstance(error, RequestRefused):
        return _("What you entered was not accepted. Check the fields and try again.")
    return _("The model cannot answer just now. Try again.")


def reason(value: Reason) -> str:
    """Why an answer was no good."""
    words = {
        Reason.WRONG: _("It is wrong"),
        Reason.INCOMPLETE: _("Something is missing"),
        Reason.NOT_IN_DOCUMENTS: _("It was not answered, although the documents say it"),
        Reason.WRONG_SOURCE: _("The source does not say it"),
        Reason.OUTDATED: _("It is out of date"),
        Reason.UNCLEAR: _("It is hard to understand"),
        Reason.OTHER: _("Something else"),
    }
    return words[value]


def finding(value: str) -> str:
    """What of a sentence no source says."""
    words = {
        "number": _("a number"),
        "date": _("a date"),
        "unit": _("a unit"),
        "article": _("an article"),
        "name": _("a name"),
        "negation": _("whether it is so or not"),
        "wrong_source": _("another source is cited"),
    }
    return words.get(value) or _("what it says")


def password_rule() -> str:
    """How long a password is."""
    return _("%(least)d to %(most)d characters", least=SHORTEST, most=LONGEST)


def too_many(seconds: int) -> str:
    """What somebody is told who tried too many passwords."""
    return _("Too many attempts. Try again in %(seconds)d seconds.", seconds=seconds)


def life(days: int) -> str:
    """How long a key lives."""
    return _("%(days)d days", days=days) if days else _("no end")


def state(value: DocumentState) -> str:
    """Where a document stands."""
    words = {
        DocumentState.QUEUED: _("waiting"),
        DocumentState.PROCESSING: _("being read"),
        DocumentState.READY: _("ready"),
        DocumentState.READY_WITH_WARNINGS: _("ready, with gaps"),
        DocumentState.FAILED: _("failed"),
    }
    return words[value]


def validity(document: Document) -> str:
    """From when to when a version is in force; empty for always."""
    first, last = document.valid_from, document.valid_to
    if first and last and last < first:
        return _("never")
    if first and last:
        return _("%(first)s to %(last)s", first=day(first), last=day(last))
    if first:
        return _("from %(first)s", first=day(first))
    return _("until %(last)s", last=day(last)) if last else ""


def is_ended(document: Document) -> bool:
    """True if it was read, and answers come from it only where a question names a day."""
    ready = (DocumentState.READY, DocumentState.READY_WITH_WARNINGS)
    return document.state in ready and not document.in_force


def method(value: str | None) -> str:
    """How a front end proves whom it speaks for."""
    words = {
        "jwt": _("signed user token of Open WebUI"),
        "oidc": _("access token of the identity provider"),
        "headers": _("plain headers (private network only)"),
    }
    return words.get(value or "", "")


def citations(value: str) -> str:
    """How the answers of a key show their sources."""
    words = {
        "auto": _("as each chat program reads them"),
        "footer": _("also as a list below the text"),
        "events": _("always as events of Open WebUI"),
    }
    return words.get(value, value)


def kind(value: str) -> str:
    """What a key is for."""
    words = {"user": _("personal"), "frontend": _("front end"), "service": _("service")}
    return words.get(value, value)


def share(value: float | None) -> str:
    """A share of 0 to 1 in hundredths."""
    return "–" if value is None else _("%(percent)d%%", percent=round(value * 100))


def channel(value: str) -> str:
    """Where a question came from that no front end or key brought."""
    words = {"http": _("web"), "cli": _("command line"), "library": _("program")}
    return words.get(value, value)


def model(value: str) -> str:
    """Who wrote an answer; models have their own names."""
    return _("quotation") if value == MODEL_ID else value


def flag(value: str) -> str:
    """What the guards saw in a question."""
    words = {
        "attack:ignore_instructions": _("attack: set rules aside"),
        "attack:reveal_prompt": _("attack: reveal the instructions"),
        "attack:role_change": _("attack: another role"),
        "attack:impersonation": _("attack: false identity"),
        "attack:encoded_payload": _("attack: hidden order"),
        "attack:delimiter_injection": _("attack: forged borders"),
        "attack:exfiltration": _("attack: send data away"),
        "personal:tckn": _("personal: identity number"),
        "personal:iban": _("personal: account number"),
        "personal:phone": _("personal: telephone"),
        "personal:email": _("personal: e-mail address"),
        "personal:card": _("personal: card number"),
    }
    return words.get(value, value)
