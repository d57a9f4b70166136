"""Whether a line belongs to the wording that an amending article gives to another law."""

from __future__ import annotations

import re

#: Lines after which a quotation that was never closed counts as ended.
MAX_LINES = 400
#: Characters before a quotation that show whether it is an amendment.
_BEFORE = 200
_AMENDS = re.compile(r"değiştirilmiş|eklenmiş|düzenlenmiş|getirilmiş|aşağıdaki")
_OPEN = frozenset("“„«")
_CLOSE = frozenset("”»")
_CLOSED = re.compile('[”“"»][ \t]*[.,;]?$')


class Quotes:
    """Follows the lines of a document; one object a document."""

    def __init__(self) -> None:
        self._depth = 0
        self._lines = 0
        self._before = ""
        #: True while the lines fed are inside of a quotation.
        self.is_open = False
        #: True if the last line fed ended with a quotation mark.
        self.was_closed = False

    def feed(self, text: str) -> bool:
        """True if the line is in quotes; lines come in order, blank ones left out."""
        if not self.is_open and text[0] in '“„«"' and _AMENDS.search(self._before):
            self.is_open, self._depth, self._lines = True, 0, 0
        inside = self.is_open
        if inside:
            self._depth += _balance(text)
            self._lines += 1
            if self._depth <= 0 or self._lines > MAX_LINES:
                self.is_open = False
        else:
            self._open_within(text)
        self.was_closed = bool(_CLOSED.search(text[-4:]))
        self._before = f"{self._before} {text[-_BEFORE:]}"[-_BEFORE:]
        return inside

    def _open_within(self, text: str) -> None:
        """Open a quotation that begins in an amending line and goes on below it."""
        at = max(map(text.rfind, _OPEN))
        if at > 0 and _AMENDS.search(text[max(0, at - _BEFORE) : at]):
            depth = _balance(text[at:])
            self.is_open, self._depth, self._lines = depth > 0, depth, 0

    def end(self) -> None:
        """Leave the quotation, for a line that cannot be inside of one was found."""
        self.is_open = False


def _balance(text: str) -> int:
    """Quotation marks that open less those that close; a straight one opens before a word."""
    total = 0
    for at, sign in enumerate(text):
        if sign in _OPEN:
            total += 1
        elif sign in _CLOSE:
            total -= 1
        elif sign == '"':
            total += 1 if at == 0 or text[at - 1] in " (\t" else -1
    return total
