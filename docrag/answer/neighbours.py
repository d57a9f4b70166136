"""Neighbours of the chunks that were found: small passages found, bigger ones shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from docrag.answer.context import Place, cite, place
from docrag.api import Access, Citation, ScoredChunk, StoredChunk


class NeighbourStore(Protocol):
    """What reads neighbours; the role filter lives behind it."""

    def around(self, chunk_ids: Sequence[int], *, reach: int, access: Access) -> list[StoredChunk]:
        """Permitted chunks of the same documents at most ``reach`` places away, others only."""
        ...


def by_rank(
    found: Sequence[ScoredChunk], around: Iterable[StoredChunk], *, reach: int
) -> tuple[StoredChunk, ...]:
    """Neighbours in the order in which they may fill a prompt, each once.

    Those of the best chunk come first, nearest first, the one after before the one before: a
    passage goes on more often than it lacks its beginning, which the chunker repeats.

    :param found: chunks that a search found, best first; none of them is a neighbour.
    :param around: chunks of the same documents, in any order; what is further away is left out.
    :param reach: places before and after each found chunk.
    """
    waiting = {(chunk.document_id, chunk.ordinal): chunk for chunk in around}
    for scored in found:
        waiting.pop((scored.chunk.document_id, scored.chunk.ordinal), None)
    places = ((scored.chunk, step) for scored in found for step in _steps(reach))
    taken = (waiting.pop((chunk.document_id, chunk.ordinal + step), None) for chunk, step in places)
    return tuple(chunk for chunk in taken if chunk is not None)


def grown(context: Sequence[Citation], neighbour: StoredChunk) -> tuple[Citation, ...]:
    """The sources with one neighbour more; every number stays what it was.

    On the page (or in the section) of a source it becomes part of that one. Else it is a source of
    its own behind the others, with its own page: what stands on the next page must not be cited
    with this one.
    """
    where = place(neighbour)
    if all(_place(source) != where for source in context):
        last = max((source.number for source in context), default=0)
        new = cite(last + 1, [neighbour])
        return (*context, replace(new, neighbours=frozenset({neighbour.chunk_id})))
    return tuple(
        _with(source, neighbour) if _place(source) == where else source for source in context
    )


def all_grown(
    context: Sequence[Citation], neighbours: Iterable[StoredChunk]
) -> tuple[Citation, ...]:
    """The sources with all of these neighbours, for answers that have no token budget."""
    whole = tuple(context)
    for neighbour in neighbours:
        whole = grown(whole, neighbour)
    return whole


def _steps(reach: int) -> Iterator[int]:
    for distance in range(1, reach + 1):
        yield distance
        yield -distance


def _place(source: Citation) -> Place:
    return place(source.chunks[0])


def _with(source: Citation, neighbour: StoredChunk) -> Citation:
    chunks = sorted([*source.chunks, neighbour], key=lambda chunk: chunk.ordinal)
    added = source.neighbours | {neighbour.chunk_id}
    return replace(source, chunks=tuple(chunks), neighbours=added)
