"""The evidence gate: fits its weights, and draws refusals against needless refusals.

Run by ``make eval-gate``, after ``make eval-answer-sets`` with ``ARGS="tune tune-removed
tune-ascii tune-upper tune-typos law-train law-held"`` and ``make eval-quoting``: fits on training
questions, prints weights (for ``docrag/answer/gate/model.py``) and the curve, by cross-validation
and, of laws, by questions that nothing was learnt from; writes ``eval/results/gate.json``.
``ARGS=--dev`` judges the dev questions by the weights that docrag has, for the report alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click
import numpy as np

from docrag.answer.gate.evidence import ENOUGH, is_whole, weigh
from docrag.answer.gate.model import Kind
from docrag.answer.gate.signs import Signs, signs
from docrag.answer.subject import sought_words
from docrag.api import fold, words
from eval import best_sentences, report
from eval.answer_bars import REFUSALS
from eval.answer_sets import ANSWERABLE, FURTHER, REMOVED, WRITTEN, AnswerCase, read
from eval.gate_fit import Cases, Floats, Model, auroc, cross_validated, fitted, monotone
from eval.report import Row
from eval.tquad import Corpus, load

#: Signs of the models: of passages of text, of those from a small corpus, where nothing is rare,
#: and of those of laws; the last are few, as the questions are.
TEXT_SIGNS: Final = (
    "cover_best", "cover_first", "cover_lines", "rarest_missing", "names_missing",
    "numbers_missing", "unit_missing", "match", "lead", "neighbours", "one_document", "cosine",
    "best_sentence",
)  # fmt: skip
SMALL_SIGNS: Final = (
    "plain_first", "plain_lines", "names_missing", "numbers_missing", "unit_missing", "cosine",
)  # fmt: skip
LAW_SIGNS: Final = ("cover_clauses", "unit_missing", "cosine", "best_sentence")
#: Nothing is asked of small corpora, a company's first documents: of their answerable questions so
#: many may be refused.
NEEDLESS_SMALL: Final = 0.09
#: Needless refusals that the curve is told at.
CURVE: Final = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.15, 0.20, 0.30, 0.40)
#: Thresholds that a judged set is told at.
LEAST: Final = (0.1, 0.2, 0.3, 0.4, ENOUGH, 0.6, 0.7, 0.8, 0.9)
#: Words of a title that tell little of what it is about.
_COMMON: Final = frozenset("ve bin ibn txt hayati".split())


def main(arguments: Sequence[str]) -> int:
    """Fit and print, or judge dev."""
    if "--dev" in arguments:
        rows = [*_judged("answers-dev"), *_judged("answers-law-dev")]
        _print(rows)
        report.write("gate-dev", {"model": "docrag/answer/gate/model.py"}, rows)
        return 0
    corpus = load()
    names_of_text = tuple(dict.fromkeys((*TEXT_SIGNS, *SMALL_SIGNS)))
    plain = [*read("answers-tune"), *read(f"answers-{FURTHER}")]
    others = [case for part in WRITTEN for case in read(f"answers-{part}")]
    text, small = cases(plain, names_of_text, corpus, written=others, kinds=("text", "small"))
    (law,) = cases(read("answers-law-train"), LAW_SIGNS)
    (held,) = cases(read("answers-law-held"), LAW_SIGNS)
    models = (
        ("text", text, None, TEXT_SIGNS),
        ("small", small, None, SMALL_SIGNS),
        ("law", law, held, LAW_SIGNS),
    )
    rows = []
    for kind, known, other, names in models:
        for name, own in ((kind, names), (f"{kind}_words", [n for n in names if n != "cosine"])):
            rows += _fit(name, known.only(own), other.only(own) if other else None)
    _print(rows)
    written = report.write("gate", {"bars": REFUSALS, "needless_small": NEEDLESS_SMALL}, rows)
    click.echo(f"written to {written.parent.name}/{written.name}")
    return 0


def cases(
    asked: Iterable[AnswerCase],
    names: Sequence[str],
    corpus: Corpus | None = None,
    *,
    written: Iterable[AnswerCase] = (),
    kinds: Sequence[Kind] = ("law",),
) -> list[Cases]:
    """Signs of the questions, for each kind of passages that they may be taken for.

    :param written: questions in other ways of writing, which are fitted on and not judged.
    :param corpus: where articles may tell of one thing twice: a question without its own article is
        clear only if no such article was found, and nothing that was found has its answer.
    """
    every = [*((case, True) for case in asked), *((case, False) for case in written)]
    known = [item for item in every if sought_words(item[0].text) and item[0].found]
    best = best_sentences.read()
    seen = [
        signs(case.text, sought_words(case.text), case.context, case.found) for case, _ in known
    ]
    values = [_values(case, own, best) for (case, _), own in zip(known, seen, strict=True)]
    return [
        Cases(
            names=tuple(names),
            signs=np.array([[own.get(name, 0.0) for name in names] for own in values]),
            answered=np.array([case.group == ANSWERABLE for case, _ in known]),
            groups=tuple(case.document if corpus else case.question for case, _ in known),
            is_clear=np.array([_is_clear(case, corpus) for case, _ in known]),
            is_plain=np.array([is_plain for _, is_plain in known]),
            is_whole=np.array([is_whole(own, kind) for own in seen]),
        )
        for kind in kinds
    ]


def _values(
    case: AnswerCase, seen: Signs, best: Mapping[tuple[str, str], float]
) -> dict[str, float]:
    """Signs by name; of a question that the quoter learnt from, what it says without it."""
    told = best.get((case.question, case.group), seen.values["best_sentence"])
    return {**seen.values, "best_sentence": told}


def _is_clear(case: AnswerCase, corpus: Corpus | None) -> bool:
    if case.group == ANSWERABLE:
        return case.is_retrieved
    if case.group != REMOVED or corpus is None:
        return True
    if holds(case):
        return False
    own = _title(corpus.articles[int(case.document)].title)
    others = [_title(scored.chunk.title) for scored in case.found]
    return not any(own and len(own & other) >= min(len(own), len(other) or 9) for other in others)


def holds(case: AnswerCase) -> bool:
    """True if a passage has the words of the answer in a row."""
    gold = _folded(case.gold)
    return any(f" {gold} " in f" {_folded(scored.chunk.text)} " for scored in case.found)


def _fit(name: str, known: Cases, held: Cases | None = None) -> list[Row]:
    """Rows of the curve; prints the model.

    :param held: questions that nothing was learnt from, by which the point is chosen and the model
        judged; without them it is judged by cross-validation.
    """
    chosen = known.only(monotone(known))
    model = fitted(chosen)
    judged_by = held or known
    found = np.where(held.is_whole, 1.0, model.probability(held)) if held else None
    found = cross_validated(chosen) if found is None else found
    judged = judged_by.is_clear & judged_by.is_plain
    answered, others = judged_by.answered & judged, ~judged_by.answered & judged
    asked = ~judged_by.answered & judged_by.is_plain
    point = _point(name, found[answered], found[asked])
    click.echo(_lines(name, model.moved(point)))
    area = auroc(found[judged], judged_by.answered[judged])
    return [
        {
            "model": name,
            "n_answerable": int(answered.sum()),
            "n_others": int(others.sum()),
            "auroc": round(area, 4),
            "needless": round(float((found[answered] < at).mean()), 4),
            "refused": round(float((found[others] < at).mean()), 4),
            "refused_all": round(float((found[asked] < at).mean()), 4),
            "chosen": at == point,
        }
        for at in sorted({*(float(np.quantile(found[answered], share)) for share in CURVE), point})
    ]


def _point(name: str, answerable: Floats, others: Floats) -> float:
    """The probability at which to answer.

    Where both bars cannot be had on training questions, it is where both are missed by as much.

    :param others: all of them, also those whose answer stands elsewhere.
    """
    bars = next((bars for kind, bars in REFUSALS.items() if name.startswith(kind)), None)
    if bars is None:
        return float(np.quantile(answerable, NEEDLESS_SMALL))
    most, least = bars
    tried = np.unique(np.concatenate([answerable, others]))
    short = [max((answerable < at).mean() - most, least - (others < at).mean()) for at in tried]
    return float(tried[int(np.argmin(short))])


def _lines(name: str, model: Model) -> str:
    told = "\n".join(
        f'            "{sign}": ({weight:.2f}, {usual:.3f}),'
        for sign, (weight, usual) in model.signs.items()
    )
    head = f'    "{name}": _Model(\n        bias={model.bias:.2f},\n        signs={{'
    return f"{head}\n{told}\n        }},\n    ),"


def _judged(name: str) -> list[Row]:
    """What the gate as it is does with a set: the curve, with the point of its own."""
    told: dict[str, list[float]] = {}
    for case in read(name):
        verdict = weigh(case.text, case.context, found=case.found)
        for group in _groups(case):
            told.setdefault(group, []).append(verdict.evidence)
    return [
        {
            "dataset": name,
            "least": least,
            "chosen": least == ENOUGH,
            **{
                f"refused_{group}": round(float(np.mean(np.array(told[group]) < least)), 4)
                for group in sorted(told)
            },
            **{f"n_{group}": len(told[group]) for group in sorted(told)},
        }
        for least in LEAST
    ]


def _groups(case: AnswerCase) -> Iterator[str]:
    if case.group == ANSWERABLE:
        yield "retrieved" if case.is_retrieved else "not_retrieved"
    else:
        yield case.group
    if case.group == REMOVED:
        yield "answer_elsewhere" if holds(case) else "answer_nowhere"


def _print(rows: Sequence[Row]) -> None:
    for row in rows:
        click.echo("  ".join(f"{key} {value}" for key, value in row.items()))


def _title(title: str) -> frozenset[str]:
    told = (fold(word) for word in words(title.replace("_", " ")))
    return frozenset(word[:5] for word in told if len(word) > 1 and word not in _COMMON)


def _folded(text: str) -> str:
    return " ".join(fold(word) for word in words(text))


if __name__ == "__main__":
    sys.exit(main([*sys.argv[1:], *os.environ.get("ARGS", "").split()]))
