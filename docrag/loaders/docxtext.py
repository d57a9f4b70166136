"""The words of one paragraph of a Word file, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator

from docrag.loaders.numbering import Element, W, attribute, integer
from docrag.loaders.raised import lowered, raised, struck
from docrag.loaders.wordmath import STRUCTURES, M, written

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
#: The content of a text box, in the old and in the new form.
BOX = W + "txbxContent"
#: The mark of a footnote and of an endnote.
NOTES = (W + "footnoteReference", W + "endnoteReference")
#: Elements whose text was deleted or moved away, or that hold no text of the document.
HIDDEN = frozenset(
    W + name
    for name in ("del", "moveFrom", "delText", "instrText", "rPr", "pPr", "rt", "sectPr", "tblPr")
)
_WORDS = frozenset((W + "t", M + "t"))
_SIGNS = {
    W + "tab": " ",
    W + "ptab": " ",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
    W + "softHyphen": "\xad",
}
#: Signs of fonts that have an order of their own, by the lower byte of their code.
_FONTS = {
    "symbol": dict(
        zip(
            bytes.fromhex("2d a3 a5 ae b0 b1 b3 b4 b8 b9 bb d6 d7 44 53 57 61 62 67 6c 6d 70 72"),
            "−≤∞→°±≥×÷≠≈√·ΔΣΩαβγλμπρ",
            strict=True,
        )
    ),
    "wingdings": dict(zip(bytes.fromhex("a8 fb fc fd fe"), "☐✗✓☒☑", strict=True)),
}
#: Values of a property that is switched off.
_OFF = ("0", "false", "off")
#: Breaks that begin a new page or column, not a new line.
_LARGE_BREAKS = ("page", "column")


def pieces(element: Element) -> Iterator[str | Element]:
    """The words of an element in order; text boxes and marks of notes come as their elements."""
    for child in element.iterchildren("*"):
        tag = child.tag
        if tag in _WORDS:
            yield child.text or ""
        elif tag in _SIGNS:
            yield _SIGNS[tag]
        elif tag == W + "br":
            yield "" if child.get(W + "type") in _LARGE_BREAKS else "\n"
        elif tag == W + "sym":
            yield _symbol(child)
        elif tag == BOX or tag in NOTES:
            yield child
        elif tag == _MC + "AlternateContent":
            yield from pieces(alternative(child))
        elif tag == W + "fldChar":
            yield _field(child)
        elif tag in STRUCTURES:
            yield written(child, _words)
        elif tag == W + "r":
            yield from () if vanished(child) else _run(child)
        elif tag not in HIDDEN and not vanished(child):
            yield from pieces(child)


def _run(run: Element) -> Iterator[str | Element]:
    """The words of a run, marked where they are raised, lowered or struck out."""
    properties = run.find(W + "rPr")
    if properties is None or not len(properties):
        yield from pieces(run)
        return
    place = attribute(properties, "vertAlign")
    deleted = _has(properties, "strike") or _has(properties, "dstrike")
    for piece in pieces(run):
        if not isinstance(piece, str):
            yield piece
            continue
        put = raised if place == "superscript" else lowered if place == "subscript" else str
        yield struck(put(piece)) if deleted else put(piece)


def _words(element: Element) -> str:
    """The words of a part of a formula, in which no box and no note stands."""
    return "".join(piece for piece in pieces(element) if isinstance(piece, str))


def alternative(element: Element) -> Element:
    """The one of several forms of the same content that has words; the last if none has."""
    forms = list(element.iterchildren(_MC + "Choice", _MC + "Fallback"))
    for form in forms:
        if next(form.iter(W + "t"), None) is not None:
            return form
    return forms[-1] if forms else element


def alternatives(element: Element) -> bool:
    """True for an element that holds several forms of the same content."""
    return bool(element.tag == _MC + "AlternateContent")


def vanished(run: Element) -> bool:
    """True for text that is formatted as hidden."""
    properties = run.find(W + "rPr")
    return properties is not None and _has(properties, "vanish")


def _has(properties: Element, name: str) -> bool:
    """True for a property that is switched on."""
    mark = properties.find(W + name)
    return mark is not None and mark.get(W + "val", "1") not in _OFF


def _field(begin: Element) -> str:
    """What a form field of the old kind shows that has no text: a mark, or the chosen entry."""
    box = begin.find(f"{W}ffData/{W}checkBox")
    if box is not None:
        state = "checked" if box.find(W + "checked") is not None else "default"
        return "☒" if _has(box, state) else "☐"
    choice = begin.find(f"{W}ffData/{W}ddList")
    if choice is None:
        return ""
    entries = [entry.get(W + "val", "") for entry in choice.iterchildren(W + "listEntry")]
    at = integer(attribute(choice, "result") or attribute(choice, "default"))
    return entries[at] if 0 <= at < len(entries) else ""


def _symbol(element: Element) -> str:
    """A sign of a symbol font; others in the private area, which is repaired to a bullet."""
    code = element.get(W + "char", "")
    signs = _FONTS.get(element.get(W + "font", "").lower(), {})
    try:
        number = int(code, 16)
        return signs.get(number & 0xFF) or chr(number)
    except (ValueError, OverflowError):
        return ""
