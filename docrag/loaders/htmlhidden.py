"""What a web page holds but does not show: instructions to a machine may stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

#: Elements that show no text of the page, or only ways through the site.
UNSEEN = frozenset(
    "head script style template noscript iframe object embed applet svg canvas audio video map "
    "nav datalist -comment".split()
)
#: Declarations that make an element and all in it invisible.
_HIDING = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|font-size\s*:\s*0*\.?0+(?:px|pt|em|rem|%|ex|mm|cm|in|vw|vh)?\s*(?:!\s*important\s*)?(?=[;}]|$)"
    r"|opacity\s*:\s*0*\.?0+%?\s*(?:!\s*important\s*)?(?=[;}]|$))",
    re.I,
)
#: A property that can hide, its value, and whether it is stronger than all that are not.
_DECLARATION = re.compile(
    r"(?:^|[;\s])(display|visibility|font-size|opacity)\s*:\s*([^;!]*)(!\s*important)?", re.I
)
#: Value of the attribute ``hidden`` that stands for a rule of a style sheet.
_BY_SHEET = "sheet"
#: Parts of a selector that count most, less and least (CSS Selectors 4, 17), simplified.
_SPECIFIC = (
    re.compile(r"#[\w-]+"),
    re.compile(r"\.[\w-]+|\[[^\]]*\]|:(?!not|is|has|where)[\w-]+"),
    re.compile(r"(?:^|[\s>+~(])[a-z][\w-]*", re.I),
)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
#: Blocks of rules that hold on every screen.
_ALWAYS = re.compile(
    r"@(?:media\s+(?:all|screen|only\s+screen)|supports\b.*|layer\b.*)$", re.I | re.S
)
#: Blocks of rules that hold where the window has a usual width.
_WIDE = re.compile(
    r"@media\s+(?:(?:all|screen|only\s+screen)\s+and\s+)?"
    r"\(\s*min-width\s*:\s*(?:\d{1,3}|1[01]\d\d|1200)(?:\.\d+)?px\s*\)$",
    re.I,
)
#: Conditions that do not hold before somebody does something, and parts that are no elements.
_PASSING = re.compile(
    r":(?::|before|after|hover|focus|active|target|checked|visited|first-l)", re.I
)
#: Selectors of whole pages: a script that shows them again stands in such a page.
_WHOLE = frozenset(("*", "html", "body", ":root"))
#: Most rules that hide, and most that show again; a page that has more is a program.
_MOST_RULES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One selector and what it does to one property."""

    selector: str
    #: ``display``, ``visibility``, ``font-size`` or ``opacity``.
    name: str
    hides: bool
    important: bool

    def weight(self) -> tuple[int, ...]:
        """Order in which rules hold; the later of two equal ones holds."""
        return (self.important, *(len(part.findall(self.selector)) for part in _SPECIFIC))


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


def left_out(node: LexborNode) -> int:
    """Letters that a hidden element would show but for its style; 0 for scripts and the like.

    The words in a drawing (``svg``) are counted, too.
    """
    if node.tag == "svg":
        return sum(len("".join(one.text(deep=True).split())) for one in node.css("text"))
    if node.tag is None or node.tag in UNSEEN:
        return 0
    programs = node.css("script, style, template")
    text, inside = node.text(deep=True), "".join(one.text(deep=True) for one in programs)
    return max(0, len("".join(text.split())) - len("".join(inside.split())))


def mark_hidden(tree: LexborHTMLParser) -> None:
    """Give each element that the page's own style sheets hide the attribute ``hidden``.

    A stronger or a later rule shows it again (CSS Cascading 4, 6.1). Style sheets in other files
    are not fetched; a rule for paper or small screens does not count.
    """
    sheets = [node.text(deep=True) for node in tree.css("style")]
    hidden: dict[int, tuple[LexborNode, set[str]]] = {}
    for rule in _cascade("\n".join(sheets)):
        try:
            nodes = tree.css(rule.selector)
        except SelectolaxError:
            continue  # a browser, too, leaves out a rule that it does not understand
        for node in nodes:
            if not rule.hides:
                hidden.get(node.mem_id, (node, set()))[1].discard(rule.name)
            elif rule.important or not _shows_itself(node, rule.name):
                hidden.setdefault(node.mem_id, (node, set()))[1].add(rule.name)
    for node, names in hidden.values():
        if names:
            node.attrs["hidden"] = _BY_SHEET


def _shows_itself(node: LexborNode, name: str) -> bool:
    """True for an element whose own style says that it is shown."""
    style = node.attributes.get("style") or ""
    return any(named == name and not hides for named, hides, _ in _declared(style))


def _cascade(css: str) -> list[_Rule]:
    """The rules that hide and those that show again, the strongest last."""
    hiding: list[_Rule] = []
    showing: list[_Rule] = []
    order: dict[_Rule, int] = {}
    places = count()
    for prelude, declarations, wide in _rules(_CSS_COMMENT.sub("", css)):
        selectors = [" ".join(one.split()) for one in prelude.split(",")]
        for name, hides, important in _declared(declarations):
            if hides and wide:
                continue  # what narrow windows show is text of the page, too
            for selector in selectors:
                if not selector or selector.lower() in _WHOLE or _PASSING.search(selector):
                    continue
                rule = _Rule(selector=selector, name=name, hides=hides, important=important)
                (hiding if hides else showing).append(rule)
                order[rule] = next(places)
    names = {rule.name for rule in hiding}
    found = dict.fromkeys(
        hiding[:_MOST_RULES] + [rule for rule in showing if rule.name in names][:_MOST_RULES]
    )
    return sorted(found, key=lambda rule: (rule.weight(), order[rule]))


def _declared(declarations: str) -> Iterator[tuple[str, bool, bool]]:
    """Name of each property that can hide, whether it does, and whether it is important."""
    for found in _DECLARATION.finditer(_CSS_COMMENT.sub("", declarations)):
        name = found[1].lower()
        yield name, bool(_HIDING.search(f"{name}:{found[2].strip()}")), bool(found[3])


def _rules(css: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of the rules that hold, in order; true if on wide screens only."""
    outer: list[str] = []
    start = 0
    for brace in re.finditer(r"[{}]", css):
        text = css[start : brace.start()]
        start = brace.end()
        if brace[0] == "{":
            outer.append(text.rpartition(";")[2].strip())
        elif outer:
            prelude = outer.pop()
            wide = [above for above in outer if not _ALWAYS.match(above)]
            if not prelude.startswith("@") and all(map(_WIDE.match, wide)):
                yield prelude, text, bool(wide)
