"""Sources as Open WebUI shows them: events between the chunks of a stream.

Its interface counts sources by their distinct ``metadata[].source`` in order of arrival, and reads
``[n]`` in the text as the n-th of them: one event for each number, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from docrag.api import Citation
from docrag.web.openai.annotations import TITLE, Links

#: Longest excerpt of a source, characters; a line of a stream must stay far under 64 KiB.
EXCERPT: Final = 4_000
#: Start of the headers that Open WebUI forwards, in lower case.
PREFIX: Final = "x-openwebui-"
#: How many passages were found.
FOUND: Final = {
    "tr": ("1 pasaj bulundu", "{} pasaj bulundu"),
    "en": ("1 passage found", "{} passages found"),
}


def is_open_webui(names: Iterable[str]) -> bool:
    """True if a request comes from Open WebUI, by the names of the headers that only it sends."""
    return any(name.lower().startswith(PREFIX) for name in names)


def source_events(
    context: Sequence[Citation], links: Links, *, language: str
) -> list[dict[str, Any]]:
    """A status and one source for each citation, in order of number; none for no citations."""
    if not context:
        return []
    one, many = FOUND[language]
    text = one if len(context) == 1 else many.format(len(context))
    status = {"type": "status", "data": {"description": text, "done": True}}
    return [status, *({"type": "source", "data": data} for data in sources(context, links))]


def sources(context: Sequence[Citation], links: Links) -> list[dict[str, Any]]:
    """Every citation as Open WebUI's source object, in order of number."""
    ordered = sorted(context, key=lambda citation: citation.number)
    return [_source(citation, links) for citation in ordered]


def _source(citation: Citation, links: Links) -> dict[str, Any]:
    label, url = citation.label[:TITLE], links.source(citation)
    # The fragment keeps two numbers apart that begin on one page.
    key = f"{url}#{citation.number}"
    return {
        "source": {"id": key, "name": label, "url": url},
        "document": [citation.text[:EXCERPT]],
        "metadata": [{"source": key, "name": label, "url": url}],
    }
