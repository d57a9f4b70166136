"""Trusted front ends: the headers in which they name the person who asks.

Open WebUI's forms are read (its ``ENABLE_FORWARD_USER_INFO_HEADERS`` and
``FORWARD_USER_INFO_HEADER_JWT_SECRET``); LibreChat and others can send the plain ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from docrag.access.assertion import Assertion
from docrag.access.claims import LONGEST, BadToken, checked
from docrag.access.names import email_key
from docrag.api import AccessDenied

#: Ways in which a front-end key may name a person; the key says which one.
METHODS: Final = ("jwt", "oidc", "headers")
#: Issuer of Open WebUI's signed token, and name under which its identifiers are kept.
ISSUER: Final = "open-webui"
#: Header with Open WebUI's signed token.
SIGNED: Final = "X-OpenWebUI-User-Jwt"
#: Header with a person's own OpenID Connect access token.
FORWARDED: Final = "X-Docrag-User-Token"
#: Plain headers that name a person.
EMAIL: Final = "X-OpenWebUI-User-Email"
USER_ID: Final = "X-OpenWebUI-User-Id"
#: Plain header with the identifiers of the person's groups, separated by commas.
GROUPS: Final = "X-OpenWebUI-User-Group-Ids"
#: Every plain header that tells of a person; none may stand beside a signed token.
PLAIN: Final = (EMAIL, USER_ID, GROUPS, "X-OpenWebUI-User-Name", "X-OpenWebUI-User-Role")
#: Seconds that a signed token may live; Open WebUI's live 300.
LONGEST_LIFE: Final = 3600
#: The role of Open WebUI's accounts that nobody has let in yet.
PENDING: Final = "pending"
#: Most groups of a person, and most characters of one's identifier.
MOST_GROUPS: Final = 500
LONGEST_GROUP: Final = 256
#: Longest identifier of a person, characters.
LONGEST_SUBJECT: Final = 255


class BadAssertion(AccessDenied):
    """A front end named nobody, or in a way that cannot be relied on."""


class Headers(Protocol):
    """Headers of a request; names are not case-sensitive."""

    def get(self, name: str, /) -> str | None:
        """The value, several ones joined by commas; ``None`` if there is none."""


def signed(headers: Headers, *, secret: str) -> Assertion:
    """The person that Open WebUI's signed token names.

    :param secret: shared with Open WebUI, at least 32 bytes; empty refuses every token.
    :raises BadAssertion: no token, a wrong one, plain headers beside it, or a pending account.
    """
    _refuse_others(headers, (*PLAIN, FORWARDED), f"send only {SIGNED}, which this key asks for")
    token = _one(headers, SIGNED)
    if not secret:
        raise BadAssertion("signed tokens are not set up here: set DOCRAG_FRONTEND_SECRET")
    try:
        claims = checked(
            token, secret.encode(), algorithms=["HS256"], issuer=ISSUER, longest=LONGEST_LIFE
        )
    except BadToken as exc:
        raise BadAssertion(f"{SIGNED}: {exc}") from None
    if claims.get("role") == PENDING:
        raise BadAssertion("the account waits in Open WebUI to be let in by an administrator")
    subject = _subject(claims["sub"], SIGNED)
    email = claims.get("email")
    address = email_key(email) if isinstance(email, str) else None
    return Assertion(issuer=ISSUER, subject=subject, email=address)


def plain(headers: Headers) -> Assertion:
    """The person that plain headers name, for keys that say that their network is trusted.

    :raises BadAssertion: neither address nor identifier, a repeated or malformed one, or a
        placeholder that the front end did not fill in.
    """
    _refuse_others(headers, (SIGNED, FORWARDED), "this key takes plain headers only")
    subject = _one(headers, USER_ID, optional=True)
    email = _one(headers, EMAIL, optional=True)
    if not subject and not email:
        raise BadAssertion(f"the front end names nobody: send {EMAIL} or {USER_ID}")
    address = email_key(email) if email else None
    if email and address is None:
        raise BadAssertion(f"{EMAIL} is not a mail address")
    return Assertion(
        issuer=ISSUER,
        subject=_subject(subject, USER_ID) if subject else "",
        email=address,
        groups=group_ids((headers.get(GROUPS) or "").split(",")),
    )


def forwarded(headers: Headers) -> str:
    """The access token of the person, as the front end passes it on.

    :raises BadAssertion: none, several, or other identity headers beside it.
    """
    _refuse_others(headers, (*PLAIN, SIGNED), f"send only {FORWARDED}, which this key asks for")
    return _one(headers, FORWARDED).removeprefix("Bearer ").strip()


def group_ids(values: Iterable[str]) -> tuple[str, ...]:
    """Identifiers of groups, each once, in order, without empty ones.

    :raises BadAssertion: a placeholder that the front end did not fill in, or far too many.
    """
    groups = tuple(dict.fromkeys(name for value in values if (name := value.strip())))
    if any("{{" in name or not name.isprintable() for name in groups):
        raise BadAssertion(f"{GROUPS} holds a placeholder that the front end did not fill in")
    if len(groups) > MOST_GROUPS or any(len(name) > LONGEST_GROUP for name in groups):
        raise BadAssertion(f"{GROUPS} names more than {MOST_GROUPS} groups, or too long ones")
    return groups


def _one(headers: Headers, name: str, *, optional: bool = False) -> str:
    """The single value of a header; empty only if it is optional and absent.

    :raises BadAssertion: it is absent, repeated (servers join with a comma), a placeholder, or
        holds what no identifier holds.
    """
    value = (headers.get(name) or "").strip()
    if not value and not optional:
        raise BadAssertion(f"the front end names nobody: send {name}")
    if len(value) > LONGEST:
        raise BadAssertion(f"{name} is too long")
    if "," in value:
        raise BadAssertion(f"{name} was sent more than once")
    if "{{" in value or "}}" in value:
        raise BadAssertion(f"{name} is a placeholder that the front end did not fill in")
    return value


def _subject(text: str, name: str) -> str:
    """:raises BadAssertion: it cannot be somebody's identifier."""
    if len(text) > LONGEST_SUBJECT or not text.isprintable():
        raise BadAssertion(f"{name} holds no identifier of a person")
    return text


def _refuse_others(headers: Headers, names: tuple[str, ...], advice: str) -> None:
    """:raises BadAssertion: one of the headers is there, so that two might disagree."""
    for name in names:
        if headers.get(name) is not None:
            raise BadAssertion(f"{name} is not taken with this key; {advice}")
