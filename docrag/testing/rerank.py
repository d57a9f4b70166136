"""A fake rerank server in the shapes of real ones, with the faults that they show."""

from __future__ import annotations

from typing import Any, Final

from docrag.testing.scorer import BROKEN_OFF, REFUSALS, FakeScorer
from docrag.testing.scorer import TEI_BATCH as TEI_BATCH
from docrag.testing.scorer import overlap as overlap
from docrag.testing.server import Json

#: Servers that it can be. ``localai`` neither sorts nor counts; ``cohere`` knows no
#: ``return_documents``, ``voyage`` no ``top_n``.
SERVERS: Final = ("jina", "cohere", "infinity", "llamacpp", "localai", "tei", "vllm", "voyage")
#: Answers whose results are broken.
BROKEN: Final = (
    "missing", "twice", "high", "negative", "fraction", "no_index", "nan", "infinite", "huge",
    "text", "null", "boolean", "no_list", "object", "nothing",
)  # fmt: skip
#: Ways to fail; the empty one works.
FAULTS: Final = ("", *REFUSALS, *BROKEN, *BROKEN_OFF)


class FakeReranker(FakeScorer):
    """A rerank server that scores by common words; use it in a ``with`` block.

    A score is the share of the question's words (F5 terms) that a document holds, on the scale of
    the server: logits for llama.cpp, 0 to 1 otherwise. It answers under ``/rerank``, ``/v1/rerank``
    and ``/v2/rerank``.
    """

    servers, faults = SERVERS, FAULTS

    def __init__(self, *, server: str = "jina", fault: str = "", delay: float = 1.0) -> None:
        """Choose how it answers.

        :param server: one of :data:`SERVERS`.
        :param fault: one of :data:`FAULTS`; may be changed while it runs.
        :param delay: seconds that the fault ``slow`` waits, or between the bytes of ``drip``.
        :raises ValueError: an unknown server or fault.
        """
        super().__init__(server=server, fault=fault, delay=delay)
        paths = ("/rerank", "/v1/rerank", "/v2/rerank")
        self.routes = {("POST", path): self.respond for path in paths}

    def answer(self, body: Json) -> object:
        """A score of every text, the last one's broken if the fault says so."""
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

    def misfit(self, body: Json) -> int | None:
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

    def refusal(self, said: str, word: str) -> Json:
        """The JSON of a refusal, in the words of the server."""
        if self.server == "tei":
            return super().refusal(said, word)
        return {"error": {"message": said, "type": word}}


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
