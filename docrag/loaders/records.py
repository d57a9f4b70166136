"""Pages as they cross the border between the child process that reads a file and its parent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from docrag.api import LoaderError, Page

#: One page as the child sends it: ``text``, ``section``, ``warning`` and ``number`` ("" for none).
Record: TypeAlias = dict[str, str]
#: Stands between the name of a file and the reason in what a loader says about a refusal.
REFUSED = " was refused: "


def records(pages: Callable[[], Iterable[Page]]) -> Iterator[Record]:
    """One record a page in order, or behind them one ``error`` for a refusal.

    :param pages: reads the file; its refusal is a LoaderError with the reason, which may stand
        behind the name of the file.
    """
    try:
        for page in pages():
            number = "" if page.number is None else str(page.number)
            yield {
                "text": page.text,
                "section": page.section,
                "warning": page.warning,
                "number": number,
            }
    except LoaderError as exc:
        # The parent knows the name of the file and says it.
        yield {"error": str(exc).partition(REFUSED)[2] or str(exc)}


def page_of(record: Record) -> Page:
    """The page that a record was made from."""
    number = record["number"]
    return Page(
        number=int(number) if number else None,
        text=record["text"],
        section=record["section"],
        warning=record["warning"],
    )
