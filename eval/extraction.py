"""How docrag reads real files: faults of Turkish text, awkward files, the articles of laws.

Run by ``make eval-extraction``: reads every file of ``DATA/docs`` with the loaders as they are
installed, prints the tables and writes ``eval/results/extraction.json``; the exit status is 1 if a
bar is missed. Scans are recognised if Tesseract and its Turkish are installed.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click
import pypdf
import pypdfium2

from docrag.api import OcrEngine
from docrag.loaders.ocr import ocr_of
from eval import report
from eval.extracted import Extracted, extracted, peak, silent
from eval.legal import legal_rows
from eval.report import Row
from eval.textquality import Splits, hyphen_errors, splits, wrong_letters

NAME: Final = "extraction"
#: Text that every ``text/talimat_*`` says; one of them ends in the middle.
REFERENCE: Final = "text/talimat_utf8_lf.txt"
CUT_SHORT: Final = "text/talimat_truncated_utf8.txt"
#: Articles of files of which all or most pages are pictures.
SCANS: Final = {
    "tr/firat_016.pdf": tuple(range(1, 21)),
    "synthetic/bir_metin_uc_tarama.pdf": (10, 11, 12, 13, 16, 17),
}
#: Most that a measure may be.
BARS: Final = {
    "split_words_per_10000": 2.0,
    "wrong_letters_stored": 0,
    "hyphen_errors": 2,
    "crashes": 0,
    "silent_failures": 0,
    "peak_mb": 600.0,
    "law6331_mixed_or_cut_articles": 0,
    "wrong_pages": 0,
}
#: Measures of which all must be right.
WHOLE: Final = ("text_files_equal", "legal_files_exact", "scanned_articles_found")


def main() -> int:
    """Read, print, write; 1 if a bar is missed, 2 without data."""
    logging.disable(logging.WARNING)
    data = Path(os.environ.get("DATA", "../shared/data"))
    if not (data / "docs" / "tr").is_dir():
        click.echo(f"no files in {data / 'docs'}; set DATA", err=True)
        return 2
    engine = ocr_of("auto", {})
    started = time.monotonic()
    with peak() as most:
        files = list(extracted(data / "docs", engine))
        measures = [*_measures(files, data / "docs", engine), *legal_rows(data)]
    measures.append({"measure": "peak_mb", "value": most()})
    readers, ends = _readers(files, data / "docs"), _ends(files)
    _print(readers, measures, ends)
    settings = {
        "files": len(files),
        "ocr": engine.name if engine else "none",
        "seconds": round(time.monotonic() - started),
    }
    path = report.write(NAME, settings, [*measures, *readers, *ends])
    click.echo(f"written to {path.parent.name}/{path.name}")
    return 0 if _held(measures) else 1


def _measures(files: Sequence[Extracted], documents: Path, engine: OcrEngine | None) -> list[Row]:
    """Rows of the whole: ``measure`` and ``value``."""
    pages = {
        (file.name, page.number): page.text
        for file in files
        for page in file.pages
        if page.number is not None
    }
    errors, hyphens = hyphen_errors(pages)
    lost = {file.name: silent(file, documents) for file in files}
    values: dict[str, object] = {
        "split_words_per_10000": splits(_turkish(files)).rate,
        "wrong_letters_stored": wrong_letters(file.text for file in files),
        "hyphen_errors": errors,
        "hyphens_checked": hyphens,
        "text_files_equal": _equal(files),
        "crashes": sum(bool(file.crash) for file in files),
        "silent_failures": sum(map(bool, lost.values())),
        "silent_failures_in": ", ".join(f"{name} ({what})" for name, what in lost.items() if what),
        "slowest_refusal_s": round(max(f.seconds for f in files if f.refused), 2),
    }
    if engine:
        values["scanned_articles_found"] = _scanned(files)
    return [{"measure": name, "value": value} for name, value in values.items()]


def _turkish(files: Sequence[Extracted]) -> dict[str, str]:
    return {file.name: file.text for file in files if file.name.startswith("tr/")}


def _equal(files: Sequence[Extracted]) -> str:
    """Text files that are decoded to the reference, ``n of m``."""
    texts = {file.name: file.text for file in files if file.name.startswith("text/talimat_")}
    reference = texts.get(REFERENCE, "")
    right = [
        # Of the last letter, half is missing.
        bool(text) and reference.startswith(text[:-1]) if name == CUT_SHORT else text == reference
        for name, text in texts.items()
    ]
    return f"{sum(right)} of {len(right)}"


def _scanned(files: Sequence[Extracted]) -> str:
    """Articles whose heading was recognised at the start of a line, ``n of m``."""
    texts = {file.name: file.text for file in files if file.name in SCANS}
    found = [
        bool(re.search(rf"^\W*MADDE {number}\b", texts.get(name, ""), re.MULTILINE))
        for name, numbers in SCANS.items()
        for number in numbers
    ]
    return f"{sum(found)} of {len(found)}"


def _readers(files: Sequence[Extracted], documents: Path) -> list[Row]:
    """Rows of split words: docrag beside the bare libraries, on the same files."""
    names = list(_turkish(files))
    rows = [_reader_row("docrag", splits(_turkish(files)))]
    for reader, read in (("pypdf", _pypdf), ("pypdfium2", _pdfium)):
        rows.append(_reader_row(reader, splits({name: read(documents / name) for name in names})))
    return rows


def _reader_row(reader: str, found: Splits) -> Row:
    return {
        "reader": reader,
        "split_words_per_10000": found.rate,
        "split_words": found.count,
        "files_hit": found.files,
        "words": found.words,
    }


def _pypdf(file: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)


def _pdfium(file: Path) -> str:
    document = pypdfium2.PdfDocument(file)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def _ends(files: Sequence[Extracted]) -> list[Row]:
    """A row for every file: how it ended."""
    return [
        {
            "file": file.name,
            "outcome": file.outcome,
            "seconds": round(file.seconds, 2),
            "pages": len(file.pages),
            "reason": file.crash or file.refused or "; ".join(file.warnings[:3]),
        }
        for file in files
    ]


def _print(readers: Sequence[Row], measures: Sequence[Row], ends: Sequence[Row]) -> None:
    """The tables for people."""
    click.echo(f"{'file':<52}{'outcome':<9}{'s':>7}{'pages':>7}  why")
    for row in ends:
        click.echo(
            f"{row['file'][:50]:<52}{row['outcome']:<9}{row['seconds']:>7.2f}{row['pages']:>7}  "
            f"{row['reason'][:90]}"
        )
    click.echo(f"\n{'reader':<12}{'split / 10,000':>15}{'split':>7}{'files':>7}{'words':>9}")
    for row in readers:
        click.echo(
            f"{row['reader']:<12}{row['split_words_per_10000']:>15.2f}{row['split_words']:>7}"
            f"{row['files_hit']:>7}{row['words']:>9}"
        )
    click.echo(f"\n{'measure':<34}value")
    for row in measures:
        click.echo(f"{row['measure']:<34}{row['value']}")


def _held(measures: Sequence[Row]) -> bool:
    """Whether every bar is held; says so."""
    held = True
    for row in measures:
        for name, test in _tests(row):
            good = test(row["value"])
            click.echo(f"bar {'held' if good else 'MISSED'}: {name} {row['value']}")
            held &= good
    return held


def _tests(row: Row) -> list[tuple[str, Callable[[Any], bool]]]:
    """The bar of a measure, if it has one."""
    name = row["measure"]
    if name in BARS:
        return [(f"{name} (at most {BARS[name]:g})", lambda value: value <= BARS[name])]
    if name in WHOLE:
        return [(f"{name} (all)", lambda value: len(set(str(value).split(" of "))) == 1)]
    return []


if __name__ == "__main__":
    sys.exit(main())
