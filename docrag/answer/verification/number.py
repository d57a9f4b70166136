"""A number that a text names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a text names."""

    #: Its value; ``also`` is another reading ("1.006"), the same where there is none.
    value: float
    also: float
    #: The unit that stands by it; empty for none.
    unit: str
    is_ordinal: bool
    #: False for what may be no number ("altı", "on", "ilk").
    is_sure: bool
    #: As written, without the unit.
    written: str
    #: First token, and the one behind the last.
    first: int
    last: int

    def equals(self, other: Number) -> bool:
        """True if the values are one in some reading; units are not looked at."""
        return self.value in (other.value, other.also) or self.also in (other.value, other.also)
