"""The scores in an answer of a rerank server, checked before anything is ordered by them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from docrag.api import RerankerError

#: Names of the list of results in an answer that is an object.
_LISTS = ("results", "data")
#: Names of a result's score.
_SCORES = ("relevance_score", "score")


def scores(answer: object, *, count: int, label: str) -> list[float]:
    """A score for every document, in the order in which the documents were sent.

    Servers differ: the list is bare or called ``results`` or ``data``, sorted or not, and a score
    is called ``relevance_score`` or ``score``. Only the ``index`` of a result tells its document.

    :param answer: parsed JSON.
    :param count: how many documents were sent, 1 or more.
    :param label: what the message of an error calls the server.
    :returns: ``count`` finite numbers, on the server's own scale.
    :raises RerankerError: not such a list; a document without a score or with two; an index that
        was not sent; a score that is no finite number.
    """
    found: dict[int, float] = {}
    for result in _results(answer, label):
        index = result.get("index")
        if type(index) is not int or not 0 <= index < count:
            raise RerankerError(
                f"{label} scored a document that it was not given; check the option shape"
            )
        if index in found:
            raise RerankerError(f"{label} scored one document twice; do not use this server")
        found[index] = _score(result, label)
    if len(found) < count:
        raise RerankerError(
            f"{label} gave {len(found)} scores for {count} documents; lower batch_size, or look "
            "for a limit of results in the server"
        )
    return [found[index] for index in range(count)]


def _results(answer: object, label: str) -> Sequence[Mapping[str, object]]:
    rows = answer
    if isinstance(answer, dict):
        rows = next((answer[name] for name in _LISTS if name in answer), None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise RerankerError(
            f"{label} does not answer with a list of results; check the options url and shape"
        )
    return rows


def _score(result: Mapping[str, object], label: str) -> float:
    value = next((result[name] for name in _SCORES if name in result), None)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            score = float(value)
        except OverflowError:  # an integer beyond the range of floats
            score = math.inf
        if math.isfinite(score):
            return score
    raise RerankerError(
        f"{label} gave a score that is no finite number; check the option model, or the server's "
        "precision"
    )
