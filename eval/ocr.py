"""How well and how fast scanned pages of Law 6331 are read: ``make eval-ocr``."""

from __future__ import annotations

import os
import re
import sys
import time
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pypdfium2

from docrag.api import SettingsError
from docrag.loaders.ocr import ocr_of
from docrag.loaders.raster import Raster
from eval.report import Row, write

#: The law with its own text, the measure of all pages.
LAW: Final = "tr/kanun_6331.pdf"
#: Files with a page each, and the page of the law that it shows.
PAGES: Final = (
    (LAW, ((7, 7), (8, 8), (10, 10), (15, 15))),
    ("synthetic/tarama_6331_s7_8_10.pdf", ((1, 7), (2, 8), (3, 10))),
)
#: Signs that are printed alike.
_ALIKE: Final = (("[\xad\u2010-\u2015]+", "-"), ("[“”„]", '"'), ("[’‘]", "'"))


def main() -> int:
    """Print the table and write it to ``eval/results/ocr.json``."""
    docs = Path(os.environ.get("DATA", "../shared/data")) / "docs"
    if not (docs / LAW).is_file():
        sys.stderr.write(f"no {LAW} below {docs}; set DATA\n")
        return 1
    try:
        found = rows(docs)
    except SettingsError as exc:
        sys.stderr.write(f"{exc}\n")
        return 1
    for row in found:
        sys.stdout.write("  ".join(f"{key} {value}" for key, value in row.items()) + "\n")
    sys.stdout.write(f"{write('ocr', {'ocr': 'tesseract', 'language': 'tur'}, found)}\n")
    return 0


def rows(docs: Path) -> list[Row]:
    """One row a page.

    :raises SettingsError: Tesseract or its Turkish is missing.
    """
    law = pypdfium2.PdfDocument(docs / LAW)
    # Not as docrag stores it: the picture has printed page numbers too.
    printed = {
        number: flat(page.get_textpage().get_text_range().replace("\x02", "-"))
        for number, page in enumerate(law, start=1)
    }
    return [row for name, pages in PAGES for row in _rows(docs / name, pages, printed)]


def _rows(path: Path, pages: Sequence[tuple[int, int]], printed: dict[int, str]) -> Iterator[Row]:
    engine = ocr_of("tesseract", {})
    raster = Raster(timeout=60, memory_limit=1024)
    data = path.read_bytes()
    if engine is None:
        return
    for number, of_law in pages:
        start = time.monotonic()
        picture = raster.page(data, number, filename=path.name)
        drawn = time.monotonic()
        read = engine.read(picture.png, dpi=picture.dpi)
        done = time.monotonic()
        said, wanted = flat(read.text), printed[of_law]
        yield {
            "file": path.name,
            "page": number,
            "dpi": picture.dpi,
            "cer": round(distance(said, wanted) / len(wanted), 4),
            "wer": round(distance(said.split(), wanted.split()) / len(wanted.split()), 4),
            "confidence": round(read.confidence or 0.0, 3),
            "draw_s": round(drawn - start, 2),
            "read_s": round(done - drawn, 2),
        }


def flat(text: str) -> str:
    """The text as one line, signs that are printed alike made one."""
    text = unicodedata.normalize("NFC", text)
    for pattern, sign in _ALIKE:
        text = re.sub(pattern, sign, text)
    return " ".join(text.split())


def distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Insertions, deletions and replacements that make one of the other (Levenshtein, 1966)."""
    kinds = {item: number for number, item in enumerate({*first, *second})}
    column = np.array([kinds[item] for item in second], dtype=np.int64)
    steps = np.arange(len(second) + 1)
    row = steps
    for number, item in enumerate(first, start=1):
        changed = np.minimum(row[1:] + 1, row[:-1] + (column != kinds[item]))
        row = np.minimum.accumulate(np.concatenate(([number], changed)) - steps) + steps
    return int(row[-1])


if __name__ == "__main__":
    sys.exit(main())
