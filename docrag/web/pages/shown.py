"""An answer as its page shows it, and sealed in the page, to be shown in another language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from flask import session
from itsdangerous import BadData, URLSafeSerializer

from docrag.answer.confidence import reason_in
from docrag.answer.templates import in_language
from docrag.api import Answer, Citation, Grade
from docrag.web.extensions import service
from docrag.web.openai.annotations import Links
from docrag.web.pages.answertext import Piece, excerpt, pieces
from docrag.web.pages.session import SINCE, principal

#: Links within this server.
LINKS: Final = Links(root="")
#: Keeps a seal apart from other signed texts, and from those of another form of :class:`Shown`.
SALT: Final = "docrag.ask.shown.3"
#: Before the number of a page: as labels have it, and in English.
_PAGE: Final = (" s. ", " p. ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source below an answer."""

    number: int
    filename: str
    #: What stands behind the file name: page or section, and the article if it is one.
    place: str
    address: str
    #: Empty where the label names it, which it does without a page.
    section: str
    excerpt: str

    def label(self, language: str) -> str:
        """What a person reads of it in this language."""
        turkish, english = _PAGE
        if language == "en" and self.place.startswith(turkish):
            return f"{self.filename}{english}{self.place.removeprefix(turkish)}"
        return f"{self.filename}{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A sentence that no source supports."""

    text: str
    #: Machine words of what is not supported, as of :class:`docrag.api.CheckedSentence`.
    findings: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What stands on the page of an answer; no access is needed to show it once more."""

    id: str
    #: The question as feedback keeps it.
    kept: str
    #: False for what leaves no row that feedback could belong to, such as a greeting.
    can_rate: bool
    text: str
    is_declined: bool
    #: Words of the question that no passage holds.
    missing: tuple[str, ...]
    #: Those that are cited; of a question that was declined those that come nearest.
    sources: tuple[Source, ...]
    doubts: tuple[Doubt, ...]
    #: What was found, cited and addressed; empty where nothing was judged.
    grades: tuple[Grade, ...]

    def pieces(self, language: str) -> list[Piece]:
        """The text in pieces; what docrag itself says in it is in this language."""
        cited = () if self.is_declined else [source.number for source in self.sources]
        doubtful = [doubt.text for doubt in self.doubts]
        return pieces(in_language(self.text, language), cited=cited, doubtful=doubtful)

    def reasons(self, language: str) -> list[tuple[float, str]]:
        """Value of each grade, and why, in this language."""
        return [(grade.value, reason_in(grade, language)) for grade in self.grades]


def shown(answer: Answer, *, kept: str, can_rate: bool) -> Shown:
    """What a page shows of an answer."""
    declined, sure = answer.abstention, answer.confidence
    said = answer.question if declined else answer.text
    return Shown(
        id=answer.id,
        kept=kept,
        can_rate=can_rate,
        text=answer.text,
        is_declined=declined is not None,
        missing=declined.missing if declined else (),
        sources=tuple(_sources(declined.nearest if declined else answer.citations, said)),
        doubts=tuple(
            Doubt(text=one.text, findings=one.reasons, missing=one.missing)
            for one in answer.unsupported
        ),
        grades=(sure.retrieval, sure.citations, sure.completeness) if sure else (),
    )


def seal(shown: Shown) -> str:
    """The answer as a text that only this server can have made, for who is signed in.

    It holds for their session and their roles of this moment: it ends with the session, and a text
    that is sealed once more lives no longer.
    """
    text = _sealer().dumps(asdict(shown))
    return text if isinstance(text, str) else text.decode("ascii")


def unseal(text: str) -> Shown | None:
    """The answer of a seal; ``None`` for one that is spoilt, or of another person, session or role.

    :param text: what a form brought; never trusted.
    """
    try:
        told = _sealer().loads(text)
    except BadData:
        return None
    return _read(told)


def _sealer() -> URLSafeSerializer:
    """What seals for the person, the session and the roles of this request only."""
    who = principal()
    # The moment of signing in, which ends a session by its age, stands for the session.
    holder = [SALT, who.user.username, session.get(SINCE), sorted(who.access.roles)]
    return URLSafeSerializer(service().settings.secret_key, salt=json.dumps(holder))


def _sources(citations: Iterable[Citation], said: str) -> Iterable[Source]:
    for citation in citations:
        section = citation.section
        yield Source(
            number=citation.number,
            filename=citation.filename,
            place=citation.label.removeprefix(citation.filename),
            address=LINKS.source(citation),
            section="" if citation.page_first is None else section,
            excerpt=excerpt(citation.text, said, heading=section.rpartition(" > ")[2]),
        )


def _read(told: Mapping[str, Any]) -> Shown:
    """A record as :func:`seal` wrote it down."""
    doubts = (
        Doubt(text=one["text"], findings=tuple(one["findings"]), missing=tuple(one["missing"]))
        for one in told["doubts"]
    )
    parts = {
        "missing": tuple(told["missing"]),
        "sources": tuple(Source(**one) for one in told["sources"]),
        "doubts": tuple(doubts),
        "grades": tuple(Grade(**one) for one in told["grades"]),
    }
    return Shown(**{**told, **parts})
