"""Formulas of Office files (ECMA-376 part 1, 22.1) in one line of plain text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from docrag.loaders.numbering import Element
from docrag.loaders.raised import fraction, index, operand, power, root

#: Namespace of Office MathML.
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def written(element: Element, words: Callable[[Element], str]) -> str:
    """The text of one structure of a formula: ``1/2``, ``10³``, ``√16``, ``(a+b)``.

    :param words: gives the text of a part, in which structures may stand again.
    """
    name = element.tag.removeprefix(M)

    def part(called: str) -> str:
        found = element.find(M + called)
        return "" if found is None else words(found).strip()

    if name == "f":
        text = fraction(part("num"), part("den"))
    elif name == "rad":
        text = root(part("deg"), part("e"))
    elif name == "d":
        text = _bracketed(element, words)
    elif name in ("m", "eqArr"):
        rows = element.iterchildren(M + "mr", M + "e")
        text = f"[{'; '.join(words(row).strip() for row in rows)}]"
    elif name == "func":
        text = f"{part('fName')} {operand(part('e'))}"
    elif name == "nary":
        sign = _property(element, "naryPr/chr", "∫")
        text = f"{power(index(sign, part('sub')), part('sup'))} {operand(part('e'))}"
    elif name in ("limLow", "limUpp"):
        text = f"{part('e')}_{operand(part('lim'))}"
    else:
        text = power(index(part("e"), part("sub")), part("sup"))
    return text


#: Structures that `written` puts into a line; all others are read part by part.
STRUCTURES: Final = frozenset(
    M + name for name in "f rad d m eqArr func nary sSup sSub sSubSup limLow limUpp".split()
)


def _bracketed(element: Element, words: Callable[[Element], str]) -> str:
    first, last = _property(element, "dPr/begChr", "("), _property(element, "dPr/endChr", ")")
    between = _property(element, "dPr/sepChr", "|")
    return f"{first}{between.join(words(e).strip() for e in element.iterchildren(M + 'e'))}{last}"


def _property(element: Element, path: str, otherwise: str) -> str:
    found = element.find("/".join(M + step for step in path.split("/")))
    return otherwise if found is None else str(found.get(M + "val", ""))
