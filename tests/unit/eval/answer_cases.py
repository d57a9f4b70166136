"""Cases for tests of the answers' evaluation."""

from __future__ import annotations

from docrag.api import Leg, ScoredChunk, StoredChunk
from eval.answer_sets import AnswerCase


def chunk(
    text: str, *, file: str = "0.txt", ordinal: int = 0, page: int | None = None
) -> StoredChunk:
    return StoredChunk(
        chunk_id=hash((file, ordinal)) % 10_000,
        document_id=file,
        title=file.partition(".")[0],
        filename=file,
        ordinal=ordinal,
        text=text,
        page_first=page,
        page_last=page,
    )


def case(*chunks: StoredChunk, **fields: object) -> AnswerCase:
    """A case with these chunks found, best first."""
    legs = (Leg(name="lexical", score=9.0, rank=1), Leg(name="dense", score=0.9, rank=1))
    found = tuple(ScoredChunk(chunk=each, score=9.0, legs=legs) for each in chunks)
    told = {
        "question": "q1",
        "text": "Yangın tüpleri ne sıklıkla kontrol edilir?",
        "gold": "altı ayda bir",
        "group": "answerable",
        "gold_chunks": frozenset({"0:0"}),
        "keys": tuple(f"{c.filename.removesuffix('.txt')}:{c.ordinal}" for c in chunks),
        "found": found,
        "around": (),
        **fields,
    }
    return AnswerCase(**told)  # type: ignore[arg-type]  # fields of the record by name
