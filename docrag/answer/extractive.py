"""Answers without a model: the sentences that cover the question best, quoted with their marker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from docrag.answer.evidence import content_words, uncovered
from docrag.answer.headings import is_heading
from docrag.answer.markers import neutral
from docrag.api import Citation, Delta, Usage, spans
from docrag.joining import runs

#: Model id of quoted answers in responses and in the audit.
MODEL_ID = "extractive"
#: Most sentences of a quoted answer.
MOST_SENTENCES = 3
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
    #: True if no found chunk holds any of it.
    is_neighbour: bool
    is_heading: bool


def quote(question: str, context: Sequence[Citation]) -> Iterator[Delta]:
    """The best sentences, best source first, each followed by its marker.

    A sentence that introduces a list is quoted with its items.
    Sentences are chosen greedily by how many content words of the question they add (maximal
    coverage; Nemhauser et al., 1978) with a small bonus for highly ranked sources. A sentence that
    only neighbours hold is taken for a word that no found chunk has.

    :param context: numbered sources, best first, at least one.
    :returns: one delta a sentence, then a last one with ``finish_reason``.
    """
    chosen = _choose(set(content_words(question)), _bodies(_candidates(question, context)))
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
        yield Delta(text=f"{separator}{quoted} [{sentence.citation}]")
    yield Delta(finish_reason="stop", usage=Usage())


def _candidates(question: str, context: Sequence[Citation]) -> list[_Sentence]:
    wanted = content_words(question)
    found: list[_Sentence] = []
    for rank, citation in enumerate(context):
        texts = _sentences(citation)
        for position, (text, is_neighbour) in enumerate(texts.items()):
            covered = frozenset(wanted) - set(uncovered(wanted, text))
            bonus = RANK_BONUS * (1 - rank / len(context))
            found.append(
                _Sentence(
                    citation=citation.number,
                    position=position,
                    text=text,
                    covered=covered,
                    bonus=bonus,
                    is_neighbour=is_neighbour,
                    is_heading=is_heading(text, citation),
                )
            )
    return found


def _bodies(candidates: list[_Sentence]) -> list[_Sentence]:
    """The candidates without headings, unless only those speak of what is asked."""
    bodies = [candidate for candidate in candidates if not candidate.is_heading]
    return bodies if any(candidate.covered for candidate in bodies) else candidates


def _sentences(citation: Citation) -> dict[str, bool]:
    """Sentences in reading order, and whether only neighbours hold them.

    Chunks that stand beside each other are read as one text, so that a sentence over their border
    is whole.
    """
    found: dict[str, bool] = {}
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
            found[text] = found.get(text, True) and is_neighbour
    return found


def _choose(wanted: set[str], candidates: list[_Sentence]) -> list[_Sentence]:
    """Greedy choice; the first is always taken, further ones only if they add a word."""
    chosen: list[_Sentence] = []
    missing = set(wanted)
    for pool in (False, True):
        left = [candidate for candidate in candidates if candidate.is_neighbour is pool]
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
