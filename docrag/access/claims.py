"""Claims of a signed token (JWT, RFC 7519), checked before anybody believes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import jwt

from docrag.api import AccessDenied

#: Seconds by which the clocks of two machines may differ.
LEEWAY: Final = 30
#: Longest credential that is looked at, characters; as long as a header of gunicorn may be.
LONGEST: Final = 8190
#: Claims that every token must have.
REQUIRED: Final = ("iss", "sub", "iat", "exp")

Claims = Mapping[str, Any]


class BadToken(AccessDenied):
    """A signed token that nobody may rely on; the message says why and quotes nothing of it."""


def looks_signed(credential: str) -> bool:
    """True for the outer form of a signed token: three parts between dots."""
    return credential.count(".") == 2


def algorithm(token: str) -> str:
    """The algorithm that a token claims to be signed with, to choose who looks at it.

    It is not to be trusted: each verifier has its own algorithms. Empty for an unreadable token.
    """
    try:
        named = _header(token).get("alg")
    except BadToken:
        return ""
    return named if isinstance(named, str) else ""


def key_id(token: str) -> str | None:
    """Which of the issuer's keys a token claims to be signed with.

    :raises BadToken: its header cannot be read.
    """
    named = _header(token).get("kid")
    return named if isinstance(named, str) else None


def checked(
    token: str,
    key: Any,  # noqa: ANN401 - a secret, or a public key of the cryptography package
    *,
    algorithms: Sequence[str],
    issuer: str,
    audience: str | None = None,
    longest: float = math.inf,
) -> Claims:
    """The claims of a token that is signed, in time, and meant for us.

    :param algorithms: those that may have signed it; what the token says decides nothing else.
    :param issuer: who must have made it.
    :param audience: whom it must be meant for; ``None`` where the issuer names none.
    :param longest: seconds from issue to expiry that are taken at most.
    :raises BadToken: anything is wrong with it.
    """
    if len(token) > LONGEST:
        raise BadToken("the token is too long")
    required = [*REQUIRED, "aud"] if audience else list(REQUIRED)
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(algorithms),
            issuer=issuer,
            audience=audience,
            leeway=LEEWAY,
            options={"require": required, "verify_aud": audience is not None},
        )
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as exc:
        raise BadToken(_reason(exc)) from None
    _check_life(claims, longest)
    if not isinstance(claims["sub"], str) or not claims["sub"]:
        raise BadToken("the token names nobody")
    return claims


def _header(token: str) -> Mapping[str, Any]:
    if len(token) > LONGEST:
        raise BadToken("the token is too long")
    try:
        return jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as exc:
        raise BadToken("the token is malformed") from exc


def _check_life(claims: Claims, longest: float) -> None:
    """:raises BadToken: the times are no plain numbers, or lie further apart than allowed."""
    issued, expires = claims["iat"], claims["exp"]
    for moment in (issued, expires):
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            raise BadToken("the token's times are not numbers")
    if expires - issued > longest:
        raise BadToken(f"the token lives longer than {longest:.0f} s")


def _reason(error: Exception) -> str:
    """Why a token was refused, in words that quote nothing of it."""
    reasons: dict[type[Exception], str] = {
        jwt.ExpiredSignatureError: "the token has expired",
        jwt.ImmatureSignatureError: "the token is not valid yet",
        jwt.InvalidIssuedAtError: "the token's issue time is wrong",
        jwt.InvalidIssuerError: "the token comes from another issuer",
        jwt.InvalidAudienceError: "the token is meant for somebody else",
        jwt.MissingRequiredClaimError: "the token lacks a claim that it must have",
        jwt.InvalidAlgorithmError: "the token is signed in a way that is not taken",
        jwt.InvalidSignatureError: "the token's signature is wrong",
    }
    found = (text for kind, text in reasons.items() if isinstance(error, kind))
    return next(found, "the token is malformed")
