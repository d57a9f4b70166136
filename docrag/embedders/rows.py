"""Checked rows of vectors: what every embedder of this package hands out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence, Sized

import numpy as np

from docrag.api import EmbedderError, Vectors


class FaultyRow(EmbedderError):
    """A vector is missing, too short or long, zero or not finite; one text may be the cause."""


def composed(text: str) -> str:
    """The text in composed form (NFC) without NUL characters and lone surrogates.

    A decomposed ``ğ`` would be another token, a NUL ends a C string, and a lone surrogate has no
    UTF-8 form; each is replaced before a model sees it.
    """
    clean = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", clean)


def unit_rows(rows: object, *, count: int, dim: int, model_id: str) -> Vectors:
    """Rows of Euclidean length 1.

    :param rows: anything that numpy reads as a table of numbers, in input order.
    :param count: how many rows there must be, 1 or more.
    :param dim: how many numbers each must have.
    :returns: float32 of shape ``(count, dim)``.
    :raises FaultyRow: a row is missing, of another length, or zero, or holds NaN, an infinity or a
        null.
    :raises EmbedderError: not numbers.
    """
    table = _table(rows, model_id)
    if table.ndim != 2 or table.shape[0] != count:
        got = table.shape[0] if table.ndim else 0
        raise FaultyRow(f"{model_id}: {count} vectors were asked for, {got} came back")
    if table.shape[1] != dim:
        raise FaultyRow(
            f"{model_id}: vectors have {table.shape[1]} numbers, the option dim says {dim}; "
            f"set dim={table.shape[1]} or choose the model with {dim}"
        )
    with np.errstate(all="ignore"):  # what overflows is infinite, and refused below
        lengths = np.linalg.norm(table, axis=1)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise FaultyRow(f"{model_id}: a vector is zero or not finite")
    rows_of_one: Vectors = (table / lengths[:, np.newaxis]).astype(np.float32)
    return rows_of_one


def _table(rows: object, model_id: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if isinstance(rows, Sequence) and len({_length(row) for row in rows}) > 1:
        raise FaultyRow(f"{model_id}: vectors of different lengths came back")
    try:
        return np.array(rows if rows is not None else (), dtype=np.float64)
    except OverflowError as exc:
        raise FaultyRow(f"{model_id}: a vector is zero or not finite") from exc
    except (TypeError, ValueError) as exc:
        raise EmbedderError(f"{model_id}: the answer holds no table of numbers") from exc


def _length(row: object) -> int:
    """Numbers in a row; none in what is no row, such as a null."""
    return len(row) if isinstance(row, Sized) else 0


def first(rows: Vectors) -> Vectors:
    """The first row, float32 ``(dim,)``."""
    row: Vectors = rows[0]
    return row


def no_rows(dim: int) -> Vectors:
    """What no texts give: float32 of shape ``(0, dim)``."""
    return np.empty((0, dim), dtype=np.float32)


def clean(texts: Sequence[str]) -> list[str]:
    """Every text as :func:`composed` gives it."""
    return [composed(text) for text in texts]
