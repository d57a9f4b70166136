"""Who somebody else says that a caller is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A person as an identity provider or a trusted front end names them."""

    #: Who says so: the issuer of a token, or the kind of front end.
    issuer: str
    #: The person's identifier there; never used again for somebody else.
    subject: str
    #: Mail address in lower case, only where the issuer vouches for it.
    email: str | None
    #: Identifiers of groups there, each once, in order; mapped to roles by a table of docrag.
    groups: tuple[str, ...] = ()
