"""A fake classification server in the shapes of real ones, with the faults that they show."""

from __future__ import annotations

from typing import Any, Final

from docrag.testing.scorer import BROKEN_OFF, REFUSALS, TEI_BATCH, FakeScorer
from docrag.testing.scorer import overlap as overlap
from docrag.testing.server import Json

#: Servers that it can be: ``tei`` text-embeddings-inference, ``hf`` a pipeline of transformers.
SERVERS: Final = ("tei", "hf")
#: Answers whose labels are broken; ``best_only`` is none of them, but what some servers answer.
BROKEN: Final = (
    "missing", "more", "nan", "null", "text", "boolean", "raw", "negative", "huge", "no_name",
    "twice", "bare", "no_labels", "no_list", "no_entailment", "garbage", "best_only",
)  # fmt: skip
#: Ways to fail; the empty one works.
FAULTS: Final = ("", *REFUSALS, *BROKEN, *BROKEN_OFF)
#: Labels of a usual model of textual entailment.
NLI: Final = ("entailment", "neutral", "contradiction")
#: Words that TEI's model reads, about 512 tokens; a longer pair is refused unless it may be cut.
TEI_WORDS: Final = 300


class FakeClassifier(FakeScorer):
    """A server whose model tells entailment by common words; use it in a ``with`` block.

    The share of the first label is that of the sentence's words (F5 terms) that the passage holds;
    what it leaves of 1 is the last label's. Labels come best first, as real servers send them. TEI
    answers under ``/predict``, the pipeline under ``/``.
    """

    servers, faults = SERVERS, FAULTS

    def __init__(
        self,
        *,
        server: str = "tei",
        labels: tuple[str, ...] = NLI,
        fault: str = "",
        delay: float = 1.0,
    ) -> None:
        """Choose how it answers.

        :param server: one of :data:`SERVERS`.
        :param labels: what its model calls them, entailment first, two or more.
        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param delay: seconds that the fault ``slow`` waits, or between the bytes of ``drip``.
        :raises ValueError: an unknown server or fault.
        """
        super().__init__(server=server, fault=fault, delay=delay)
        self.labels = labels
        self.routes = {("POST", "/predict" if server == "tei" else "/"): self.respond}

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Passage and sentence of every pair that was sent, in order."""
        return [pair for body in self.requests for pair in self._pairs(body) or ()]

    def answer(self, body: Json) -> object:
        """Labels of every pair, the last pair's broken if the fault says so."""
        return _broken([self._row(*pair) for pair in self._pairs(body) or ()], self.fault)

    def misfit(self, body: Json) -> int | None:
        """Status of a request that the real server would refuse."""
        pairs = self._pairs(body)
        if pairs is None:
            return 422
        return 413 if self.server == "tei" and self._is_too_much(body, pairs) else None

    def _pairs(self, body: Json) -> list[tuple[str, str]] | None:
        """What was sent; ``None`` for a request in another shape."""
        inputs = body.get("inputs")
        if not isinstance(inputs, list) or not inputs:
            return None
        if self.server == "hf":
            inputs = [
                [item.get("text"), item.get("text_pair")] if isinstance(item, dict) else item
                for item in inputs
            ]
        wrong = any(not isinstance(item, list) or len(item) != 2 for item in inputs)
        return None if wrong else [(item[0], item[1]) for item in inputs]

    def _is_too_much(self, body: Json, pairs: list[tuple[str, str]]) -> bool:
        longest = max(len(f"{premise} {hypothesis}".split()) for premise, hypothesis in pairs)
        return len(pairs) > TEI_BATCH or (longest > TEI_WORDS and not body.get("truncate"))

    def _row(self, premise: str, hypothesis: str) -> list[Json]:
        entailed = overlap(hypothesis, premise)
        found = dict.fromkeys(self.labels, 0.0)
        found[self.labels[-1]] = 1.0 - entailed
        found[self.labels[0]] = entailed
        row: list[Json] = [{"score": score, "label": label} for label, score in found.items()]
        return sorted(row, key=lambda entry: -float(entry["score"]))


def _broken(rows: list[list[Json]], fault: str) -> object:
    """The answer, with the last pair broken as the fault says."""
    whole: dict[str, object] = {
        "missing": rows[:-1],
        "more": [*rows, rows[-1]],
        "no_list": {"error": "model is loading"},
        "best_only": [row[0] for row in rows],
        "no_entailment": [
            [{**entry, "label": f"LABEL_{place}"} for place, entry in enumerate(row)]
            for row in rows
        ],
    }
    if fault in whole:
        return whole[fault]
    scores: dict[str, Any] = {
        "nan": float("nan"), "null": None, "text": "0.9", "boolean": True, "raw": 7.25,
        "negative": -0.5, "huge": 10**400,
    }  # fmt: skip
    last = rows[-1]
    lasts: dict[str, object] = {
        "no_name": [{**entry, "label": None} for entry in last],
        "twice": [last[0], *last],
        "bare": [entry["score"] for entry in last],
        "no_labels": [],
        "garbage": "entailment",
    }
    if fault in scores:
        return [*rows[:-1], [{**entry, "score": scores[fault]} for entry in last]]
    return [*rows[:-1], lasts.get(fault, last)]
