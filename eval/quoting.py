"""Quoted answers: learns which sentences hold answers, and tells how often a quote holds one.

Run by ``make eval-quoting``: over the tuning questions and the training questions on laws, prints
how often the best sentences hold the answer, by models that have not seen the question's text, and
how often the quoted answer does. ``ARGS=--write`` fits all of them and writes the weights into
``docrag/answer/quoting/relevance_weights.py``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np

from docrag.answer.neighbours import all_grown
from docrag.answer.quoting import relevance
from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.features import Features, features
from docrag.answer.quoting.pieces import Piece, pieces
from docrag.api import Citation
from eval import report
from eval.answer_sets import ANSWERABLE, AnswerCase, read
from eval.phrases import holds, holds_all, says
from eval.quoting_fit import Examples, Floats, Model, crossed, fitted
from eval.report import Row
from eval.tquad import Corpus, load

NAME: Final = "quoting"
TQUAD, LAW = "answers-tune", "answers-law-train"
#: A sentence of a law counts so many of TQuAD: there are fewer by that factor, and laws are what
#: docrag is asked about.
LAW_WEIGHT: Final = 4.0
FOLDS, SEED = 10, 0
#: Best sentences that are counted.
BEST: Final = (1, 2, 3, 4)
WEIGHTS: Final = Path(relevance.__file__).with_name("relevance_weights.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A sentence of the sources of a question."""

    case: int
    piece: Piece
    features: Features
    #: True if the answer, or a part of it, stands in it at its own place.
    is_right: bool
    #: True if it says what is expected, wherever it stands.
    says: bool


def main(arguments: Sequence[str]) -> int:
    """Fit, print and write."""
    corpus = load()
    cases = [*read(TQUAD), *_laws()]
    found = [example for n, case in enumerate(cases) for example in _examples(n, case, corpus)]
    examples = Examples.of(
        [one.features for one in found],
        [float(one.is_right) for one in found],
        [LAW_WEIGHT if _is_law(cases[one.case]) else 1.0 for one in found],
        [_group(cases[one.case]) for one in found],
    )
    if "--write" in arguments:
        _write(fitted(examples), len(cases))
        click.echo(f"weights written to {WEIGHTS.name}; run again for the quoted answers")
    odds = crossed(examples, FOLDS, SEED)
    rows = [*_ranked(cases, found, odds), *_quoted(cases)]
    for row in rows:
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
    report.write(NAME, {"folds": FOLDS, "questions": len(cases)}, rows)
    return 0


def _laws() -> list[AnswerCase]:
    """The questions on laws; none where the set has not been written."""
    try:
        return read(LAW)
    except FileNotFoundError:
        click.echo(f"{LAW} is not there: make eval-answer-sets writes it", err=True)
        return []


def _is_law(case: AnswerCase) -> bool:
    return not case.document.isdigit()


def _group(case: AnswerCase) -> int:
    """A number of the case's text; those of laws lie behind the articles."""
    return 100_000 + sum(case.document.encode()) if _is_law(case) else int(case.document)


def _examples(number: int, case: AnswerCase, corpus: Corpus) -> Iterator[Example]:
    if case.group == ANSWERABLE and not case.is_retrieved:
        return
    context = case.context
    own = [pieces(citation) for citation in context]
    flat = [
        (citation, piece) for citation, some in zip(context, own, strict=True) for piece in some
    ]
    told = features(case.text, context, own)
    places = _places(corpus)
    for (citation, piece), row in zip(flat, told, strict=True):
        is_own = case.group == ANSWERABLE and _is_own(case, citation)
        if _is_law(case):
            is_right = is_own and any(_has(piece.text, line) for line in case.gold.split("\n"))
        else:
            is_right = is_own and _overlaps(piece, *places[case.question])
        yield Example(
            case=number,
            piece=piece,
            features=row,
            is_right=is_right,
            says=is_right if _is_law(case) else says(piece.text, case.gold),
        )


def _has(text: str, alternatives: str) -> bool:
    return any(holds(text, one) for one in alternatives.split("|"))


def _is_own(case: AnswerCase, citation: Citation) -> bool:
    if _is_law(case):
        return citation.filename == case.document and citation.page_first in case.pages
    return citation.filename == f"{case.document}.txt"


_PLACES: dict[str, tuple[str, int, int]] = {}


def _places(corpus: Corpus) -> Mapping[str, tuple[str, int, int]]:
    """Text, start and end of each tuning question's answer."""
    if not _PLACES:
        for question in corpus.tuning():
            text = corpus.articles[question.article].text
            _PLACES[question.id] = (text, question.start, question.end)
    return _PLACES


def _overlaps(piece: Piece, text: str, start: int, end: int) -> bool:
    at = text.find(piece.text)
    return at >= 0 and at < end and start < at + len(piece.text)


def _ranked(cases: Sequence[AnswerCase], found: Sequence[Example], odds: Floats) -> list[Row]:
    """How often the best sentences hold the answer."""
    hits: dict[str, list[int]] = {"tquad": [], "law": []}
    starts = [n for n, one in enumerate(found) if not n or one.case != found[n - 1].case]
    for start, end in zip(starts, [*starts[1:], len(found)], strict=True):
        case = cases[found[start].case]
        if case.group != ANSWERABLE:
            continue
        order = start + np.argsort(-odds[start:end], kind="stable")
        place = next((n for n, at in enumerate(order) if found[at].says), len(order))
        hits["law" if _is_law(case) else "tquad"].append(place)
    return [
        {
            "dataset": name,
            "n": len(own),
            **{f"best_{most}": round(sum(at < most for at in own) / len(own), 4) for most in BEST},
        }
        for name, own in hits.items()
        if own
    ]


def _quoted(cases: Sequence[AnswerCase]) -> list[Row]:
    """How often a quoted answer holds the expected one, and how long it is."""
    rows: list[Row] = []
    for name, reach in (("tquad", 0), ("tquad", 1), ("law", 0), ("law", 1)):
        own = [
            case
            for case in cases
            if case.group == ANSWERABLE and case.is_retrieved and _is_law(case) == (name == "law")
        ]
        told = [(case, _answer(case, reach)) for case in own]
        if told:
            lengths = sorted(len(text) for _, text in told)
            right = sum(_is_right(case, text) for case, text in told)
            rows.append(
                {
                    "dataset": name,
                    "neighbours": reach,
                    "n": len(told),
                    "correct": round(right / len(told), 4),
                    "characters": round(sum(lengths) / len(lengths)),
                    "p95_characters": lengths[int(0.95 * len(lengths))],
                }
            )
    return rows


def _answer(case: AnswerCase, reach: int) -> str:
    context = all_grown(case.context, case.around) if reach else case.context
    return "".join(delta.text for delta in quote(case.text, context))


def _is_right(case: AnswerCase, text: str) -> bool:
    return holds_all(text, case.gold.split("\n")) if _is_law(case) else says(text, case.gold)


def _write(model: Model, cases: int) -> None:
    """The weights as a module."""
    items = "\n".join(f'    "{name}": {value},' for name, value in sorted(model.weights.items()))
    WEIGHTS.write_text(
        f'''"""Weights of the features that tell whether a sentence answers a question.

Written by ``make eval-quoting ARGS=--write``: a logistic regression over the sentences that were
found for {cases} questions, those of the train part of TQuAD and those on laws, with a penalty on
the square of the weights. Questions whose answer was not among what was found take part as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Log odds of a sentence without any feature.
BIAS: Final = {model.bias}
#: Log odds that a feature of 1 adds.
WEIGHTS: Final[Mapping[str, float]] = {{
{items}
}}
''',
        encoding="utf-8",
    )


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
