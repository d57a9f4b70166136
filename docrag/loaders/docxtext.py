"""The words of one paragraph of a Word file, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator

from docrag.loaders.numbering import Element, W

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
#: The content of a text box, in the old and in the new form.
BOX = W + "txbxContent"
#: The mark of a footnote and of an endnote.
NOTES = (W + "footnoteReference", W + "endnoteReference")
#: Elements whose text was deleted or moved away, or that hold no text of the document.
HIDDEN = frozenset(
    W + name
    for name in ("del", "moveFrom", "delText", "instrText", "rPr", "pPr", "rt", "sectPr", "tblPr")
)
_WORDS = frozenset((W + "t", _MATH + "t"))
_SIGNS = {
    W + "tab": " ",
    W + "ptab": " ",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
    W + "softHyphen": "\xad",
}
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
        elif tag not in HIDDEN and not vanished(child):
            yield from pieces(child)


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
    mark = run.find(f"{W}rPr/{W}vanish")
    return mark is not None and mark.get(W + "val", "1") not in ("0", "false", "off")


def _symbol(element: Element) -> str:
    """A sign of a symbol font, in the private area that the text repair reads as a bullet."""
    code = element.get(W + "char", "")
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
