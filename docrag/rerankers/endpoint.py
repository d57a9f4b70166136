"""The HTTP address that reranks, and what its failures tell the operator."""

from __future__ import annotations

from typing import Final

from docrag.api import Endpoint, EndpointWords, RerankerError

#: Ends of an address that is whole; anything else is the start of one.
_PATHS: Final = ("/rerank", "/reranking")
_WORDS: Final = EndpointWords(
    name="the reranker",
    api="rerank API",
    late="raise the option timeout, or lower DOCRAG_RERANK_K or the option max_characters",
    remedies={
        429: "it takes no more requests now; raise its limit or lower DOCRAG_RERANK_K",
        500: "it failed; look at its log, and lower the option max_characters if a document was "
        "too long",
    },
    action="rerank_refused",
)


def reranker_at(url: str, *, api_key: str = "", ca_file: str = "") -> Endpoint:
    """A server that reranks; nothing is sent yet. Its failures are :class:`RerankerError`.

    :param url: ``/rerank`` is appended unless it is there.
    :raises SettingsError: the address, the key or the file cannot be right.
    """
    return Endpoint(
        url=url, paths=_PATHS, words=_WORDS, error=RerankerError, api_key=api_key, ca_file=ca_file
    )
