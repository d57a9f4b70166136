"""A place of a source's line that holds a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of a line that holds a value."""

    #: Place of the line, of the first token, and behind the last.
    line: int
    first: int
    last: int
    #: True for the value of the claim, False for another of its kind.
    is_own: bool
