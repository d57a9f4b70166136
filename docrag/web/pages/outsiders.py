"""People whom an identity provider or a directory signs in: who they are here, with what roles."""

from __future__ import annotations

import logging

from docrag.access.assertion import Assertion
from docrag.access.names import new_username
from docrag.access.passwords import hash_password, new_password
from docrag.api import AccessDenied, NameTaken, StoreError, UnknownName, lower
from docrag.store import Store
from docrag.store.records import User

logger = logging.getLogger(__name__)


class Stranger(AccessDenied):
    """Somebody whom the provider knows and docrag does not."""


def admit(store: Store, who: Assertion, *, username: str) -> User:
    """The user of an assertion, with the roles that their groups give today.

    Looked up by identity, then by the vouched mail address, which links the two. Somebody unknown
    is taken in if at least one of their groups is mapped to a role, under a free name.

    Roles that any mapped group of this issuer can give belong to the issuer: they are given and
    taken at each sign-in. Other roles, and admin, stay as they are here.

    :param username: name that a newcomer gets.
    :raises Stranger: unknown here, and no group of theirs gives a role.
    :raises AccessDenied: the user is inactive.
    """
    listed = store.groups.list()
    mapped = {group.group_id: group.roles for group in listed if group.issuer == who.issuer}
    usable = {role.name for role in store.roles.list() if not role.retired}
    given = {role for name in who.groups for role in mapped.get(name, ())} & usable
    user = _known(store, who)
    if user is None:
        user = _new(store, who, username) if given else None
    if user is None:
        raise Stranger("this account is not known here; an administrator can add it")
    if not user.active:
        raise AccessDenied("this account is switched off")
    theirs = {role for roles in mapped.values() for role in roles}
    wanted = (set(user.roles) - theirs) | given
    if wanted == set(user.roles):
        return user
    logger.info("roles of user %d follow their groups", user.id, extra={"action": "roles_synced"})
    return store.users.set_roles(user.username, wanted)


def _known(store: Store, who: Assertion) -> User | None:
    try:
        return store.users.get_by_identity(who.issuer, who.subject)
    except UnknownName:
        if who.email is None:
            return None
    try:
        user = store.users.get_by_email(who.email)
    except UnknownName:
        return None
    store.users.link(user.username, who.issuer, who.subject)
    return user


def _new(store: Store, who: Assertion, username: str) -> User | None:
    """A user without roles and with a password that nobody knows; ``None`` if the name is taken."""
    try:
        name = new_username(lower(username))
        hashed = hash_password(new_password())
        user = store.users.create(name, password_hash=hashed, roles=[], email=who.email)
    except (NameTaken, StoreError) as exc:
        # A local account of the same name is somebody else until an administrator says otherwise.
        logger.warning("newcomer refused: %s", exc, extra={"action": "newcomer_refused"})
        return None
    store.users.link(user.username, who.issuer, who.subject)
    logger.info("user %d came by their groups", user.id, extra={"action": "user_admitted"})
    return user
