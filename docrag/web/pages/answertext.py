"""The text of an answer in pieces that a page can show: markers are links, doubts are marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from docrag.answer.checking import SIGN
from docrag.answer.markers import spans
from docrag.api import Answer, CheckedSentence, words
from docrag.api import spans as sentences
from docrag.web.openai.annotations import SNIPPET

#: Signs of Markdown and of the checking, which a checked sentence has lost.
_SIGNS: Final = frozenset(f"*_`|#>{SIGN}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of an answer that is shown in one way."""

    text: str
    #: Number of the source that it is the marker of; ``None`` for words.
    number: int | None = None
    #: It belongs to a sentence that no source supports.
    is_doubtful: bool = False


def pieces(answer: Answer) -> list[Piece]:
    """The whole text in order; markers that name none of the answer's citations are words."""
    text, known = answer.text, {citation.number for citation in answer.citations}
    markers = {start: (end, n) for n, start, end in spans(text) if n in known}
    doubts = list(_doubts(text, answer.unsupported))
    ends = {0, len(text)}
    ends |= {place for start, (end, _) in markers.items() for place in (start, end)}
    ends |= {place for span in doubts for place in span}
    places = sorted(ends)
    return [
        Piece(
            text=text[start:end],
            number=markers[start][1] if start in markers else None,
            is_doubtful=any(first <= start < last for first, last in doubts),
        )
        for start, end in zip(places, places[1:], strict=False)
    ]


def excerpt(source: str, said: str) -> str:
    """At most :data:`SNIPPET` characters of a source in one paragraph, from its best sentence on.

    :param said: the text, such as an answer, with which that sentence has the most words in common.
    """
    line = " ".join(source.split())
    if len(line) <= SNIPPET:
        return line
    wanted = set(words(said))
    starts = [(len(wanted & set(words(line[a:b]))), -a) for a, b in sentences(line)]
    start = -max(starts, default=(0, 0))[1]
    # A sentence at the end leaves room for some that stand before it.
    start = start if len(line) - start >= SNIPPET // 2 else len(line) - SNIPPET
    end = start + SNIPPET
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"


def _doubts(text: str, sentences: Iterable[CheckedSentence]) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, in order; one that is not found has none.

    Blanks, markers and signs of Markdown are not compared: the checked sentences lack some.
    """
    kept = [place for place in range(len(text)) if _counts(text[place])]
    for _, start, end in spans(text):
        kept = [place for place in kept if not start <= place < end]
    squeezed = "".join(text[place] for place in kept)
    done = 0
    for sentence in sentences:
        wanted = "".join(filter(_counts, sentence.text))
        found = squeezed.find(wanted, done) if wanted else -1
        if found >= 0:
            done = found + len(wanted)
            yield kept[found], kept[done - 1] + 1


def _counts(letter: str) -> bool:
    return not letter.isspace() and letter not in _SIGNS
