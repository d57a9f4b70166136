"""Questions with what was found for them, answered on the product's own path.

Gate, prompt, model, verification and abstention are those of :class:`Answerer`; only the search is
not done again. What comes out is written to a run file, which scoring reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from docrag.answer.answerer import Answerer
from docrag.answer.checking import without_signs
from docrag.answer.models import Models
from docrag.api import Access, Answer, Judge, LLMError, Message, ScoredChunk, StoredChunk
from docrag.rerankers.identity import IdentityReranker
from docrag.settings import Settings
from eval.answer_sets import AnswerCase
from eval.searching import ROLE

#: Failures of the model one after the other after which going on is pointless.
MOST_FAILURES: Final = 3
_ACCESS: Final = Access.of([ROLE])


class ModelAway(LLMError):
    """The model failed several times in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came back for a question."""

    #: Identifier of the question.
    question: str
    #: Who wrote it, ``extractive`` for quoted passages, and by which prompt.
    model: str
    prompt: str
    #: Without the signs of sentences that no source supports.
    text: str
    #: Why nothing was answered; empty for an answer.
    declined: str
    #: How sure the gate was, 0 to 1.
    evidence: float
    #: Chunks that were offered, and those of the sources that are cited, by :func:`key_of`.
    context: tuple[str, ...]
    cited: tuple[str, ...]
    #: File and physical page of each source that is cited.
    pages: tuple[tuple[str, int], ...]
    #: Sentences that no cited source supports.
    unsupported: int
    #: True if the model failed, so that passages were quoted in its place.
    has_failed: bool
    seconds: float


class Given:
    """A retriever and a store of neighbours that know one question's answers."""

    def __init__(self, case: AnswerCase) -> None:
        self._case = case

    def retrieve(self, query: str, *, access: Access, k: int) -> list[ScoredChunk]:
        """What was found for the question, whatever is asked."""
        return list(self._case.found[:k])

    def around(self, chunk_ids: Sequence[int], *, reach: int, access: Access) -> list[StoredChunk]:
        """The neighbours of all that was found."""
        return list(self._case.around)


def key_of(chunk: StoredChunk) -> str:
    """The key of a chunk in answer sets."""
    return f"{chunk.filename.removesuffix('.txt')}:{chunk.ordinal}"


def answered(
    cases: Iterable[AnswerCase], *, settings: Settings, models: Models, judge: Judge | None = None
) -> Iterator[tuple[AnswerCase, Told]]:
    """The cases with their answers, in order.

    :param models: who writes; without a default one, passages are quoted.
    :param judge: asked about sentences that the words alone do not support.
    :raises ModelAway: the model failed for :data:`MOST_FAILURES` questions in a row.
    """
    failures = 0
    for case in cases:
        told = _told(case, _answer(case, settings, models, judge), models)
        failures = failures + 1 if told.has_failed else 0
        if failures == MOST_FAILURES:
            raise ModelAway(
                f"the model failed for {failures} questions in a row; look at its server, and run "
                "this again: answers that were written are kept"
            )
        yield case, told


def to_line(told: Told) -> dict[str, Any]:
    """A line of a run file."""
    return asdict(told)


def from_line(line: Mapping[str, Any]) -> Told:
    """What :func:`to_line` wrote."""
    pages = tuple((str(file), int(page)) for file, page in line["pages"])
    lists = {"context": tuple(line["context"]), "cited": tuple(line["cited"]), "pages": pages}
    return Told(**{**line, **lists})


def _answer(case: AnswerCase, settings: Settings, models: Models, judge: Judge | None) -> Answer:
    given = Given(case)
    answerer = Answerer(
        settings=settings,
        retriever=given,
        reranker=IdentityReranker(),
        models=models,
        neighbours=given,
        judge=judge,
    )
    asked = [Message(role="user", content=case.text)]
    return answerer.prepare(asked, access=_ACCESS, record=_forget).read()


def _told(case: AnswerCase, answer: Answer, models: Models) -> Told:
    chosen, declined = models.default, answer.abstention
    return Told(
        question=case.question,
        model=answer.model_id,
        prompt=answer.prompt_id,
        text=without_signs(answer.text),
        declined=declined.reason if declined else "",
        evidence=round(_evidence(answer), 4),
        context=_keys(chunk for source in answer.context for chunk in source.chunks),
        cited=_keys(chunk for source in answer.citations for chunk in source.chunks),
        pages=tuple(
            (source.filename, page)
            for source in answer.citations
            if source.page_first is not None
            for page in range(source.page_first, (source.page_last or source.page_first) + 1)
        ),
        unsupported=len(answer.unsupported),
        has_failed=bool(chosen and not declined and answer.model_id != chosen.model_id),
        seconds=round(answer.duration, 3),
    )


def _keys(chunks: Iterable[StoredChunk]) -> tuple[str, ...]:
    """Keys in order, each once."""
    return tuple(dict.fromkeys(map(key_of, chunks)))


def _evidence(answer: Answer) -> float:
    """How sure the gate was; 0 where nobody says."""
    if answer.abstention:
        return answer.abstention.evidence
    return answer.confidence.retrieval.value if answer.confidence else 0.0


def _forget(answer: Answer) -> None:
    """Record nothing: there is no audit."""
