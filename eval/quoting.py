"""Quoted answers: learns which sentences hold answers, and tells how often a quote holds one.

Run by ``make eval-quoting``: over the tuning questions and the training questions on laws, prints
how often the best sentences hold the answer, by models that have not seen the question's text, and
how often the quoted answer does. ``ARGS=--write`` fits all of them and writes the weights into
``docrag/answer/quoting/relevance_weights.py``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

import click
import numpy as np
import numpy.typing as npt

from docrag.answer.markers import strip
from docrag.answer.neighbours import all_grown
from docrag.answer.quoting import relevance
from docrag.answer.quoting.extractive import quote
from docrag.answer.quoting.features import Features, features
from docrag.answer.quoting.pieces import Piece, pieces
from docrag.api import Citation
from eval import answer_laws, best_sentences, report
from eval.answer_sets import ANSWERABLE, FURTHER, AnswerCase, read
from eval.gate_fit import auroc
from eval.phrases import holds, holds_all, says
from eval.quoting_fit import Examples, Floats, Model, crossed, fitted
from eval.report import Row
from eval.tquad import Corpus, load

NAME: Final = "quoting"
TQUAD, LAW = "answers-tune", "answers-law-train"
#: The same questions without their own article, for fitting.
REMOVED: Final = f"answers-{FURTHER}"
FOLDS, SEED = 10, 0
#: Best sentences that are counted.
BEST: Final = (1, 2, 3, 4)
#: Ends a sentence, item or row of a quoted answer.
_END: Final = re.compile(r"\S(?:[.!?]\s|\s*\n)\s*")
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
    cases = [case for name in (TQUAD, REMOVED, LAW) for case in _known(name)]
    found = [example for n, case in enumerate(cases) for example in _examples(n, case, corpus)]
    of_law = np.array([one.piece.article is not None for one in found])
    text, law = (_learnt(cases, found, of_law == kind) for kind in (False, True))
    model = fitted(text)
    odds = np.zeros(len(found))
    odds[~of_law] = crossed(text, FOLDS, SEED)
    if of_law.any():
        odds[of_law] = crossed(law, FOLDS, SEED, near=model)
        best_sentences.write(cases, [(one.case, one.piece, one.features) for one in found], odds)
        if "--write" in arguments:
            _write(model, fitted(law, near=model), len(cases))
            click.echo(f"weights written to {WEIGHTS.name}; run again for the quoted answers")
    rows = [*_ranked(cases, found, odds), *_quoted(cases)]
    for row in rows:
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
    report.write(NAME, {"folds": FOLDS, "questions": len(cases)}, rows)
    return 0


def _known(name: str) -> list[AnswerCase]:
    """The questions of a set; none where it has not been written."""
    try:
        return read(name)
    except FileNotFoundError:
        click.echo(f"{name} is not there: make eval-answer-sets writes it", err=True)
        return []


def _learnt(
    cases: Sequence[AnswerCase], found: Sequence[Example], chosen: npt.NDArray[np.bool_]
) -> Examples:
    """The chosen sentences: of articles, or of anything else.

    Not clear are those of laws whose question is not answered by a sentence that was found though
    the page has an answer, and those of a law's page that are of no article.
    """
    held = {one.case for one in found if one.is_right}
    own = [one for one, is_chosen in zip(found, chosen, strict=True) if is_chosen]
    return Examples.of(
        [one.features for one in own],
        [float(one.is_right) for one in own],
        [_group(cases[one.case]) for one in own],
        [_is_clear(cases[one.case], one, one.case in held) for one in own],
    )


def _is_clear(case: AnswerCase, one: Example, is_held: bool) -> bool:
    if not _is_law(case):
        return True
    return one.piece.article is not None and (is_held or case.group != ANSWERABLE)


def _is_law(case: AnswerCase) -> bool:
    return not case.document.isdigit()


def _group(case: AnswerCase) -> int:
    """A number of the case's text or, of laws, of its article."""
    if not _is_law(case):
        return int(case.document)
    article = "".join(_articles().get(case.question, ())[:1]) or case.question
    return crc32(f"{case.document} {article}".encode())


@cache
def _articles() -> Mapping[str, Sequence[str]]:
    """Articles that answer each question on a law, as they are counted."""
    asked = answer_laws.questions("train")
    return {item["id"]: [number.lower() for number in item["article"]] for item in asked}


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
            is_right = is_own and _is_of(piece, _articles().get(case.question, ()))
            is_right &= any(_has(piece.text, line) for line in case.gold.split("\n"))
        else:
            is_right = is_own and _overlaps(piece, *places[case.question])
        yield Example(
            case=number,
            piece=piece,
            features=row,
            is_right=is_right,
            says=is_right if _is_law(case) else says(piece.text, case.gold),
        )


def _is_of(piece: Piece, articles: Sequence[str]) -> bool:
    return piece.article is None or not articles or piece.article.number in articles


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
    """How often the best sentences hold the answer, and how well the best tells whether one does.

    The last is the area under the curve of its odds, for questions that are answered against those
    that are not; an article that was removed may be told of in another one.
    """
    hits: dict[str, list[int]] = {"tquad": [], "law": []}
    best: dict[str, list[tuple[float, bool]]] = {"tquad": [], "law": []}
    starts = [n for n, one in enumerate(found) if not n or one.case != found[n - 1].case]
    for start, end in zip(starts, [*starts[1:], len(found)], strict=True):
        case = cases[found[start].case]
        name = "law" if _is_law(case) else "tquad"
        bodies = [odds[at] for at in range(start, end) if found[at].piece.is_body]
        best[name].append((max(bodies, default=-np.inf), case.group == ANSWERABLE))
        if case.group == ANSWERABLE:
            order = start + np.argsort(-odds[start:end], kind="stable")
            place = next((n for n, at in enumerate(order) if found[at].says), len(order))
            hits[name].append(place)
    return [
        {
            "dataset": name,
            "n": len(own),
            **{f"best_{most}": round(sum(at < most for at in own) / len(own), 4) for most in BEST},
            "auroc": round(auroc(*map(np.array, zip(*best[name], strict=True))), 4),
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
            ends = sum(len(_END.findall(f"{strip(text)}\n")) for _, text in told)
            row = {"dataset": name, "neighbours": reach, "n": len(told)}
            row["correct"] = round(right / len(told), 4)
            row["characters"] = round(sum(lengths) / len(lengths))
            row["p95_characters"] = lengths[int(0.95 * len(lengths))]
            row["sentences"] = round(ends / len(told), 2)
            rows.append(row)
    return rows


def _answer(case: AnswerCase, reach: int) -> str:
    context = all_grown(case.context, case.around) if reach else case.context
    return "".join(delta.text for delta in quote(case.text, context))


def _is_right(case: AnswerCase, text: str) -> bool:
    return holds_all(text, case.gold.split("\n")) if _is_law(case) else says(text, case.gold)


def _write(text: Model, law: Model, cases: int) -> None:
    """The weights as a module."""
    WEIGHTS.write_text(
        f'''"""Weights of the features that tell whether a sentence answers a question.

Written by ``make eval-quoting ARGS=--write``: logistic regressions over the sentences that were
found for {cases} questions. That of text is fitted on TQuAD's train part, with a penalty on the
square of the weights; that of laws on questions on laws, with a penalty on the square of what parts
it from the first. Questions whose answer was not among what was found take part as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

#: Log odds of a sentence without any feature, and those that a feature of 1 adds.
Weights: TypeAlias = tuple[float, Mapping[str, float]]

#: For sentences of any text but the articles of laws.
TEXT: Final[Weights] = {_told(text)}
#: For sentences of articles of laws.
LAW: Final[Weights] = {_told(law)}
''',
        encoding="utf-8",
    )


def _told(model: Model) -> str:
    items = "\n".join(
        f'        "{name}": {value},' for name, value in sorted(model.weights.items())
    )
    return f"(\n    {model.bias},\n    {{\n{items}\n    }},\n)"


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
