"""A list of a web page while its items are read."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from docrag.loaders.numbering import figure

#: What the attribute ``type`` of a list asks for, as the standard of Word calls it.
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
#: The same in a style.
_STYLES = {
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "decimal-leading-zero": "decimalZero",
}
_STYLE = re.compile(r"list-style(?:-type)?\s*:[^;]*?\b([a-z]+-(?:[a-z]+-)?[a-z]+)\b", re.I)


class HtmlList:
    """Counts the items of one list; not for several threads."""

    def __init__(self, node: LexborNode) -> None:
        """Begin a list.

        :param node: its element, which says how and from where it counts.
        """
        attributes = node.attributes
        self._counts = node.tag == "ol"
        self._step = -1 if "reversed" in attributes else 1
        first = 1 if self._step > 0 or not self._counts else _items(node)
        self._next = _number(node, "start", first)
        style = _STYLE.search(attributes.get("style") or "")
        named = _STYLES.get(style[1].lower(), "") if style else ""
        self._form = named or _FORMS.get((attributes.get("type") or "").strip(), "decimal")

    def mark(self, node: LexborNode) -> str:
        """What stands in front of an item: ``-``, ``2.``, ``b.``; it is counted."""
        if not self._counts:
            return "-"
        number = _number(node, "value", self._next)
        self._next = number + self._step
        return f"{figure(number, self._form)}."


def _items(node: LexborNode) -> int:
    """Number of the items of a list, without those of the lists in it."""
    return sum(child.tag == "li" for child in node.iter())


def _number(node: LexborNode, name: str, otherwise: int) -> int:
    """The whole number that an attribute says, or another one where it says none."""
    value = (node.attributes.get(name) or "").strip()
    return int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else otherwise
