"""What a web page holds but does not show: instructions to a machine may stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

#: Elements that show no text of the page, or only ways through the site.
UNSEEN = frozenset(
    "head script style template noscript iframe object embed applet svg canvas audio video map "
    "nav select datalist -comment".split()
)
#: Declarations that make an element and all in it invisible.
_HIDING = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|font-size\s*:\s*0*\.?0+(?:px|pt|em|rem|%|ex|mm|cm|in|vw|vh)?\s*(?:!\s*important\s*)?(?=[;}]|$)"
    r"|opacity\s*:\s*0*\.?0+%?\s*(?:!\s*important\s*)?(?=[;}]|$))",
    re.I,
)
_SHOWING = re.compile(
    r"(?:^|[;\s])(?:display|visibility)\s*:\s*(?!none|hidden|collapse)[a-z]", re.I
)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
#: Blocks of rules that hold on every screen.
_ALWAYS = re.compile(
    r"@(?:media\s+(?:all|screen|only\s+screen)|supports\b.*|layer\b.*)$", re.I | re.S
)
#: Conditions that do not hold before somebody does something, and parts that are no elements.
_PASSING = re.compile(
    r":(?::|before|after|hover|focus|active|target|checked|visited|first-l)", re.I
)
#: Selectors of whole pages: a script that shows them again stands in such a page.
_WHOLE = frozenset(("*", "html", "body", ":root"))
#: Most selectors that hide; a page that has more is a program.
_MOST_SELECTORS = 500


def is_hidden(node: LexborNode) -> bool:
    """True if the element, and all in it, is not shown."""
    tag = node.tag
    if tag is None or tag in UNSEEN:
        return True
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return True
    if tag == "input" and (attributes.get("type") or "").strip().lower() == "hidden":
        return True
    style = attributes.get("style")
    return bool(style and _HIDING.search(_CSS_COMMENT.sub("", style)))


def mark_hidden(tree: LexborHTMLParser) -> None:
    """Give each element that the page's own style sheets hide the attribute ``hidden``.

    Style sheets in other files are not fetched; a rule for paper or small screens does not count.
    """
    sheets = [node.text(deep=True) for node in tree.css("style")]
    for selector in _selectors("\n".join(sheets)):
        try:
            for node in tree.css(selector):
                node.attrs["hidden"] = ""
        except SelectolaxError:
            continue  # a browser, too, leaves out a rule that it does not understand


def _selectors(css: str) -> list[str]:
    """Selectors of what is hidden; one that a later rule shows again is left out."""
    hidden: dict[str, None] = {}
    for prelude, declarations in _rules(_CSS_COMMENT.sub("", css)):
        names = [" ".join(name.split()) for name in prelude.split(",")]
        if _HIDING.search(declarations):
            hidden |= dict.fromkeys(
                name for name in names if name.lower() not in _WHOLE and not _PASSING.search(name)
            )
        elif _SHOWING.search(declarations):
            for name in names:
                hidden.pop(name, None)
    return [name for name in hidden if name][:_MOST_SELECTORS]


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of the rules that hold on every screen, in order."""
    outer: list[str] = []
    start = 0
    for brace in re.finditer(r"[{}]", css):
        text = css[start : brace.start()]
        start = brace.end()
        if brace[0] == "{":
            outer.append(text.rpartition(";")[2].strip())
        elif outer:
            prelude = outer.pop()
            if not prelude.startswith("@") and all(_ALWAYS.match(above) for above in outer):
                yield prelude, text
