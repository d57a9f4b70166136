"""Which of the scored sentences make a quoted answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docrag.answer.quoting.answer_kinds import is_number
from docrag.answer.quoting.items import form
from docrag.answer.quoting.pointing import needs_before
from docrag.answer.quoting.relevance import ScoredSentence
from docrag.answer.quoting.shortening import LONGEST
from docrag.answer.quoting.verbs import Deed
from docrag.answer.quoting.worth import Worth
from docrag.api import f5, fold, words

#: Most sentences that are chosen, and characters of them; what explains them comes on top.
MOST: Final = 5
ROOM: Final = 900
#: Beside a row or clause that the question means, those with less than this part of its probability
#: are noise.
MEANT_NOISE: Final = 0.75
#: Probability below which a sentence is noise beside any other.
LEAST: Final = 0.005
#: Share of the words of a sentence that another one has, from which on it repeats it.
REPEATED: Final = 0.8
#: Most probable sentences that are looked at; those behind have hardly any.
_LOOKED_AT: Final = 15
#: Most sentences that are chosen because they allow or deny what is asked.
_RULINGS: Final = 2
#: Probability from which on the row or clause that is meant is the answer.
SURE: Final = 0.5
_NO_DEED: Final = Deed()
#: Words of a heading that may be a sentence without its stop.
_LONG_HEADING: Final = 8


def chosen(
    wanted: Sequence[str], scored: Sequence[ScoredSentence], deed: Deed = _NO_DEED
) -> list[ScoredSentence]:
    """The sentences to be quoted, best first; none where there are only headings.

    The most likely is taken, and those that are worth it beside that. What repeats a chosen one, or
    has no room, is left out. What allows or denies the very thing that is asked comes always, first
    if all the question speaks of is in it, and so does what
    says all that the question does.

    :param wanted: content words of the question, folded.
    :param deed: what its verb asks of.
    """
    worth = Worth(wanted=wanted, deed=deed)
    bodies = _of_the_asked(_bodies(scored))
    likely = sorted(bodies, key=_rank)[:_LOOKED_AT]
    ranked = sorted(likely, key=lambda one: (not _is_answer(one), -worth.first(one)))
    ruling = _ruling(bodies)
    found: list[ScoredSentence] = []
    missing = tuple(wanted)
    for one in _with_rulings(ranked, ruling):
        if len(found) >= MOST:
            break
        is_due = one in (*ruling, ranked[0]) or worth.is_whole(one)
        is_worth = one.probability >= _least(ranked[0])
        if not found or (
            (is_due or (is_worth and worth.is_enough(one, ranked[0], missing)))
            and _fits(one, found)
        ):
            found.append(one)
            missing = worth.left(missing, one)
    return found


def repeats(text: str, others: Iterable[str]) -> bool:
    """True if nearly all words of a text stand in one of the others, or the other way round.

    One that has a number which the other lacks says something else ("yüzde elli", "yüzde yirmi").
    """
    own, figures = set(f5(text)), _figures(text)
    for other in others:
        theirs = set(f5(other))
        if not figures <= _figures(other):
            continue
        if len(own & theirs) >= REPEATED * max(min(len(own), len(theirs)), 1):
            return True
    return False


def _figures(text: str) -> set[str]:
    """Numbers of a text, in figures and in words, without that of an item or paragraph."""
    own = form(text)
    begins = own.match(text) if own else None
    told = text[begins.end() :] if begins else text
    return {word for word in map(fold, words(told)) if is_number(word)}


def _bodies(scored: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What can be an answer; long headings, such as text in capitals, if there is nothing else."""
    bodies = [one for one in scored if one.piece.is_body]
    return bodies or [
        one
        for one in scored
        if one.piece.kind == "heading" and len(one.text.split()) >= _LONG_HEADING
    ]


def _of_the_asked(bodies: Sequence[ScoredSentence]) -> Sequence[ScoredSentence]:
    """The sentences without those that allow or deny it to somebody else, unless all are noise.

    Nor those right behind such a one that point back to it.
    """
    others = {(one.citation, one.position) for one in bodies if one.rules < 0}
    own = [
        one
        for one in bodies
        if one.rules >= 0
        and not (needs_before(one.text) and (one.citation, one.position - 1) in others)
    ]
    return own if any(one.probability >= LEAST for one in own) else bodies


def _ruling(bodies: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What allows or denies the very thing that is asked, with most of the question's words."""
    found = [one for one in bodies if one.rules > 0]
    return sorted(found, key=lambda one: (-one.rules, -one.probability))[:_RULINGS]


def _with_rulings(
    ranked: Sequence[ScoredSentence], ruling: Sequence[ScoredSentence]
) -> list[ScoredSentence]:
    """The ranked with those rulings before all if they hold every word, else behind the first."""
    whole = [one for one in ruling if one.rules == 1]
    others = [one for one in ranked if one not in ruling]
    first = [*whole, *others[: not whole], *(one for one in ruling if one.rules < 1)]
    return [*first, *(one for one in others if one not in first)]


def _rank(one: ScoredSentence) -> tuple[bool, float]:
    """What the question likely means first, then the most probable."""
    return not _is_answer(one), -one.probability


def _is_answer(one: ScoredSentence) -> bool:
    return bool(one.is_meant) and one.probability >= SURE


def _least(best: ScoredSentence) -> float:
    """Probability below which others are noise beside the best."""
    part = MEANT_NOISE if best.is_meant and best.probability >= SURE else 0.0
    return max(best.probability * part, LEAST)


def _fits(one: ScoredSentence, found: Sequence[ScoredSentence]) -> bool:
    used = sum(min(len(other.text), LONGEST) for other in (one, *found))
    return used <= ROOM and not repeats(one.text, (other.text for other in found))
