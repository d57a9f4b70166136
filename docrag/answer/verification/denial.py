"""Does a claim say the opposite of its evidence: denied for affirmed, most for least?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from docrag.answer.verification.binding import Slot, around, positions, worth
from docrag.answer.verification.bounds import LEAST, MOST, are_opposite, bound
from docrag.answer.verification.claim import Claim
from docrag.answer.verification.limits import shared
from docrag.answer.verification.polarity import (
    Denial,
    affirms,
    denials,
    denies,
    is_denying,
    is_finite,
    is_light,
    is_weak,
    poles,
)
from docrag.answer.verification.runs import runs
from docrag.answer.verification.source import Line
from docrag.answer.verification.tokens import Token
from docrag.answer.verification.units import is_amount

#: How many times as well a claim's words must stand around the verb of the opposite sense as
#: around that of its own, and by how much more.
RIVAL: Final = 1.1
MARGIN: Final = 0.1
#: As much, where the evidence has the opposite sense only.
ALONE: Final = 0.05
#: Letters from which a stem tells enough alone.
LONG: Final = 4
#: What counts of a participle or noun where the claim's verb ends a sentence.
PARTICIPLE: Final = 0.7
#: Letters by which the words before a light verb are compared.
BEFORE: Final = 4
#: Fewest words that a clause shares with a claim that says the opposite.
FEWEST: Final = 2
#: Endings of a verb as a noun, which a word behind it may deny ("vazgeçmek mümkün değildir").
_NOUNS: Final = ("mek", "mak", "mesi", "masi", "meye", "maya", "me", "ma")


def contradicts(claim: Claim, lines: Sequence[Line]) -> bool:
    """True if a claim denies what its evidence affirms, or the other way about.

    :param lines: the evidence.
    """
    denied = list(denials(claim.tokens))
    there = [list(denials(line.tokens)) for line in lines]
    limits = shared(claim, lines)
    denied = [verb for verb in denied if (-1, verb.place) not in limits]
    there = [
        [verb for verb in others if (at, verb.place) not in limits]
        for at, others in enumerate(there)
    ]
    return (
        _denies_affirmed(claim, denied, lines, there)
        or _affirms_denied(claim, denied, lines, there)
        or _is_finally_denied(claim, denied, lines, there)
        or _is_forbidden(claim, denied, lines, there)
        or _bounds_differ(claim, lines)
        or _poles_differ(claim, lines)
    )


def _denies_affirmed(
    claim: Claim, denied: Sequence[Denial], lines: Sequence[Line],
    there: Sequence[Sequence[Denial]],
) -> bool:  # fmt: skip
    silent = _is_silent(lines, there, strong=False)
    weakly = _is_silent(lines, there, strong=True)
    for verb in denied:
        own = [
            Slot(at, other.place, other.place + 1, True)
            for at, others in enumerate(there)
            for other in others
            if denies(verb.stem, other.stem)
        ]
        rivals = [
            Slot(at, place, place + 1, False)
            for at, line in enumerate(lines)
            for place in _affirming(verb, line.tokens, there[at])
        ]
        if not own and (silent or (weakly and is_finite(claim.tokens[verb.place].folded))):
            return True
        if _is_rival(claim, verb, verb.place, [*own, *rivals], lines):
            return True
    return False


def _is_finally_denied(
    claim: Claim, denied: Sequence[Denial], lines: Sequence[Line],
    there: Sequence[Sequence[Denial]],
) -> bool:  # fmt: skip
    """True if the evidence ends in a denied verb, and the claim denies and forbids nothing."""
    if len(lines) != 1 or denied or not lines[0].tokens or not there[0]:
        return False
    last = len(lines[0].tokens) - 1
    if there[0][-1].place < last - 1 or not is_finite(lines[0].tokens[there[0][-1].place].folded):
        return False
    if any(is_denying(token.folded) for token in claim.tokens):
        return False
    if _is_bounded(lines):
        return False
    return is_finite(claim.tokens[-1].folded)


def _is_bounded(lines: Sequence[Line]) -> bool:
    """True if a number of these lines is the least or the most."""
    return any(
        bound(line.tokens, number) in (LEAST, MOST) for line in lines for number in line.numbers
    )


def _is_forbidden(
    claim: Claim, denied: Sequence[Denial], lines: Sequence[Line],
    there: Sequence[Sequence[Denial]],
) -> bool:  # fmt: skip
    """True if the clause that speaks of a claim's things ends in a denied verb, the claim in one
    that is not: "su kullanılabilir" where the evidence has "su sıkılmaz; … tüp kullanılır"."""
    if denied or not claim.tokens or not is_finite(claim.tokens[-1].folded):
        return False
    if len(runs(claim.text, claim.tokens)) > 1 or _is_bounded(lines):
        return False
    if any(is_denying(token.folded) for token in claim.tokens):
        return False
    things = {key for keys in claim.keys[:-1] for key in keys}
    most = {True: 0, False: 0}
    for line, verbs in zip(lines, there, strict=True):
        places = {verb.place for verb in verbs}
        for first, last in runs(line.text, line.tokens):
            held = {key for keys in line.keys[first : last - 1] for key in keys} & things
            most[last - 1 in places] = max(most[last - 1 in places], len(held))
    return most[True] >= FEWEST and most[True] > most[False]


def _is_silent(lines: Sequence[Line], there: Sequence[Sequence[Denial]], *, strong: bool) -> bool:
    """True if lines deny and forbid nothing.

    :param strong: True passes over participles, which deny nothing of their sentence.
    """
    for line, denied in zip(lines, there, strict=True):
        if any(is_denying(token.folded) for token in line.tokens):
            return False
        if any(not (strong and is_weak(line.tokens[verb.place].folded)) for verb in denied):
            return False
    return True


def _affirms_denied(
    claim: Claim, denied: Sequence[Denial], lines: Sequence[Line],
    there: Sequence[Sequence[Denial]],
) -> bool:  # fmt: skip
    forbids = any(is_denying(token.folded) for token in claim.tokens)
    for verb in (verb for others in there for verb in others):
        rivals = [
            Slot(at, other.place, other.place + 1, False)
            for at, others in enumerate(there)
            for other in others
            if denies(verb.stem, other.stem)
        ]
        own = [
            Slot(at, place, place + 1, True)
            for at, line in enumerate(lines)
            for place in _affirming(verb, line.tokens, there[at])
        ]
        for place in _affirming(verb, claim.tokens, denied):
            if (denied or forbids) and claim.tokens[place].folded.endswith(_NOUNS):
                continue
            if _is_rival(claim, verb, place, [*own, *rivals], lines):
                return True
    return False


def _affirming(verb: Denial, found: Sequence[Token], denied: Sequence[Denial]) -> Iterator[int]:
    """Places of the words that affirm what is denied."""
    taken = {other.place for other in denied}
    for place, token in enumerate(found):
        if place in taken or not affirms(verb.stem, token.folded):
            continue
        before = found[place - 1].folded if place else ""
        if not is_light(verb.stem) or before[:BEFORE] == verb.before[:BEFORE]:
            yield place


def _is_rival(
    claim: Claim, verb: Denial, place: int, slots: Sequence[Slot], lines: Sequence[Line],
) -> bool:  # fmt: skip
    """True if the claim's words stand by the opposite sense rather than by its own."""
    near = around(claim, place, place + 1)
    finite = is_finite(claim.tokens[place].folded)
    most = {True: -1.0, False: -1.0}
    for slot in slots:
        line = lines[slot.line]
        value = worth(near, slot, positions(line))
        if finite and not is_finite(line.tokens[slot.first].folded):
            value *= PARTICIPLE
        most[slot.is_own] = max(most[slot.is_own], value)
    if most[True] < 0:
        least = -0.5 if len(verb.stem) >= LONG and not is_light(verb.stem) else ALONE
        return most[False] > least
    return most[False] > RIVAL * most[True] + MARGIN


def _bounds_differ(claim: Claim, lines: Sequence[Line]) -> bool:
    """True if a number is the most in one and the least in the other."""
    for number in claim.numbers:
        ours = bound(claim.tokens, number)
        theirs = {
            bound(line.tokens, other)
            for line in lines
            for other in line.numbers
            if is_amount(number, other)
        }
        if ours and theirs and all(are_opposite(ours, other) for other in theirs):
            return True
    return False


def _poles_differ(claim: Claim, lines: Sequence[Line]) -> bool:
    """True if the claim has a word whose opposite alone stands in the evidence."""
    theirs = poles([token for line in lines for token in line.tokens])
    for (one, other), (there, opposite) in zip(poles(claim.tokens), theirs, strict=True):
        if one and not other and opposite and not there:
            return True
        if other and not one and there and not opposite:
            return True
    return False
