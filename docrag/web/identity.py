"""Who is meant when somebody else vouches for a person: an identity provider or a front end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from flask import Flask, current_app

from docrag.access.assertion import Assertion
from docrag.access.oidc import Issuer
from docrag.api import ADMIN_ROLE, AccessDenied, UnknownName
from docrag.settings import Settings
from docrag.store import Store
from docrag.store.records import User

#: Where the issuer of an app stands in ``app.extensions``.
KEY: Final = "docrag_issuer"


def install(app: Flask, settings: Settings) -> None:
    """Give an app the issuer of its settings; nothing is fetched yet.

    :raises SettingsError: the issuer's settings contradict each other.
    """
    if settings.oidc_issuer:
        app.extensions[KEY] = Issuer(
            settings.oidc_issuer,
            audience=settings.oidc_audience or settings.oidc_client_id,
            groups_claim=settings.oidc_groups_claim,
        )


def issuer() -> Issuer | None:
    """The OpenID Connect issuer of this app; ``None`` where it is switched off."""
    found: Issuer | None = current_app.extensions.get(KEY)
    return found


def known_user(store: Store, assertion: Assertion) -> User:
    """The active user whom an assertion means: by linked identity, or else by vouched address.

    :raises AccessDenied: nobody, or an inactive one; the two cannot be told apart.
    """
    found = _by_identity(store, assertion) or _by_email(store, assertion)
    if found is None or not found.active:
        shown = assertion.email or assertion.subject
        raise AccessDenied(
            f"no account here belongs to {shown!r} of {assertion.issuer}; "
            "an administrator must create one with this mail address, or link it"
        )
    return found


def group_roles(store: Store, issuer: str, groups: Collection[str]) -> frozenset[str]:
    """Roles in use that the table of groups gives to members of these groups; never admin.

    :param issuer: who names the groups.
    """
    if not groups:
        return frozenset()
    mapped = {
        role
        for group in store.groups.list()
        if group.issuer == issuer and group.group_id in groups
        for role in group.roles
    }
    used = {role.name for role in store.roles.list() if not role.retired}
    return frozenset(mapped & used - {ADMIN_ROLE})


def _by_identity(store: Store, assertion: Assertion) -> User | None:
    if not assertion.subject:
        return None
    try:
        return store.users.get_by_identity(assertion.issuer, assertion.subject)
    except UnknownName:
        return None


def _by_email(store: Store, assertion: Assertion) -> User | None:
    if assertion.email is None:
        return None
    try:
        return store.users.get_by_email(assertion.email)
    except UnknownName:
        return None
