"""Items of lists: their numbers, which of them follow each other, and what introduces them."""

from __future__ import annotations

import re
from typing import Final

#: Beginnings of a list's items; those of one list have one form.
ITEM_FORMS: Final = tuple(
    re.compile(rf"{form}\s")
    for form in (r"([a-zçğıöşü])\)", r"(\d{1,2})[.)]", r"\((\d{1,2})\)", "[•*–-]")
)
#: Number of a paragraph of a law ("(2)"), which is an item's form and introduces items itself.
PARAGRAPH: Final = ITEM_FORMS[2]
#: Ends a sentence that introduces a list or table.
OPENS: Final = (":", ";")
#: Points below, wherever it stands in a sentence.
_BELOW: Final = re.compile(
    r"(?<!\w)(?:[Aa]şağı(?:da|daki|dadır|dakiler|dakilerdir)\w*|(?:[Şş]unlar|[Şş]öyle)(?:dır|dir)"
    r"|below|as follows)(?!\w)"
)
#: Letters of a law's items in their order.
_LETTERS: Final = "abcçdefgğhıijklmnoöprsştuüvyz"
#: Items that may be missing between two of one list, such as those that are repealed.
_MISSING: Final = 2


def form(text: str) -> re.Pattern[str] | None:
    """The form of a list's item that a text begins with, if it does."""
    return next((form for form in ITEM_FORMS if form.match(text)), None)


def introduces(text: str) -> bool:
    """True for a sentence that says that something comes below it: "… aşağıdadır.", "…:"."""
    return text.endswith(";") or announces(text)


def announces(text: str) -> bool:
    """True for a sentence that surely introduces something; one with a semicolon may go on."""
    return text.endswith(":") or _BELOW.search(text) is not None


def follows(before: str, text: str) -> bool:
    """True if an item can be the next of the list of another one: "ç)" behind "c)".

    Two may be missing between them; bullets have no order.
    """
    own = form(text)
    found = own.match(text) if own else None
    other = own.match(before) if own else None
    if found is None or other is None:
        return False
    if not found.groups():
        return found[0] == other[0]
    return 0 < _place(found[1]) - _place(other[1]) <= _MISSING + 1


def _place(number: str) -> int:
    return int(number) if number.isdigit() else _LETTERS.find(number)
