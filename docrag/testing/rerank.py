"""A fake rerank server in the shapes of real ones, with the faults that they show."""

from __future__ import annotations

from typing import Any, Final

from docrag.api import f5
from docrag.testing.server import Exchange, FakeServer, Json

#: Servers that it can be. ``localai`` neither sorts nor counts; ``cohere`` knows no
#: ``return_documents``, ``voyage`` no ``top_n``.
SERVERS: Final = ("jina", "cohere", "infinity", "llamacpp", "localai", "tei", "vllm", "voyage")
#: Statuses of refusals, with the machine word of each.
REFUSALS: Final = {
    "400": "bad_request",
    "401": "invalid_api_key",
    "404": "model_not_found",
    "413": "Validation",
    "422": "unprocessable_entity",
    "424": "Backend",
    "429": "Overloaded",
    "500": "server_error",
    "503": "Unhealthy",
}
#: Answers whose results are broken.
BROKEN: Final = (
    "missing", "twice", "high", "negative", "fraction", "no_index", "nan", "infinite", "huge",
    "text", "null", "boolean", "no_list", "object", "nothing",
)  # fmt: skip
#: Answers that are no results at all. ``drip`` sends a space each ``delay`` seconds for ever.
BROKEN_OFF: Final = ("slow", "drip", "cut", "half", "html", "empty", "deep", "redirect")
#: Ways to fail; the empty one works.
FAULTS: Final = ("", *REFUSALS, *BROKEN, *BROKEN_OFF)
#: Most texts that TEI takes in one request unless it is told otherwise.
TEI_BATCH: Final = 32


class FakeReranker(FakeServer):
    """A rerank server that scores by common words; use it in a ``with`` block.

    A score is the share of the question's words (F5 terms) that a document holds, on the scale of
    the server: logits for llama.cpp, 0 to 1 otherwise. It answers under ``/rerank``, ``/v1/rerank``
    and ``/v2/rerank``.
    """

    def __init__(self, *, server: str = "jina", fault: str = "", delay: float = 1.0) -> None:
        """Choose how it answers.

        :param server: one of :data:`SERVERS`.
        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param delay: seconds that the fault ``slow`` waits, or between the bytes of ``drip``.
        :raises ValueError: an unknown server or fault.
        """
        super().__init__()
        if server not in SERVERS:
            raise ValueError(f"unknown server {server!r}; known: {', '.join(SERVERS)}")
        if fault not in FAULTS:
            raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS[1:])}")
        self.server = server
        self.fault = fault
        self.delay = delay
        #: The ``Authorization`` header of every request; empty where there was none.
        self.keys: list[str] = []
        paths = ("/rerank", "/v1/rerank", "/v2/rerank")
        self.routes = {("POST", path): self._rerank for path in paths}

    @property
    def calls(self) -> int:
        """Requests so far."""
        return len(self.requests)

    def _rerank(self, exchange: Exchange) -> None:
        self.keys.append(exchange.headers.get("Authorization") or "")
        if self.fault in REFUSALS:
            self._refuse(exchange, int(self.fault))
        elif self.fault in BROKEN_OFF:
            self._break(exchange)
        elif (wrong := self._misfit(exchange.body)) is not None:
            self._refuse(exchange, wrong)
        else:
            exchange.send_json(self._answer(exchange.body))

    def _answer(self, body: Json) -> object:
        texts = body["texts" if "texts" in body else "documents"]
        found = [overlap(body["query"], text) for text in texts]
        if self.server == "llamacpp":
            found = [10.0 * score - 5.0 for score in found]
        name = "score" if "texts" in body else "relevance_score"
        results = [{"index": index, name: score} for index, score in enumerate(found)]
        if self.server == "localai":
            results.reverse()
        else:
            results.sort(key=lambda result: -float(result[name]))
            results = results[: body.get("top_n") or body.get("top_k")]
        return self._wrapped(_broken(results, name, self.fault), texts, body)

    def _wrapped(self, results: list[Json], texts: list[str], body: Json) -> object:
        if self.fault == "object":
            return {"message": "model is loading"}
        if self.fault == "no_list":
            return {"data": {str(index): result for index, result in enumerate(results)}}
        if "texts" in body:
            return results
        usage = {"total_tokens": sum(len(text.split()) for text in texts)}
        if self.server == "voyage":
            return {"object": "list", "data": results, "model": body["model"], "usage": usage}
        if self.server == "vllm":
            results = [{**r, "document": {"text": texts[_place(r)]}} for r in results]
        elif self.server == "infinity":
            results = [{**r, "document": None} for r in results]
        return {"model": body.get("model"), "results": results, "usage": usage}

    def _misfit(self, body: Json) -> int | None:
        """Status of a request that the real server would refuse."""
        if self.server == "tei":
            texts = body.get("texts")
            if not isinstance(texts, list) or "query" not in body:
                return 422
            return 413 if len(texts) > TEI_BATCH else None
        if self.server == "llamacpp" and "texts" in body:
            return None
        unknown = {"cohere": "return_documents", "voyage": "top_n"}.get(self.server)
        needs_model = self.server in ("cohere", "jina", "voyage")
        if unknown in body or not body.get("documents") or (needs_model and not body.get("model")):
            return 400
        return None

    def _refuse(self, exchange: Exchange, status: int) -> None:
        # As some real servers do, it repeats what it was sent.
        said = f"cannot rerank {exchange.body} for {self.keys[-1]}"
        word = REFUSALS[str(status)]
        if self.server == "tei":
            exchange.send_json({"error": said, "error_type": word}, status=status)
        else:
            exchange.send_json({"error": {"message": said, "type": word}}, status=status)

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
        elif self.fault == "half":
            exchange.send_response(200)
            exchange.send_header("Content-Length", "1000")
            exchange.end_headers()
            exchange.wfile.write(b'{"results": [')
            exchange.cut()
        elif self.fault == "redirect":
            exchange.send_response(307)
            exchange.send_header("Location", f"{self.url}/v1/rerank")
            exchange.send_header("Content-Length", "0")
            exchange.end_headers()
        else:
            bodies = {"html": b"<html>upstream</html>", "empty": b"", "deep": b"[" * 100_000}
            exchange.send_bytes(bodies[self.fault], content_type="text/html")


def overlap(query: str, text: str) -> float:
    """Share of the question's F5 terms that a text holds, 0 to 1; 0 for a question without any."""
    wanted = set(f5(query))
    return len(wanted & set(f5(text))) / len(wanted) if wanted else 0.0


def _broken(results: list[Json], name: str, fault: str) -> list[Json]:
    """The results with the last one broken as the fault says."""
    changes: dict[str, dict[str, Any]] = {
        "twice": {"index": results[0]["index"]},
        "high": {"index": len(results)},
        "negative": {"index": -1},
        "fraction": {"index": float(_place(results[-1]))},
        "no_index": {"index": None},
        "nan": {name: float("nan")},
        "infinite": {name: float("inf")},
        "huge": {name: 10**400},
        "text": {name: "0.9"},
        "null": {name: None},
        "boolean": {name: True},
    }
    if fault == "nothing":
        return []
    kept = results[:-1]
    if fault == "missing":
        return kept
    return [*kept, {**results[-1], **changes.get(fault, {})}]


def _place(result: Json) -> int:
    return int(result["index"])
