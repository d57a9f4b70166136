"""The list of sources that a text-only client sees below an answer, and that comes back to us."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from docrag.api import Citation

#: What stands above the list, by language.
_TITLES: Final = {"tr": "Kaynaklar:", "en": "Sources:"}
#: What stands above the sources that come nearest where nothing is answered.
_NEAREST: Final = {"tr": "En yakın bölümler:", "en": "Closest passages:"}
#: A footer in any of the languages, as clients send it back: they may have
#: trimmed it, changed the line ends, or put blanks behind the lines.
_FOOTER: Final = re.compile(
    r"^---[ \t]*\r?\n(?:Kaynaklar|Sources):[ \t]*(?:\r?\n- \[\d+\] [^\r\n]*)+"
    r"|^(?:En yakın bölümler|Closest passages):[ \t]*(?:\r?\n- [^\r\n]*)+",
    re.MULTILINE,
)
#: Signs that would end a Markdown link's label.
_ESCAPED: Final = re.compile(r"([\\\[\]])")


def footer(citations: Sequence[Citation], link: Callable[[Citation], str], language: str) -> str:
    """The sources as a Markdown list with a rule above it, to stand behind the text.

    :param citations: in the order in which they are listed; none give an empty footer.
    :param link: the address of a source; empty lists its label without a link.
    :param language: ``tr`` or ``en``.
    """
    if not citations:
        return ""
    lines = [_line(citation, link(citation)) for citation in citations]
    return "\n".join(["\n\n---", _TITLES[language], *lines])


def nearest(citations: Sequence[Citation], link: Callable[[Citation], str], language: str) -> str:
    """The sources that come nearest as a Markdown list, to stand behind the fallback sentence.

    They answer nothing, so they bear no numbers.

    :param citations: in the order in which they are listed; none give nothing.
    """
    if not citations:
        return ""
    lines = [f"- {_label(citation, link(citation))}" for citation in citations]
    return "\n".join([f"\n\n{_NEAREST[language]}", *lines])


def without_footer(text: str) -> str:
    """The text without the footers at its end, a model's own among them; any other as it is."""
    end = len(text)
    for start, stop in reversed([found.span() for found in _FOOTER.finditer(text)]):
        if text[stop:end].strip():
            break
        end = start
    return text if end == len(text) else text[:end].rstrip()


def _line(citation: Citation, address: str) -> str:
    return f"- [{citation.number}] {_label(citation, address)}"


def _label(citation: Citation, address: str) -> str:
    label = _ESCAPED.sub(r"\\\1", " ".join(citation.label.split()))
    return f"[{label}]({address})" if address else label
