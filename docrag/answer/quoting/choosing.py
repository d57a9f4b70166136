"""Which of the scored sentences make a quoted answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.subject import uncovered
from docrag.api import f5

#: Most sentences that are chosen, and characters of them; what explains them comes on top.
MOST: Final = 5
ROOM: Final = 900
#: Share of all probability from which on nothing more is needed: short answers where it is sure.
#: On TQuAD .8 holds 92.5 % of the answers in 390 characters, .9 94.3 % in 490, .95 94.8 % in 560.
ENOUGH: Final = 0.9
#: Beside one with at least the first probability, those with less than the second part of it are
#: noise: on TQuAD .2 % fewer answers in 80 characters less.
NOISE: Final = ((0.8, 0.3), (0.5, 0.05))
#: The same beside a row or clause that the question means.
MEANT_NOISE: Final = 0.75
#: Probability below which a sentence is noise beside any other.
LEAST: Final = 0.005
#: Share of the question's words that make such a sentence worth quoting.
WORTH: Final = 0.25
#: Share of the words of a sentence that another one has, from which on it repeats it.
REPEATED: Final = 0.8
#: Most probable sentences that are looked at; those behind have hardly any.
_LOOKED_AT: Final = 15
#: Words of a heading that may be a sentence without its stop.
_LONG_HEADING: Final = 8


def chosen(wanted: Sequence[str], scored: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences to be quoted, best first; none where there are only headings.

    The most probable are taken until they have most of the probability. A question of two parts
    goes on until both are spoken of. What repeats a chosen one, or has no room, is left out.

    :param wanted: content words of the question, folded.
    """
    bodies = _bodies(scored)
    enough = ENOUGH * sum(one.probability for one in bodies)
    found: list[ScoredSentence] = []
    missing = tuple(wanted)
    ranked = sorted(bodies, key=_rank)[:_LOOKED_AT]
    least = _least(ranked[0]) if ranked else 0.0
    for one in ranked:
        if len(found) >= MOST:
            break
        left = uncovered(missing, f"{one.text} {one.piece.section}")
        adds = len(missing) - len(left) >= WORTH * len(wanted) > 0
        has_most = sum(other.probability for other in found) >= enough
        is_needed = adds or (one.probability >= least and not has_most)
        if not found or (is_needed and _fits(one, found)):
            found.append(one)
            missing = left
    return found


def repeats(text: str, others: Iterable[str]) -> bool:
    """True if nearly all words of a text stand in one of the others, or the other way round."""
    own = set(f5(text))
    for other in others:
        theirs = set(f5(other))
        if len(own & theirs) >= REPEATED * max(min(len(own), len(theirs)), 1):
            return True
    return False


def _bodies(scored: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What can be an answer; long headings, such as text in capitals, if there is nothing else."""
    bodies = [one for one in scored if one.piece.is_body]
    return bodies or [
        one
        for one in scored
        if one.piece.kind == "heading" and len(one.text.split()) >= _LONG_HEADING
    ]


def _rank(one: ScoredSentence) -> tuple[bool, float]:
    """What the question likely means first, then the most probable."""
    is_answer = bool(one.is_meant) and one.probability >= NOISE[-1][0]
    return not is_answer, -one.probability


def _least(best: ScoredSentence) -> float:
    """Probability below which others are noise beside the best."""
    parts = (part for sure, part in NOISE if best.probability >= sure)
    part = next(parts, 0.0)
    if part and best.is_meant:
        part = max(part, MEANT_NOISE)
    return max(best.probability * part, LEAST)


def _fits(one: ScoredSentence, found: Sequence[ScoredSentence]) -> bool:
    used = sum(len(other.text) for other in found)
    return used + len(one.text) <= ROOM and not repeats(one.text, (other.text for other in found))
