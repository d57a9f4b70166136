"""The items (bent) of a paragraph, in the order of Turkish letters, and the items in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrag.chunkers.legal_lines import HEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docrag.chunkers.legal_lines import Line

#: Letters of items in their order.
LETTERS = "abcçdefgğhıijklmnoöprsştuüvyz"
#: Letters that may follow on: texts leave out the Turkish ones, or an item was repealed.
MAX_STEP = 3
#: Items in items in items: deeper ones are text.
MAX_DEPTH = 3
_MARK = re.compile(
    r"(?P<letter>[a-zçğıöşü]{1,3})\)|(?P<dotted>[a-zçğıöşü])\.[ \t]"
    r"|(?P<capital>[A-ZÇĞİÖŞÜ])\)|(?P<number>\d{1,2})(?:\)|\.[ \t](?=[^\W\d_a-zçğıöşü]|\())"
    r"|(?P<roman>[IVX]{1,5})[).–-][ \t]"
    r"|\((?P<bracketed>[a-zçğıöşü]{1,2})\)[ \t](?=[^\W\d_a-zçğıöşü])"
)
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV")
#: Kinds of marks, and a typed ``1)`` that may stand for ``l)``.
_KINDS = ("letter", "dotted", "capital", "number", "roman", "bracketed")
_ELL = LETTERS.index("l") + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A line that begins an item."""

    #: Place of the line.
    at: int
    #: 0 for an item of the paragraph, 1 for one inside of such an item, and so on.
    depth: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    at: int
    kind: str
    name: str
    #: Place in its order, from 1.
    value: int


@dataclass(slots=True, kw_only=True)
class _Level:
    kind: str
    value: int


def items_of(lines: Sequence[Line], places: Sequence[int]) -> list[Item]:
    """The items of one paragraph in reading order; none where no first item stands.

    :param places: lines of the paragraph that may begin an item.
    """
    marks = [mark for at in places if (mark := _mark(at, lines[at].text))]
    levels: list[_Level] = []
    found: list[Item] = []
    for n, mark in enumerate(marks):
        following = marks[n + 1] if n + 1 < len(marks) else None
        depth, mark = _placed(levels, mark, following)
        if depth is not None:
            found.append(Item(at=mark.at, depth=depth, name=mark.name))
    return found


def _placed(levels: list[_Level], mark: _Mark, following: _Mark | None) -> tuple[int | None, _Mark]:
    """The depth of a mark, ``None`` if it is text; the open levels are changed to match."""
    if mark.kind == "number" and mark.value == 1 and _is_ell(levels, following):
        mark = _Mark(at=mark.at, kind="letter", name="l", value=_ELL)
    for depth in range(len(levels) - 1, -1, -1):
        level = levels[depth]
        if level.kind == mark.kind and 0 < mark.value - level.value <= _step(mark.kind):
            level.value = mark.value
            del levels[depth + 1 :]
            return depth, mark
    if mark.value != 1 or len(levels) == MAX_DEPTH:
        return None, mark
    levels.append(_Level(kind=mark.kind, value=1))
    return len(levels) - 1, mark


def _is_ell(levels: list[_Level], following: _Mark | None) -> bool:
    """True if ``1)`` stands where ``l)`` is due and does not begin a list of numbers."""
    if following is not None and following.kind == "number" and following.value > 1:
        return False
    return any(level.kind == "letter" and level.value == _ELL - 1 for level in levels)


def _step(kind: str) -> int:
    return MAX_STEP if kind in ("letter", "dotted", "bracketed") else 1


def _mark(at: int, text: str) -> _Mark | None:
    found = _MARK.match(text[:HEAD])
    if found is None:
        return None
    kind = next(kind for kind in _KINDS if found[kind])
    name = found[kind]
    value = _value(kind, name)
    return _Mark(at=at, kind=kind, name=name, value=value) if value else None


def _value(kind: str, name: str) -> int:
    """Place of a name in its order, from 1; 0 for none."""
    if kind == "number":
        return int(name)
    if kind == "roman":
        return _ROMANS.index(name) + 1 if name in _ROMANS else 0
    letter = name.replace("I", "ı").replace("İ", "i").lower()
    if letter != letter[0] * len(letter):
        return 0
    place = LETTERS.find(letter[0])
    return place + 1 + len(LETTERS) * (len(letter) - 1) if place >= 0 else 0
