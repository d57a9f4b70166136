"""Laws as docrag cuts them: is every article counted, whole and on its page?

The articles of each file were counted by hand, in ``legal.json``. What is expected of Law 6331 is
read from its text here by rules of its own, which know this one print and nothing else.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from docrag.api import Chunk, OcrEngine, Page, sentences
from docrag.chunkers.legal import LegalChunker
from docrag.loaders.ocr import ocr_of
from docrag.loaders.pdf import PdfLoader
from eval.report import Row

#: Size of a chunk, characters, as it is set when nothing else is.
SIZE: Final = 1_000
LAW: Final = "kanun_6331.pdf"
EXPECTED: Final = Path(__file__).with_suffix(".json")
#: Articles of Law 6331: 1 to 39, 25/A and nine temporary ones.
ARTICLES: Final = 49
_HEADING = re.compile(r"^(?:GEÇİCİ )?MADDE \d+(?:/A)? –", re.M)
#: Below this stands what amended the law.
_END = "6331 SAYILI KANUNA EK"
#: A printed page number at the end of a span that goes up to the next page's first words.
_PRINTED = re.compile(r"(?:^|(?<=\n))[ \t]*116\d\d(?:-1)?\s*$")
#: Lines that begin a paragraph or an item.
_UNIT = re.compile(
    r"^ ?(?:\(\d+\)(?! numaralı)|[a-zçğıöşü]\)|1\) (?:Meslek hastalığı|\(Değ)) ?", re.M
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A chunk and where its text stands in the joined pages."""

    chunk: Chunk
    start: int
    end: int


def legal_rows(data: Path) -> list[Row]:
    """The rows of the table: ``measure`` and ``value``.

    :param data: folder that holds ``docs/tr``.
    """
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    engine = ocr_of("auto", {})
    folder = data / "docs" / "tr"
    whole = {
        name: wanted
        for name, wanted in expected.items()
        if wanted["source"] == "whole" and (engine or not wanted.get("ocr"))
    }
    exact = [name for name in whole if counted(folder / name, engine) == listed(whole[name])]
    missed = sorted(set(whole) - set(exact))
    pages = load(folder / LAW)
    chunks = list(LegalChunker(size=SIZE).split(pages))
    placed = list(places(pages, chunks))
    values = {
        "legal_files_exact": f"{len(exact)} of {len(whole)}",
        "legal_files_wrong": ", ".join(missed),
        "law6331_mixed_or_cut_articles": len(faulty_articles(pages, placed)),
        "law6331_long_items": len(long_units(pages)),
        "wrong_pages": wrong_pages(pages, chunks),
    }
    return [{"measure": name, "value": value} for name, value in values.items()]


def load(path: Path, engine: OcrEngine | None = None) -> list[Page]:
    """Pages of a file as docrag reads it."""
    return list(PdfLoader(ocr=engine, timeout=600).load(path.read_bytes(), filename=path.name))


def counted(path: Path, engine: OcrEngine | None = None) -> dict[str, list[str]]:
    """Numbers of the articles that the chunks of a file name, by kind, in order, each once."""
    found: dict[str, list[str]] = {}
    for chunk in LegalChunker(size=SIZE).split(load(path, engine)):
        if chunk.article is not None:
            numbers = found.setdefault(chunk.article.kind, [])
            if chunk.article.number not in numbers:
                numbers.append(chunk.article.number)
    return found


def listed(wanted: dict[str, Any]) -> dict[str, list[str]]:
    """The numbers that ``legal.json`` writes as ``1-25 25/a 26-39``."""
    kinds = ("madde", "ek", "gecici", "mukerrer")
    return {kind: list(_numbers(wanted[kind])) for kind in kinds if kind in wanted}


def _numbers(text: str) -> Iterator[str]:
    for part in text.split():
        first, _, last = part.partition("-")
        if last:
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield first


def places(pages: Sequence[Page], chunks: Sequence[Chunk]) -> Iterator[Placed]:
    """Where each chunk stands in the pages joined by line ends.

    :raises ValueError: a chunk's text does not stand there, or chunks are out of order.
    """
    whole = "\n".join(page.text for page in pages)
    start = 0
    for chunk in chunks:
        start = whole.index(chunk.text, start)
        yield Placed(chunk=chunk, start=start, end=start + len(chunk.text))
        start += len(chunk.text)


def faulty_articles(pages: Sequence[Page], placed: Sequence[Placed]) -> set[int]:
    """Which articles of Law 6331, from 0, are mixed with another, cut below an item or missing.

    An item counts with the numbered items in it, however long: one that is cut between them is cut.
    """
    whole = "\n".join(page.text for page in pages)
    articles = _articles(whole)
    faulty = set(range(len(articles), ARTICLES))
    for part in placed:
        held = [
            n for n, (start, end) in enumerate(articles) if start < part.end and part.start < end
        ]
        if len(held) > 1:
            faulty.update(held)
        if held and part.chunk.article is None and not _is_footnote(part.chunk.text):
            faulty.update(held)
    starts = [start for start, _ in articles]
    for start, end in _units(pages):
        inside = any(part.start <= start and end <= part.end for part in placed)
        if not inside:
            faulty.add(bisect_right(starts, start) - 1)
    return faulty


def long_units(pages: Sequence[Page]) -> list[tuple[int, int]]:
    """Paragraphs and items of Law 6331 that alone are longer than a chunk and yet must be whole."""
    return [(start, end) for start, end in _units(pages) if end - start > SIZE]


def _is_footnote(text: str) -> bool:
    return text.startswith(("–––", "___"))


def _articles(whole: str) -> list[tuple[int, int]]:
    """From the word MADDE to the last full stop before the next article's title."""
    end = whole.index(_END)
    starts = [found.start() for found in _HEADING.finditer(whole, 0, end)]
    return [
        (start, start + _text_end(whole[start:behind]))
        for start, behind in zip(starts, [*starts[1:], end], strict=True)
    ]


def _text_end(article: str) -> int:
    """Place behind the last line that ends as a sentence, footnotes left out."""
    rule = re.search(r"^[–_]{6,}", article, re.M)
    body = article[: rule.start()] if rule and "\n(" not in article[rule.end() + 300 :] else article
    ends = [found.end() for found in re.finditer(r"[.:,](?: ?\(\d\))?(?= *$)", body, re.M)]
    return ends[-1] if ends else len(body)


def _units(pages: Sequence[Page]) -> list[tuple[int, int]]:
    """Paragraphs and items, each from its number to the last character before the next one."""
    whole = "\n".join(page.text for page in pages)
    notes = _footnotes(pages)
    found: list[tuple[int, int]] = []
    for first, last in _articles(whole):
        marks = [m.start() for m in _UNIT.finditer(whole, first, last)]
        starts = [first, *(at for at in marks if not any(a <= at < b for a, b in notes))]
        for start, behind in zip(starts, [*starts[1:], last], strict=True):
            end = behind
            for note_start, note_end in notes:
                if start < note_start and not _PRINTED.sub("", whole[note_end:end]).strip():
                    end = min(end, note_start)
            text = _PRINTED.sub("", whole[start:end])
            found.append((start + len(text) - len(text.lstrip()), start + len(text.rstrip())))
    return found


def _footnotes(pages: Sequence[Page]) -> list[tuple[int, int]]:
    """Footnotes, each to the end of its page."""
    found: list[tuple[int, int]] = []
    place = 0
    for page in pages:
        rule = re.search(r"^ ?[–_]{6,}", page.text, re.M)
        if rule:
            found.append((place + rule.start(), place + len(page.text)))
        place += len(page.text) + 1
    return found


def wrong_pages(pages: Sequence[Page], chunks: Sequence[Chunk]) -> int:
    """Sentences of chunks of which a part does not stand on the page that the chunk tells."""
    texts = {page.number: page.text for page in pages}
    wrong = 0
    for chunk in chunks:
        place = 0
        for sentence in sentences(chunk.text):
            place = chunk.text.index(sentence, place)
            wrong += not all(
                piece.strip() in texts[number]
                for number, piece in _pieces(chunk, place, place + len(sentence))
            )
            place += len(sentence)
    return wrong


def _pieces(chunk: Chunk, start: int, end: int) -> Iterator[tuple[int | None, str]]:
    """A sentence page by page: what the chunk says is the page, and the sentence's text there."""
    borders = [start, *(at for at in chunk.page_breaks if start < at < end), end]
    for first, last in zip(borders, borders[1:], strict=False):
        yield chunk.page_at(first), chunk.text[first:last]
