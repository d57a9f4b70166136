"""The ranking that one search gives."""

from __future__ import annotations

from collections.abc import Iterable

from docrag.api import Candidate, ScoredChunk


def ranked(candidates: Iterable[Candidate], name: str) -> list[ScoredChunk]:
    """Chunks that the named search found, by its ranks, with its scores.

    :param name: ``dense`` or ``lexical``.
    """
    found = [
        (leg.rank, ScoredChunk(chunk=candidate.chunk, score=leg.score, legs=candidate.legs))
        for candidate in candidates
        for leg in candidate.legs
        if leg.name == name
    ]
    return [chunk for _, chunk in sorted(found, key=lambda pair: pair[0])]
