"""A fake classification server in the shapes of real ones, with the faults that they show."""

from __future__ import annotations

from typing import Any, Final

from docrag.api import f5
from docrag.testing.server import Exchange, FakeServer, Json

#: Servers that it can be: ``tei`` text-embeddings-inference, ``hf`` a pipeline of transformers.
SERVERS: Final = ("tei", "hf")
#: Statuses of refusals, with the machine word of each.
REFUSALS: Final = {
    "400": "bad_request",
    "401": "invalid_api_key",
    "413": "Validation",
    "422": "unprocessable_entity",
    "424": "Backend",
    "429": "Overloaded",
    "500": "server_error",
    "503": "Unhealthy",
}
#: Answers whose labels are broken; ``best_only`` is none of them, but what some servers answer.
BROKEN: Final = (
    "missing", "more", "nan", "null", "text", "boolean", "raw", "negative", "huge", "no_name",
    "twice", "bare", "no_labels", "no_list", "no_entailment", "garbage", "best_only",
)  # fmt: skip
#: Answers that are no labels at all. ``drip`` sends a space each ``delay`` seconds for ever.
BROKEN_OFF: Final = ("slow", "drip", "cut", "html", "empty", "deep", "redirect")
#: Ways to fail; the empty one works.
FAULTS: Final = ("", *REFUSALS, *BROKEN, *BROKEN_OFF)
#: Labels of a usual model of textual entailment.
NLI: Final = ("entailment", "neutral", "contradiction")
#: Most pairs that TEI takes in one request unless it is told otherwise.
TEI_BATCH: Final = 32
#: Words that TEI's model reads, about 512 tokens; a longer pair is refused unless it may be cut.
TEI_WORDS: Final = 300


class FakeClassifier(FakeServer):
    """A server whose model tells entailment by common words; use it in a ``with`` block.

    The share of the first label is that of the sentence's words (F5 terms) that the passage holds;
    what it leaves of 1 is the last label's. Labels come best first, as real servers send them. TEI
    answers under ``/predict``, the pipeline under ``/``.
    """

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
        super().__init__()
        if server not in SERVERS:
            raise ValueError(f"unknown server {server!r}; known: {', '.join(SERVERS)}")
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.server, self.labels = server, labels
        self.fault, self.delay = fault, delay
        #: The ``Authorization`` header of every request; empty where there was none.
        self.keys: list[str] = []
        path = "/predict" if server == "tei" else "/"
        self.routes = {("POST", path): self._classify}

    @property
    def calls(self) -> int:
        """Requests so far."""
        return len(self.requests)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Passage and sentence of every pair that was sent, in order."""
        return [pair for body in self.requests for pair in self._pairs(body) or ()]

    def _classify(self, exchange: Exchange) -> None:
        self.keys.append(exchange.headers.get("Authorization") or "")
        pairs = self._pairs(exchange.body)
        if self.fault in REFUSALS:
            self._refuse(exchange, int(self.fault))
        elif self.fault in BROKEN_OFF:
            self._break(exchange)
        elif pairs is None:
            self._refuse(exchange, 422)
        elif self.server == "tei" and self._is_too_much(exchange.body, pairs):
            self._refuse(exchange, 413)
        else:
            exchange.send_json(_broken([self._row(*pair) for pair in pairs], self.fault))

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

    def _refuse(self, exchange: Exchange, status: int) -> None:
        # As some real servers do, it repeats what it was sent.
        said = f"cannot classify {exchange.body} for {self.keys[-1]}"
        exchange.send_json({"error": said, "error_type": REFUSALS[str(status)]}, status=status)

    def _break(self, exchange: Exchange) -> None:
        if self.fault == "slow":
            exchange.wait(self.delay)
            exchange.send_json([])
        elif self.fault == "drip":
            exchange.start_stream("application/json")
            while True:
                exchange.wait(self.delay)
                exchange.send_piece(b" ")
        elif self.fault == "cut":
            exchange.cut()
        elif self.fault == "redirect":
            exchange.send_bytes(b"", status=307, headers={"Location": f"{self.url}/v2"})
        else:
            bodies = {"html": b"<html>upstream</html>", "empty": b"", "deep": b"[" * 100_000}
            exchange.send_bytes(bodies[self.fault], content_type="text/html")


def overlap(sentence: str, passage: str) -> float:
    """Share of the sentence's F5 terms that a passage holds, 0 to 1; 0 for one without any."""
    wanted = set(f5(sentence))
    return len(wanted & set(f5(passage))) / len(wanted) if wanted else 0.0


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
