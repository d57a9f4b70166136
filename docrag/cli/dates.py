"""Options that name a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, TypeVar

import click

from docrag.days import day

_F = TypeVar("_F", bound=Callable[..., Any])


def day_option(name: str, *, help: str) -> Callable[[_F], _F]:  # noqa: A002 - click's own word
    """An option whose value is a day such as ``2015-04-01``; wrong usage if it is none."""

    def read(_: click.Context, __: click.Parameter, value: str | None) -> date | None:
        try:
            return None if value is None else day(value)
        except ValueError as exc:
            raise click.BadParameter(str(exc)) from exc

    return click.option(name, callback=read, metavar="DAY", help=help)


def on_option(command: _F) -> _F:
    """The ``--on`` option, which reaches the command as ``on``."""
    text = "Day whose versions of documents answer, such as 2015-04-01; today by default."
    return day_option("--on", help=text)(command)
