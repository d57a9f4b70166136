"""The request shapes of rerank servers: which fields a body has, and under which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from docrag.api import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a family of servers wants to be asked."""

    #: Field of the documents, a list of strings.
    documents: str = "documents"
    #: Field of the number of results; empty where a server always gives all.
    count: str = "top_n"
    #: Fields that are always the same: documents are not asked back, long ones are cut.
    fixed: Mapping[str, bool] = field(default_factory=dict)

    def body(self, model: str, query: str, documents: Sequence[str]) -> dict[str, Any]:
        """The JSON of a request that asks for a score of every document.

        :param model: left out when empty; servers with a single model do not want one.
        """
        body: dict[str, Any] = {"query": query, self.documents: list(documents), **self.fixed}
        if model:
            body["model"] = model
        if self.count:
            body[self.count] = len(documents)
        return body


_JINA: Final = Shape(fixed={"return_documents": False})
#: Shapes by the names that the option ``shape`` takes. Some servers share one.
SHAPES: Final[Mapping[str, Shape]] = {
    "jina": _JINA,
    "cohere": Shape(),
    "infinity": _JINA,
    "llamacpp": _JINA,
    "localai": _JINA,
    "tei": Shape(
        documents="texts",
        count="",
        fixed={"raw_scores": False, "return_text": False, "truncate": True},
    ),
    "vllm": _JINA,
    "voyage": Shape(count="top_k", fixed={"return_documents": False, "truncation": True}),
}


def shape_of(name: str) -> Shape:
    """The shape of a server.

    :raises SettingsError: no shape has this name; the message lists them.
    """
    if name not in list(SHAPES):  # a list: what JSON gives may have no hash
        raise SettingsError(f"shape is {name!r}; choose one of {', '.join(sorted(SHAPES))}")
    return SHAPES[name]
