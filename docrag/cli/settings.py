"""``docrag settings``: every setting with its value, default and effect."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

import click

from docrag.cli.output import json_option, print_rows
from docrag.cli.session import Session, pass_session
from docrag.settings import Settings, documented, variable

#: Shown instead of a secret that is set.
_HIDDEN: Final = "(set, not shown)"
#: Head of ``docs/settings.md``, which this module writes.
_INTRODUCTION: Final = """\
# Settings

Written by `docrag settings --markdown`; a test keeps it up to date.

Every setting is an environment variable, or an upper-case name in `config.py` of the instance
folder; the environment wins. Settings are read once, at the start. A value of the wrong type or
size, and an unknown name that begins with `DOCRAG_`, is an error. Options are JSON objects.
"""


def rows(settings: Settings) -> list[dict[str, object]]:
    """One row a setting: name, value, default and effect; secrets are not shown."""
    return [
        {
            "setting": variable(item),
            "value": _value(item.metadata.get("secret"), getattr(settings, item.name)),
            "default": default,
            "effect": effect,
        }
        for item, (_, default, effect) in zip(fields(Settings), documented(), strict=True)
    ]


@click.command("settings")
@click.option("--markdown", is_flag=True, help="Print docs/settings.md: defaults, no values.")
@json_option
@pass_session
def command(session: Session, markdown: bool, as_json: bool) -> None:
    """Print every setting, its value now, its default and its effect."""
    if markdown:
        click.echo(page())
    else:
        print_rows(rows(session.settings), as_json=as_json)


def page() -> str:
    """The page of all settings for ``docs/settings.md``, without a last line break."""
    table = [
        f"| `{name}` | {_cell(default)} | {effect.replace('|', chr(92) + '|')} |"
        for name, default, effect in documented()
    ]
    return "\n".join([_INTRODUCTION, "| variable | default | effect |", "|---|---|---|", *table])


def _cell(default: str) -> str:
    return f"`{default}`" if default not in ("", "None") else "unset"


def _value(secret: object, value: object) -> str:
    if secret and value:
        return _HIDDEN
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
