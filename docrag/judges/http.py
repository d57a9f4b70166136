"""A judge behind HTTP: a model of textual entailment on a classification server."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from docrag.api import SettingsError, check_counts, check_timeout
from docrag.judges.endpoint import judge_at
from docrag.judges.labels import shares
from docrag.judges.parts import clean, parts

Pair = tuple[str, str]


def _tei(pairs: Sequence[Pair]) -> dict[str, Any]:
    return {"inputs": [list(pair) for pair in pairs], "truncate": True, "raw_scores": False}


def _hf(pairs: Sequence[Pair]) -> dict[str, Any]:
    inputs = [{"text": premise, "text_pair": hypothesis} for premise, hypothesis in pairs]
    # No limit of labels, and shares that add up to 1.
    return {"inputs": inputs, "parameters": {"top_k": None, "function_to_apply": "softmax"}}


#: The request of each kind of server, and what is appended to its address.
SHAPES: Final[Mapping[str, tuple[Callable[[Sequence[Pair]], dict[str, Any]], str]]] = {
    "tei": (_tei, "/predict"),
    "hf": (_hf, ""),
}


class HttpJudge:
    """Asks a server how sure its model is that a sentence follows from a passage.

    Thread-safe, cheap to construct. The model is one of textual entailment (NLI) or one that tells
    grounded from made-up text. There is no default address, so that no text leaves for a cloud
    because an option was forgotten.
    """

    def __init__(
        self,
        *,
        url: str,
        shape: str = "tei",
        label: str = "",
        api_key: str = "",
        timeout: float = 10.0,
        batch_size: int = 32,
        max_characters: int = 1200,
        ca_file: str = "",
    ) -> None:
        """Remember the server; nothing is sent yet.

        :param url: address of the API; for ``tei`` ``/predict`` is appended unless it is there.
        :param shape: ``tei`` for text-embeddings-inference, ``hf`` for a pipeline of transformers
            as Hugging Face's endpoints serve it.
        :param label: the model's label for entailment; empty for the usual names of it.
        :param api_key: bearer token; empty sends none.
        :param timeout: seconds that one call may take, all its requests together; a server that
            stops in the middle of an answer can take them twice.
        :param batch_size: most pairs in one request.
        :param max_characters: most characters of a passage that the model reads at once; a longer
            one is judged in parts, and the part that supports the sentence best counts.
        :param ca_file: PEM file of the authority that signed the server's certificate; empty for
            the public ones.
        :raises SettingsError: an option is wrong.
        """
        if shape not in list(SHAPES):  # a list: what JSON gives may have no hash
            raise SettingsError(f"shape is {shape!r}; choose one of {', '.join(SHAPES)}")
        if not isinstance(label, str):
            raise SettingsError(f"label must be a text, not {label!r:.80}")
        check_counts(batch_size=batch_size, max_characters=max_characters)
        check_timeout(timeout)
        self._body, path = SHAPES[shape]
        self._endpoint = judge_at(url, path=path, api_key=api_key, ca_file=ca_file)
        self._label, self._timeout = label, timeout
        self._batch_size, self._max_characters = batch_size, max_characters

    def judge(self, claims: Sequence[tuple[str, str]]) -> list[float | None]:
        """How sure the model is, for each claim, that the passage entails the sentence.

        :param claims: sentence and text of a passage.
        :returns: 0 to 1 in order; ``None`` for an empty sentence or passage, and where the model
            gave no number.
        :raises JudgeError: the server failed or answered nonsense.
        """
        asked: list[tuple[int, Pair]] = []
        for place, (sentence, passage) in enumerate(claims):
            hypothesis = clean(sentence)
            pieces = parts(clean(passage), self._max_characters) if hypothesis else []
            asked += [(place, (piece, hypothesis)) for piece in pieces]
        found: list[list[float | None]] = [[] for _ in claims]
        for (place, _), share in zip(asked, self._shares([pair for _, pair in asked]), strict=True):
            found[place].append(share)
        return [_best(told) for told in found]

    def _shares(self, pairs: Sequence[Pair]) -> list[float | None]:
        """A share for every pair, in the order given."""
        end = time.monotonic() + self._timeout
        found: list[float | None] = []
        for start in range(0, len(pairs), self._batch_size):
            batch = pairs[start : start + self._batch_size]
            answer = self._endpoint.post(self._body(batch), end=end)
            found += shares(
                answer, count=len(batch), wanted=self._label, label=self._endpoint.label
            )
        return found


def _best(told: Sequence[float | None]) -> float | None:
    """The highest share of a passage's parts; ``None`` if no part has one."""
    return max((share for share in told if share is not None), default=None)
