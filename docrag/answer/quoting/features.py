"""What tells whether a sentence answers a question, as numbers from 0 to about 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Final, TypeAlias

from docrag.answer.quoting.answer_kinds import held
from docrag.answer.quoting.law_features import LawQuestion, articles, law_features
from docrag.answer.quoting.matching import (
    LOOKED_AT,
    Asked,
    Match,
    Read,
    Scale,
    asked_of,
    best,
    match,
    places,
    read,
    scale_of,
)
from docrag.answer.quoting.pieces import Piece
from docrag.api import Citation

#: Features of a piece by name.
Features: TypeAlias = dict[str, float]
#: Rank of a source beyond which those behind are alike.
_LAST: Final = 4
#: Fewer words than these are a fragment.
_FRAGMENT: Final = 4
#: Words beyond which more that are new tell nothing.
_ENOUGH: Final = 10
#: Begins a sentence whose subject stands in the one before (folded).
_POINTING: Final = frozenset(
    "bu o bunlar onlar burada orada bunun onun bunu onu buna ona boylece ayrica sonra daha "
    "kendisi kendisine it this he she they these there".split()
)
#: Kinds of answers whose absence speaks against a sentence.
PLAIN_KINDS: Final = frozenset({"date", "number", "person", "place", "reason"})


def features(
    question: str, context: Sequence[Citation], found: Sequence[Sequence[Piece]]
) -> list[Features]:
    """Features of every piece, in order.

    :param context: the sources, best first.
    :param found: the pieces of each of them.
    """
    asked = asked_of(question)
    sources = [
        [read(piece, citation, asked) for piece in own]
        for citation, own in zip(context, found, strict=True)
    ]
    everything = [one for own in sources for one in own]
    if not everything:
        return []
    scale = scale_of(asked, everything)
    matches = [match(one, scale) for one in everything]
    law, whole = LawQuestion.of(question), articles(everything, scale)
    compared = zip(matches, places(matches), repeat(best(matches)))
    told: list[Features] = []
    for rank, own in enumerate(sources):
        together = scale.of_words({word for one in own for word in one.counts})
        for at, one in enumerate(own):
            matched, place, most = next(compared)
            told.append(
                {
                    **_matching(matched, most, place),
                    **_around(own, at, scale),
                    **_source(one, scale, rank, together),
                    **_form(one, asked, at, len(own)),
                    **_ends(one, asked, scale),
                    **_kinds(one, asked, matched),
                    **law_features(law, one, whole),
                }
            )
    return told


def _matching(match: Match, most: Match, place: int) -> Features:
    return {
        "words": match.words,
        "grams": match.grams,
        "short_words": match.short_words,
        "short_grams": match.short_grams,
        "words_best": match.words / most.words,
        "grams_best": match.grams / most.grams,
        "short_words_best": match.short_words / most.short_words,
        "short_grams_best": match.short_grams / most.short_grams,
        "first_place": 1 / (1 + place),
        "place": math.log1p(place),
    }


def _around(own: Sequence[Read], at: int, scale: Scale) -> Features:
    """Weight of what only the sentences beside it hold; before an item stands what leads it."""
    read = own[at]
    lead = read.piece.lead
    before = own[lead] if lead is not None else own[at - 1] if at else None
    further = own[at - 2] if at > 1 else None
    behind = own[at + 1] if at + 1 < len(own) else None
    second = own[at + 2] if at + 2 < len(own) else None
    added = _added(scale, read, before)
    points = bool(read.folded) and read.folded[0] in _POINTING
    return {
        "before": added,
        "before_grams": _added_grams(scale, read, before),
        "second_before": _added(scale, read, further, before),
        "behind": _added(scale, read, behind),
        "behind_grams": _added_grams(scale, read, behind),
        "second_behind": _added(scale, read, second, behind),
        "points": float(points),
        "points_before": added if points else 0.0,
    }


def _added(scale: Scale, read: Read, other: Read | None, beside: Read | None = None) -> float:
    if other is None:
        return 0.0
    known = {*read.counts, *(beside.counts if beside else ())}
    return scale.of_words(word for word in other.counts if word not in known)


def _added_grams(scale: Scale, read: Read, other: Read | None) -> float:
    return scale.of_grams(other.grams - read.grams) if other else 0.0


def _source(read: Read, scale: Scale, rank: int, together: float) -> Features:
    """What its source tells, and its title.

    The title of a text is its subject, and a sentence that lacks the subject may be of it.
    """
    return {
        "source": together,
        "first_source": float(rank == 0),
        "second_source": float(rank == 1),
        "rank": min(rank, _LAST) / _LAST,
        "title": scale.of_words(read.titled),
        "title_fills": scale.of_words(read.titled - read.counts.keys()),
    }


def _form(read: Read, asked: Asked, at: int, total: int) -> Features:
    new = sum(word[:5] not in asked.said and len(word) > 1 for word in read.folded)
    return {
        "length": math.log1p(len(read.piece.text)) / 7,
        "is_short": float(len(read.folded) < _FRAGMENT),
        "new": min(new, _ENOUGH) / _ENOUGH,
        "is_stale": float(new < 2),
        "density": sum(read.counts.values()) / max(len(read.folded), 1),
        "asks": float(read.piece.text.endswith("?")),
        "opens": float(at == 0),
        "depth": at / max(total - 1, 1),
        "heads": float(not read.piece.is_body),
    }


def _ends(read: Read, asked: Asked, scale: Scale) -> Features:
    """Whether the question's subject and verb stand in it, and what stands for its words."""
    first, last = asked.words[:1], asked.words[-1:]
    known = read.counts.keys() | read.meant
    return {
        "subject": float(bool(first) and first[0] in known),
        "verb": float(bool(last) and last[0] in known),
        "synonyms": scale.of_words(read.meant),
    }


def _kinds(read: Read, asked: Asked, match: Match) -> Features:
    there = held(asked.wanted, read.piece.text[:LOOKED_AT], read.folded)
    kinds = asked.wanted.kinds
    told = {f"{kind}_{kind in there.kinds}": 1.0 for kind in kinds}
    plain = kinds & PLAIN_KINDS
    has = bool(plain & there.kinds)
    return {
        **told,
        "names": there.names if kinds & {"person", "place", "name", "thing"} else 0.0,
        "figures": there.figures if kinds & {"number", "date"} else 0.0,
        "unit": float(there.has_unit),
        "no_unit": float(bool(asked.wanted.unit) and not there.has_unit),
        "matches_with_kind": match.words if has else 0.0,
        "matches_without_kind": match.words if plain and not has else 0.0,
    }
