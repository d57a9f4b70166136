"""A command with subcommands whose help tells the whole first sentence of each."""

from __future__ import annotations

from typing import Final

import click

#: More characters than any first sentence has; click cuts at the width of the terminal.
_WHOLE: Final = 1_000


class Listing(click.Group):
    """Subcommands with their first sentences, on as many lines as these take."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, command.get_short_help_str(_WHOLE))
            for name, command in found
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
