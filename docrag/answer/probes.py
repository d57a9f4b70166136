"""Questions made of a corpus's own sentences, for whoever has none to ask.

They repeat the words of a passage, so they say nothing about how well is found; but what the best
passage scores for a question of usual length is the same as for real ones: on TQuAD 100 for runs
of seven words and 101 for people's questions, in units of BM25 over letter grams.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final

from docrag.api import ADMIN_ROLE, Access, sentences, words
from docrag.store import Store
from docrag.store.records import DocumentState

#: Words of a probe, about as many as people's questions have.
LENGTH: Final = 7
#: Words of a sentence that a probe is taken from: headings and table rows are no text.
SHORTEST, LONGEST = 8, 40
#: Documents that are read, and probes that are made of them, at most.
DOCUMENTS, PROBES = 60, 200
_READY: Final = {DocumentState.READY, DocumentState.READY_WITH_WARNINGS}
#: The same sample for the same corpus.
_SEED: Final = 0


def from_store(store: Store) -> list[str]:
    """Probes of a sample of the searchable documents, which are read as an administrator."""
    access = Access.of([ADMIN_ROLE])
    ready = [item.id for item in store.documents.list(access=access) if item.state in _READY]
    draw = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    chosen = draw.sample(ready, min(DOCUMENTS, len(ready)))
    return probes(
        page.text for name in chosen for page in store.documents.pages(name, access=access)
    )


def probes(texts: Iterable[str]) -> list[str]:
    """Runs of words from randomly chosen sentences, at most :data:`PROBES`; none for no sentences.

    The same texts give the same probes.
    """
    draw = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    found = [said for text in texts for item in sentences(text) if _is_prose(said := words(item))]
    return [_run(said, draw) for said in draw.sample(found, min(PROBES, len(found)))]


def _is_prose(said: Sequence[str]) -> bool:
    return SHORTEST <= len(said) <= LONGEST


def _run(said: Sequence[str], draw: random.Random) -> str:
    start = draw.randrange(len(said) - LENGTH + 1)
    return " ".join(said[start : start + LENGTH])
