"""``docrag plugins``: what is installed, and whether it keeps the contract of its kind."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from docrag.api import PluginNotFound
from docrag.cli import pluginoptions
from docrag.cli.contract import options_of, run_contract
from docrag.cli.listing import Listing
from docrag.cli.output import json_option, print_rows, say
from docrag.cli.session import Session, pass_session
from docrag.registry import KINDS, Registry


@click.group("plugins", cls=Listing)
def command() -> None:
    """List plugins, and check them against the contract of their kind."""


@command.command("list")
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@json_option
@pass_session
def list_(session: Session, kind: str | None, as_json: bool) -> None:
    """List the plugins that are installed and allowed, built-ins too."""
    rows = [
        {"kind": item.kind, "name": item.name, "distribution": item.distribution}
        for item in _registry(session).plugins(kind)
    ]
    print_rows(rows, as_json=as_json, empty="no plugins")


@command.command("check")
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), help="Kind, where several have the name.")
@click.option(
    "--sample",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A good file for a loader.",
)
@click.option(
    "--option",
    "told",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the plugin, such as url=http://127.0.0.1:8080; repeatable.",
)
@pass_session
def check(
    session: Session, name: str, kind: str | None, sample: Path | None, told: tuple[str, ...]
) -> None:
    """Run the contract of its kind over plugin NAME; exit code 1 when it does not hold.

    The options of a plugin are those of the settings, if these name it, and those given with
    --option. What answers over HTTP is asked at its url, so a server must run there.

    A language model is built and its shape is checked; the rest of its contract needs a fake
    server and runs in the plugin's own tests.
    """
    registry = _registry(session)
    kinds = [item for item in KINDS if name in registry.names(item) and kind in (None, item)]
    if not kinds:
        installed = sorted({plugin.name for plugin in registry.plugins(kind)})
        raise PluginNotFound(kind or "*", name, installed)
    if len(kinds) > 1:
        raise click.UsageError(f"{name!r} is the name of several kinds; add --kind {kinds[0]}")
    options = _options(session, registry, kinds[0], name, told)
    if run_contract(session.settings, kinds[0], name, options, sample) != 0:
        say(f"docrag: error: {name!r} does not keep the contract of {kinds[0]}")
        sys.exit(1)
    say(f"{name!r} keeps the contract of {kinds[0]}")


def _options(
    session: Session, registry: Registry, kind: str, name: str, told: Sequence[str]
) -> Mapping[str, Any]:
    """The options that a plugin is checked with, those of the command before those of settings.

    :raises click.UsageError: one is missing, unknown or of another form.
    :raises SettingsError: the plugin refuses a value.
    """
    factory = registry.load(kind, name)
    given = pluginoptions.given(told, factory)
    options = {**options_of(session.settings, kind, name), **given}
    pluginoptions.check(kind, name, factory, options)
    handed = pluginoptions.HANDED.get(kind, frozenset())
    if given and handed.isdisjoint(inspect.signature(factory).parameters):
        # A wrong value is one line here, and one traceback a test in the contract.
        registry.build(kind, name, options)
    return options


def _registry(session: Session) -> Registry:
    settings = session.settings
    return Registry(allowed=settings.plugins, choice=settings.plugin_choice)
