"""Formulas of web pages (MathML Core) in one line of plain text."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from docrag.loaders.htmlhidden import is_hidden
from docrag.loaders.raised import fraction, index, power, root

#: Deepest structure that is read: Python's stack holds no more than 1,000 calls.
_DEEPEST = 200
#: The same formula in another language.
_SOURCES = frozenset(("annotation", "annotation-xml"))


def formula(node: LexborNode, depth: int = 0) -> str:
    """The text of a formula or a part of it: ``1/2``, ``10³``, ``√16``.

    Empty for a hidden one and for what stands deeper than 200 elements.
    """
    tag = node.tag or ""
    if tag == "-text":
        return " ".join((node.text_content or "").split())
    if tag in _SOURCES or depth > _DEEPEST or is_hidden(node):
        return ""
    parts = [
        formula(child, depth + 1)
        for child in node.iter(include_text=True)
        if child.tag != "-text" or (child.text_content or "").strip()
    ]
    return _put(tag, parts)


def _put(tag: str, parts: list[str]) -> str:
    """The parts of one structure in a line."""
    first, second, third = [*parts, "", "", ""][:3]
    if tag == "msqrt":
        text = root("", "".join(parts))
    elif tag == "mfrac":
        text = fraction(first, second)
    elif tag == "mroot":
        text = root(second, first)
    elif tag in ("msup", "mover"):
        text = power(first, second)
    elif tag in ("msub", "munder"):
        text = index(first, second)
    elif tag in ("msubsup", "munderover"):
        text = power(index(first, second), third)
    else:
        text = (" " if tag in ("mtr", "mtd") else "") + "".join(parts)
    return text
