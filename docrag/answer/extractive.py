"""Answers without a model: the sentences that cover the question best, quoted with their marker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from docrag.answer.evidence import content_words, uncovered, words_beside
from docrag.answer.headings import is_heading
from docrag.answer.markers import neutral
from docrag.answer.naming import of_article
from docrag.answer.passages import REPEALED
from docrag.api import Citation, Delta, Naming, Usage, named_articles, spans
from docrag.joining import runs

#: Model id of quoted answers in responses and in the audit.
MODEL_ID = "extractive"
#: Most sentences of a quoted answer.
MOST_SENTENCES = 3
#: Most sentences of an article that is asked for, of all documents together.
MOST_BEGINNING = 6
#: Longest quoted sentence, characters; a longer one (a table, a list) is cut at a blank.
LONGEST = 600
#: Most items of a list that are quoted with the sentence before them.
MOST_ITEMS = 10
#: Beginnings of a list's items; those of one list have one form.
_ITEMS = tuple(
    re.compile(rf"{form}\s")
    for form in (r"[a-zçğıöşü]\)", r"\d{1,2}[.)]", r"\(\d{1,2}\)", "[•*–-]")
)
#: What a sentence of the source with number 1 gains over the last one, in content words.
RANK_BONUS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    citation: int
    position: int
    text: str
    covered: frozenset[str]
    bonus: float
    origin: _Origin
    is_heading: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Origin:
    """Where a sentence of a source stands."""

    #: True if no found chunk holds any of it.
    is_neighbour: bool
    #: True if it begins in an article that is no longer in force.
    is_repealed: bool


def quote(question: str, context: Sequence[Citation], *, language: str = "tr") -> Iterator[Delta]:
    """The best sentences, best source first, each followed by its marker.

    A sentence that introduces a list is quoted with its items; one of an article that is no longer
    in force says so.
    Sentences are chosen greedily by how many content words of the question they add (maximal
    coverage; Nemhauser et al., 1978) with a small bonus for highly ranked sources. A sentence that
    only neighbours hold is taken for a word that no found chunk has. Who only asks what an article
    says gets its beginning, or that of the paragraph.

    :param context: numbered sources, best first, at least one.
    :param language: ``tr`` or ``en``, of what is said besides.
    :returns: one delta a sentence, then a last one with ``finish_reason``.
    """
    naming = named_articles(question)
    article = of_article(naming, context) if naming else ()
    wanted = words_beside(naming) if naming and article else content_words(question)
    if naming and article and not wanted:
        chosen, context = _beginnings(naming, article), article
    else:
        chosen = _choose(set(wanted), _bodies(_candidates(wanted, context)))
    texts = {citation.number: list(_sentences(citation)) for citation in context}
    lists = {(s.citation, s.position): _items(s, texts[s.citation]) for s in chosen}
    listed = {
        (number, position + n)
        for (number, position), items in lists.items()
        for n in range(1, len(items) + 1)
    }
    left = [s for s in chosen if (s.citation, s.position) not in listed]
    for index, sentence in enumerate(left):
        separator = "\n\n" if index else ""
        items = lists[sentence.citation, sentence.position]
        quoted = "\n".join(neutral(_shorten(text)) for text in (sentence.text, *items))
        gone = f" ({REPEALED[language]})" if sentence.origin.is_repealed else ""
        yield Delta(text=f"{separator}{quoted}{gone} [{sentence.citation}]")
    yield Delta(finish_reason="stop", usage=Usage())


def _beginnings(naming: Naming, context: Sequence[Citation]) -> list[_Sentence]:
    """The first sentences of a named article in each document that has one.

    They begin with the named paragraph, or with the line of the article's number.
    """
    firsts = list({citation.document_id: citation for citation in reversed(context)}.values())
    most = max(MOST_BEGINNING // len(firsts), 1)
    named = naming.articles[0]
    number = re.escape(named.number.partition("/")[0])
    start = rf"\({named.paragraph_first}\)" if named.paragraph_first else rf"madde\s*{number}\b"
    found: list[_Sentence] = []
    for citation in reversed(firsts):
        sentences = _candidates((), [citation])
        place = next((n for n, s in enumerate(sentences) if re.search(start, s.text, re.I)), 0)
        found += sentences[place : place + most]
    return found


def _candidates(wanted: Sequence[str], context: Sequence[Citation]) -> list[_Sentence]:
    found: list[_Sentence] = []
    for rank, citation in enumerate(context):
        texts = _sentences(citation)
        for position, (text, origin) in enumerate(texts.items()):
            covered = frozenset(wanted) - set(uncovered(wanted, text))
            bonus = RANK_BONUS * (1 - rank / len(context))
            found.append(
                _Sentence(
                    citation=citation.number,
                    position=position,
                    text=text,
                    covered=covered,
                    bonus=bonus,
                    origin=origin,
                    is_heading=is_heading(text, citation),
                )
            )
    return found


def _bodies(candidates: list[_Sentence]) -> list[_Sentence]:
    """The candidates without headings, unless only those speak of what is asked."""
    bodies = [candidate for candidate in candidates if not candidate.is_heading]
    return bodies if any(candidate.covered for candidate in bodies) else candidates


def _sentences(citation: Citation) -> dict[str, _Origin]:
    """Sentences in reading order, and where they stand.

    Chunks that stand beside each other are read as one text, so that a sentence over their border
    is whole.
    """
    found: dict[str, _Origin] = {}
    chunks = iter(citation.chunks)
    for run in runs((chunk.ordinal, chunk.text) for chunk in citation.chunks):
        pieces = [(start, next(chunks)) for start in run.starts]
        searched = [
            (start, start + len(chunk.text))
            for start, chunk in pieces
            if chunk.chunk_id not in citation.neighbours
        ]
        for start, end in spans(run.text):
            is_neighbour = not any(start < last and first < end for first, last in searched)
            text = run.text[start:end]
            first = next(chunk for place, chunk in reversed(pieces) if place <= start)
            is_repealed = bool(first.article and first.article.status)
            before = found.get(text, _Origin(is_neighbour=True, is_repealed=False))
            found[text] = _Origin(
                is_neighbour=before.is_neighbour and is_neighbour,
                is_repealed=before.is_repealed or is_repealed,
            )
    return found


def _choose(wanted: set[str], candidates: list[_Sentence]) -> list[_Sentence]:
    """Greedy choice; the first is always taken, further ones only if they add a word."""
    chosen: list[_Sentence] = []
    missing = set(wanted)
    for pool in (False, True):
        left = [candidate for candidate in candidates if candidate.origin.is_neighbour is pool]
        while left and len(chosen) < MOST_SENTENCES:
            best = max(left, key=lambda s: (len(s.covered & missing) + s.bonus, -s.position))
            if chosen and not best.covered & missing:
                break
            chosen.append(best)
            missing -= best.covered
            left = [candidate for candidate in left if candidate is not best]
    return sorted(chosen, key=lambda s: (s.citation, s.position))


def _items(sentence: _Sentence, texts: Sequence[str]) -> list[str]:
    """The items of the list that a sentence introduces, which say what it promises.

    :param texts: all sentences of its source, in reading order.
    """
    if not sentence.text.rstrip().endswith(":"):
        return []
    behind = texts[sentence.position + 1 :][:MOST_ITEMS]
    form = next((form for form in _ITEMS if behind and form.match(behind[0])), None)
    return list(takewhile(form.match, behind)) if form else []


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= LONGEST:
        return flat
    return flat[:LONGEST].rsplit(" ", 1)[0] + " …"
