"""What the fields of a form on a web page show."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from docrag.loaders.htmlhidden import is_hidden

#: Kinds of fields whose value is shown to nobody, or says what a click does.
_SILENT = frozenset("hidden password file image submit reset button color".split())


def filled(node: LexborNode) -> str:
    """The value of an ``input`` as its page sets it; a mark for a box that can be ticked."""
    attributes = node.attributes
    kind = (attributes.get("type") or "text").strip().lower()
    if kind in ("checkbox", "radio"):
        return "☒" if "checked" in attributes else "☐"
    return "" if kind in _SILENT else attributes.get("value") or ""


def chosen(node: LexborNode) -> str:
    """The entries of a ``select`` that are chosen, else the one that stands there first."""
    entries = [entry for entry in node.css("option") if not is_hidden(entry)]
    found = [entry for entry in entries if "selected" in entry.attributes]
    if not found and "multiple" not in node.attributes:
        found = entries[:1]
    return " ".join(["", *(" ".join(entry.text(deep=True).split()) for entry in found), ""])
