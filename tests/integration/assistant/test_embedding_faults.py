"""Servers that refuse a chunk, from file to search (cases B14 and B15 of the field reports)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from docrag.api import Access
from docrag.testing.ollama import FakeOllama
from docrag.testing.server import Exchange
from docrag.testing.vectors import hashed

from .conftest import Opener

ADMIN = Access.of(["admin"])
#: Where the word stands, and how many pages there are.
PLACE, PAGES = 23, 40


def paged(texts: Sequence[str]) -> bytes:
    """A PDF with a line of text on each page."""
    font = (
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding "
        "/BaseEncoding /WinAnsiEncoding /Differences [128 /Idotaccent] >> >>"
    )
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(texts)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>",
        font,
    ]
    for n, text in enumerate(texts):
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R "
            f">> >> /Contents {5 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".replace("İ", "\x80").encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
    end += f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + end.encode()


def manual() -> bytes:
    """Forty pages with a word that the model cannot embed on one of them."""
    texts = [f"Sayfa {n}: bakim kaydi numara {n}, kontrol cihazi {n * 7}" for n in range(PAGES)]
    texts[PLACE] += " TETİK kilidi"
    return paged(texts)


def rows(change: Callable[[list[list[float]], Sequence[str]], Any]) -> type[FakeOllama]:
    """A server whose vectors of a batch with the word are changed."""

    class Changing(FakeOllama):
        """Answers 200 with odd vectors."""

        def _embed(self, exchange: Exchange) -> None:
            self.embed_calls += 1
            texts = exchange.body["input"]
            found = [hashed(text, self.dim) for text in texts]
            odd = any("TETİK" in text for text in texts)
            exchange.send_json({"embeddings": change(found, texts) if odd else found})

    return Changing


def marked(
    change: Callable[[list[float]], Any],
) -> Callable[[list[list[float]], Sequence[str]], Any]:
    """Changes only the row of the text with the word."""
    return lambda found, texts: [
        change(row) if "TETİK" in text else row for row, text in zip(found, texts, strict=True)
    ]


FAULTS: dict[str, Callable[..., FakeOllama]] = {
    "500": lambda: FakeOllama(dim=16, fail_on="TETİK"),
    "NaN": lambda: rows(marked(lambda row: [float("nan"), *row[1:]]))(dim=16),
    "zero": lambda: rows(marked(lambda row: [0.0] * len(row)))(dim=16),
    "null": lambda: rows(marked(lambda row: None))(dim=16),
    "wrong dimension": lambda: rows(marked(lambda row: row[1:]))(dim=16),
    "too few": lambda: rows(lambda found, texts: found[1:])(dim=16),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_b14_chunk_that_cannot_be_embedded_is_named(open_assistant: Opener, fault: str) -> None:
    with FAULTS[fault]() as fake:
        options = {"url": fake.url, "dim": 16, "batch_size": 16}
        assistant = open_assistant(embedder="ollama", embedder_options=options, chunker="recursive")
        assistant.store.roles.create("ik")
        document = assistant.ingest(manual(), filename="bakim.pdf", roles=["ik"])
        # Three batches; in one of them 16 texts are halved down to one, and a probe is sent; then
        # the others of that batch once more.
        assert fake.embed_calls <= 3 + 2 * 4 + 1 + 1
        found = assistant.search("bakim kaydi numara kontrol cihazi", access=ADMIN, k=50)
    assert (document.chunks, len(found)) == (PAGES - 1, PAGES - 1)
    assert document.state == "ready_with_warnings"
    (warning,) = document.warnings
    assert f"chunk {PLACE + 1} " in warning
    assert f"page {PLACE + 1} " in warning


def test_b14_document_that_is_refused_as_a_whole_fails_after_one_try(
    open_assistant: Opener,
) -> None:
    with FakeOllama(dim=16, fail_on=" ") as fake:
        options = {"url": fake.url, "dim": 16}
        assistant = open_assistant(embedder="ollama", embedder_options=options, chunker="recursive")
        assistant.store.roles.create("ik")
        document, job = assistant.upload(manual(), filename="bakim.pdf", roles=["ik"])
        assistant.work_once()
        assert fake.embed_calls <= 2 * PAGES + 3
        assert assistant.document(document.id, access=ADMIN).state == "failed"


@pytest.fixture
def law() -> bytes:
    """Law 6331, of the shared test data."""
    folder = Path(os.environ.get("DATA", Path(__file__).parents[4] / "shared" / "data"))
    path = folder / "docs/tr/kanun_6331.pdf"
    if not path.is_file():
        pytest.skip("SHARED TEST DATA ABSENT: no docs/tr/kanun_6331.pdf; set DATA")
    return path.read_bytes()


@pytest.mark.parametrize("chunker", ["legal_tr"])
def test_b15_text_that_is_too_long_is_split_until_it_fits(
    open_assistant: Opener, law: bytes, chunker: str
) -> None:
    with FakeOllama(dim=64, max_characters=1500) as fake:
        assistant = open_assistant(
            embedder="ollama",
            embedder_options={"url": fake.url, "dim": 64},
            chunker=chunker,
            chunk_size=6000,
            **({"chunker_options": {"size": 6000}} if chunker == "legal_tr" else {}),
        )
        assistant.store.roles.create("isg")
        document = assistant.ingest(law, filename="kanun_6331.pdf", roles=["isg"])
        pages = assistant.store.documents.pages(document.id, access=ADMIN)
        found = assistant.search("işveren çalışan madde", access=ADMIN, k=200)
    assert document.state == "ready"
    assert document.warnings == ()
    text = " ".join(item.chunk.text for item in found)
    assert max(len(item.chunk.text) for item in found) <= 1500
    assert pages and document.pages == 24
    if chunker == "legal_tr":
        named = {item.chunk.article.number for item in found if item.chunk.article}
        assert named >= {str(number) for number in range(1, 40)}
    for number in range(1, 40):
        assert f"MADDE {number} " in text or f"Madde {number} " in text
