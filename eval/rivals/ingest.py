"""LangChain's usual way from PDF files to a searchable store, measured.

``python -m eval.rivals.ingest whole URL FOLDER OUT.json FILE…``: ``PyPDFLoader``,
``RecursiveCharacterTextSplitter`` with 1,000 characters and 150 overlap, and ``PGVector``, all else
as their documentation has it. The embedder costs nothing: vectors are made at random beforehand.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
from langchain_community.document_loaders import PyPDFLoader
from langchain_core.embeddings import Embeddings
from langchain_postgres import PGVector
from langchain_text_splitters import RecursiveCharacterTextSplitter

#: Length of a vector, that of docrag's in the same run.
DIM: Final = 256


class _Instant(Embeddings):
    """One random vector for every text."""

    def __init__(self) -> None:
        row: list[float] = np.random.default_rng(0).standard_normal(DIM).tolist()
        self._row = row

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._row] * len(texts)

    def embed_query(self, text: str) -> list[float]:
        return self._row


def main(_: str, url: str, folder: str, out: str, *names: str) -> None:
    """Load, split and store the files; the seconds are written down."""
    store = PGVector(
        embeddings=_Instant(), connection=url, collection_name="files", embedding_length=DIM
    )
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=150)
    started, pages = time.perf_counter(), 0
    for name in names:
        documents = PyPDFLoader(name).load()
        pages += len(documents)
        # PostgreSQL refuses NUL, which one of the files has.
        for document in documents:
            document.page_content = document.page_content.replace("\x00", "")
        store.add_documents(splitter.split_documents(documents))
    result = {"whole": time.perf_counter() - started, "pages": pages}
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
