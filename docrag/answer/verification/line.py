"""A line of a source, read."""

from __future__ import annotations

from dataclasses import dataclass

from docrag.answer.verification.dates import Date
from docrag.answer.verification.names import Mention
from docrag.answer.verification.number import Number
from docrag.answer.verification.tokens import Token


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, list item or heading of a source."""

    text: str
    tokens: tuple[Token, ...]
    numbers: tuple[Number, ...]
    dates: tuple[Date, ...]
    mentions: tuple[Mention, ...]
    keys: tuple[frozenset[str], ...]
    #: Units that its words name.
    units: frozenset[str]
