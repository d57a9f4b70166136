"""Citations as clients read them: annotations, search results and sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import quote

from docrag.answer.markers import spans
from docrag.api import Abstention, Answer, CheckedSentence, Citation

#: Longest excerpt of a search result, characters.
SNIPPET: Final = 300
#: Longest title or section on the wire, characters; file names may be longer.
TITLE: Final = 120
#: Most bytes of one list, so that no SSE line reaches 64 KiB (old aiohttp clients break above).
LIST_BYTES: Final = 24 * 1024
#: Most bytes of what was checked, which stands in one line with the cited sources.
SENTENCE_BYTES: Final = 16 * 1024
#: Most words of a question or sentence that are said to be missing.
MOST_WORDS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Absolute addresses of sources, at docrag's own pages, which ask who reads."""

    #: Address of the server as people reach it, without a slash at the end.
    root: str

    def source(self, citation: Citation) -> str:
        """Address of the cited page, or of the section where there are no pages."""
        document = f"{self.root}/documents/{citation.document_id}"
        page = citation.page_first
        if page is not None:
            return f"{document}?page={page}"
        section = quote(citation.section, safe="", errors="replace")
        return f"{document}?section={section}" if section else document


def search_results(context: Sequence[Citation], links: Links) -> list[dict[str, Any]]:
    """Every offered source in order of its number, with an excerpt."""
    return _bounded(
        {
            "title": citation.label[:TITLE],
            "url": links.source(citation),
            "snippet": " ".join(citation.text.split())[:SNIPPET],
        }
        for citation in sorted(context, key=lambda citation: citation.number)
    )


def url_citations(text: str, context: Sequence[Citation], links: Links) -> list[dict[str, Any]]:
    """One ``url_citation`` for each marker ``[n]`` of a text, in order of the text.

    ``start_index`` and ``end_index`` (exclusive) are in characters (Unicode code points) and
    span the marker. Markers that name no source get none.
    """
    known: Mapping[int, Citation] = {citation.number: citation for citation in context}
    return _bounded(
        {
            "type": "url_citation",
            "url_citation": {
                "url": links.source(known[number]),
                "title": known[number].label[:TITLE],
                "start_index": start,
                "end_index": end,
            },
        }
        for number, start, end in spans(text)
        if number in known
    )


def verdict(answer: Answer) -> dict[str, Any]:
    """Our own summary of an answer: whether it was answered, why not, and the cited sources.

    An answer that cites none of the sources it had has the reason ``uncited``. With an answer come
    its confidence and what was checked of each sentence, with an abstention what was found, which
    words are missing and the sources that come nearest.
    """
    abstention = answer.abstention
    reason = "uncited" if answer.is_uncited else None
    return {
        "answered": abstention is None,
        "reason": abstention.reason if abstention else reason,
        "sources": _bounded(_source(c) for c in (() if abstention else answer.citations)),
        **(_declined(abstention) if abstention else _checked(answer)),
        **({"flags": list(answer.flags)} if answer.flags else {}),
    }


def _declined(abstention: Abstention) -> dict[str, Any]:
    return {
        "evidence": round(abstention.evidence, 4),
        "coverage": round(abstention.coverage, 4),
        "missing": [word[:TITLE] for word in abstention.missing[:MOST_WORDS]],
        "nearest": [_source(citation) for citation in abstention.nearest],
    }


def _checked(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if answer.confidence:
        found["confidence"] = {
            part: {"value": grade["value"], "reason": grade["reason"]}
            for part, grade in asdict(answer.confidence).items()
        }
    if answer.sentences:
        found["sentences"] = _bounded(map(_sentence, answer.sentences), most=SENTENCE_BYTES)
    return found


def _sentence(sentence: CheckedSentence) -> dict[str, Any]:
    return {
        "text": sentence.text[:SNIPPET],
        "citations": list(sentence.citations),
        "supported": sentence.is_supported,
        "score": round(sentence.score, 4),
        "reasons": list(sentence.reasons),
        "missing": [value[:TITLE] for value in sentence.missing[:MOST_WORDS]],
    }


def _source(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "document_id": citation.document_id,
        "title": citation.title[:TITLE],
        "filename": citation.filename[:TITLE],
        "page_first": citation.page_first,
        "page_last": citation.page_last,
        "section": citation.section[:TITLE],
    }


def _bounded(entries: Iterable[dict[str, Any]], most: int = LIST_BYTES) -> list[dict[str, Any]]:
    """As many entries, in order, as stay within so many bytes."""
    kept: list[dict[str, Any]] = []
    size = 0
    for entry in entries:
        size += len(json.dumps(entry, ensure_ascii=False).encode()) + 2
        if size > most:
            break
        kept.append(entry)
    return kept
