"""The answer of a classification server, as the share that each pair is entailed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from docrag.api import JudgeError

#: How models call that the passage supports the sentence, as :func:`_plain` spells it.
SUPPORTED: Final = frozenset(
    {"entailment", "entail", "entails", "entailed", "support", "supports", "supported",
     "consistent"}
)  # fmt: skip
#: Usual names of what is no entailment.
OTHERS: Final = frozenset(
    {"contradiction", "contradict", "contradicts", "neutral", "not_entailment", "non-entailment",
     "refute", "refutes", "refuted", "unsupported", "not_supported", "inconsistent",
     "hallucinated", "not_enough_info"}
)  # fmt: skip
#: A label that a message may show; a piece of somebody's text is not of this form.
_SHOWN: Final = re.compile(r"[\w-]{1,40}")
#: Most labels that a message names.
_NAMED: Final = 6
#: How far above 1 a share may be by rounding.
_ROUNDING: Final = 1e-3


def shares(answer: object, *, count: int, wanted: str, label: str) -> list[float | None]:
    """For every pair, in the order sent, how sure the model is that the sentence is entailed.

    A server gives the labels of a pair with their shares, all of them or the best one alone. Of a
    best one that is another label only a bound is known: the entailed share is no more than that
    label's, nor than what that leaves of 1.

    :param answer: parsed JSON.
    :param count: how many pairs were sent, 1 or more.
    :param wanted: label that means entailment; empty for the usual names.
    :param label: what the message of an error calls the server.
    :returns: ``count`` numbers of 0 to 1; ``None`` for a pair whose share is no number.
    :raises JudgeError: not such a list, another number of pairs, a share beyond 0 to 1, or no
        label in any of the pairs that is known to mean entailment.
    """
    rows = [_row(item, label) for item in _items(answer, count, label)]
    names = {name for row in rows for name in row}
    right = {name for name in names if _means(name, wanted)}
    is_known = bool(wanted) or {_plain(name) for name in names} <= OTHERS
    if not right and not (is_known and all(len(row) == 1 for row in rows)):
        shown = ", ".join(sorted(filter(_SHOWN.fullmatch, names))[:_NAMED]) or "others"
        raise JudgeError(
            f"{label} has no label that means entailment, but {shown}; set the option label"
        )
    return [_share(row, right, label) for row in rows]


def _items(answer: object, count: int, label: str) -> Sequence[object]:
    """One item a pair; a single pair may have been answered without the outer list."""
    if not isinstance(answer, list):
        raise JudgeError(f"{label} does not answer with a list of labels; check the option url")
    flat = all(isinstance(item, dict) for item in answer)
    if flat and count == 1 and answer:
        return [answer]
    if len(answer) != count:
        raise JudgeError(
            f"{label} answered for {len(answer)} pairs of {count}; lower the option batch_size"
        )
    return answer


def _row(item: object, label: str) -> dict[str, object]:
    """Share by label of one pair."""
    entries = item if isinstance(item, list) else [item]
    found = [entry for entry in entries if isinstance(entry, Mapping)]
    if not found or len(found) < len(entries):
        raise JudgeError(f"{label} gave a pair no labels; check the options url and shape")
    row = {entry.get("label"): entry.get("score") for entry in found}
    named = {name: share for name, share in row.items() if isinstance(name, str) and name}
    if len(named) < len(entries):
        raise JudgeError(f"{label} gave a label without a name, or one twice; check its model")
    return named


def _share(row: Mapping[str, object], right: set[str], label: str) -> float | None:
    numbers = {name: _number(share, label) for name, share in row.items()}
    entailed = [share for name, share in numbers.items() if name in right]
    if not entailed and len(numbers) > 1:
        raise JudgeError(f"{label} left the label of entailment out for a pair; check its model")
    if not entailed:
        best = next(iter(numbers.values()))
        return None if best is None else min(best, 1.0 - best)
    return None if None in entailed else min(1.0, sum(filter(None, entailed)))


def _number(value: object, label: str) -> float | None:
    # Only NaN differs from itself; math.isnan does not take every integer.
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return None
    if not 0.0 <= value <= 1.0 + _ROUNDING:
        raise JudgeError(f"{label} gave a share beyond 0 to 1; have it apply softmax to its scores")
    return min(1.0, float(value))


def _means(name: str, wanted: str) -> bool:
    return _plain(name) == _plain(wanted) if wanted else _plain(name) in SUPPORTED


def _plain(name: str) -> str:
    """Without case; labels are machine words, so no language's rules apply."""
    return name.strip().casefold()
