"""An example plugin: reads CSV files, one section a row, so that an answer cites the row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from unicodedata import normalize

from docrag.api import LoaderError, Page


class CsvLoader:
    """Reads comma-separated UTF-8 files whose first row names the columns."""

    def load(self, data: bytes, *, filename: str) -> Iterator[Page]:
        """One page without a number for every row, its cells as ``column: value``.

        :raises LoaderError: not UTF-8, or nothing below the row of column names.
        """
        try:
            text = normalize("NFC", data.decode("utf-8-sig"))
        except UnicodeDecodeError as exc:
            raise LoaderError(f"{filename!r} is not UTF-8 text; save it as CSV UTF-8") from exc
        rows = list(csv.DictReader(io.StringIO(text)))
        if not rows:
            raise LoaderError(f"{filename!r} has no row below its column names")
        for number, row in enumerate(rows, start=1):
            cells = "; ".join(f"{column}: {value}" for column, value in row.items() if value)
            yield Page(number=None, text=cells, section=f"satır {number}")
