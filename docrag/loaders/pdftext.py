"""The text of a PDF's pages by two readers, pdfium and pypdf, each in a child process."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docrag.api import LoaderError
from docrag.loaders import abreast, cores
from docrag.loaders.pdfkind import marked, other_kind
from docrag.loaders.sandbox import ADVICE, Output, ReaderStopped, Running, Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: Most memory of the child that runs pdfium, MiB beside the file: 90 is enough for every file of
#: the study but bombs, and a worker with its children has 600.
PDFIUM_MEMORY = 320
#: The same for pypdf, which ends by itself at content that unpacks to more than 75 MB.
PYPDF_MEMORY = 448
#: Bytes of a file up to which several readers share it: each holds all of it.
MOST_SHARED = 8 * 1024 * 1024
#: Most readers of a file. Each has the limits of one, for pdfium takes a page for blank where it
#: lacks memory; two that need much memory end their sharing (`docrag.loaders.pdfiumpages`).
MOST = 2
#: Times that pdfium may break down over one file before pypdf reads the rest.
MOST_DEATHS = 3
#: Pages that a reader is asked for at once: their numbers are an argument of its process.
MOST_NUMBERS = 1000
#: Share of the time that is left which pdfium may take before it is said to hang at a page; it
#: reads 80 pages a second, so that all but the largest files are long done.
PDFIUM_SHARE = 0.6
_PDFIUM, _PYPDF = "docrag.loaders.pdfiumpages:read", "docrag.loaders.pdfpages:read"
#: Marks of a page that pdfium cannot open: it has been read twice, and cannot be drawn.
_PYPDF_ALONE = {"reader": "pypdf", "second": "yes", "undrawable": "yes"}
_MIB = 1024 * 1024
_TOO_MUCH = "it takes too much time or memory"


def _idle() -> int:
    """Processors for readers, asked while the first one runs."""
    return cores.idle(own=2)


class PdfText:
    """Reads with pdfium, and with pypdf where that fails; safe to use from many threads."""

    def __init__(
        self,
        *,
        timeout: float,
        memory_limit: int,
        max_pages: int,
        idle: Callable[[], int] = _idle,
    ) -> None:
        """Build without reading anything.

        :param timeout: seconds that a file's text may take, all readers together.
        :param memory_limit: address space of the children that read a file at a time, MiB; less is
            used where less will do.
        :param max_pages: longer documents are refused.
        :param idle: tells how many processors are free; so many readers share a long file.
        """
        self._idle = idle
        self._timeout = timeout
        self._memory_limit = memory_limit
        self._max_pages = max_pages

    def read(self, data: bytes, *, filename: str, first: int) -> Iterator[dict[str, str]]:
        """Records of all pages in order, from page ``first`` on.

        A page at which pdfium breaks down or stays too long is read by pypdf; one that neither can
        read has a ``warning``. A file that pdfium cannot open is read by pypdf from its start.

        :raises LoaderError: no PDF, damaged, protected, without pages or over a limit.
        """
        reason = other_kind(data)
        if reason:
            raise LoaderError(f"{filename!r} was refused: {reason}")
        end = time.monotonic() + self._timeout
        readers = self._readers(len(data))
        deaths = 0
        while deaths < MOST_DEATHS:
            try:
                for record in self._pdfium(
                    data, filename, PDFIUM_SHARE * _left(end), first, readers
                ):
                    if "refused" in record and "final" not in record:
                        yield from self._alone(data, filename, end, first)
                        return
                    yield {**_checked(record, filename), "reader": "pdfium"}
                    first = int(record["number"]) + 1
            except abreast.AloneError:
                readers = 1
            except ReaderStopped:
                yield from self._at(first, data, filename, _left(end) / 2)
                first, deaths = first + 1, deaths + 1
            else:
                return
        yield from self._alone(data, filename, end, first)

    def _readers(self, size: int) -> int:
        """How many readers of pdfium may share a file of so many bytes, together within limits."""
        most = self._memory_limit // self._memory(_PDFIUM, size)
        return MOST if size <= MOST_SHARED and most >= MOST else 1

    def _memory(self, reader: str, size: int) -> int:
        """Address space of a reader of so many bytes, MiB."""
        most = PDFIUM_MEMORY if reader == _PDFIUM else PYPDF_MEMORY
        return min(self._memory_limit, most + 3 * size // _MIB)

    def _pdfium(
        self, data: bytes, filename: str, seconds: float, first: int, readers: int
    ) -> Iterator[dict[str, str]]:
        """Records of pdfium from a page on, by several readers if the file is long.

        :param readers: most of them; as many read as processors are free.
        """
        output, count = Output(), readers
        leader: Running

        @contextmanager
        def start(reader: int) -> Iterator[Running]:
            nonlocal leader
            options = {"first": first, "reader": reader, "readers": count}
            box = self._sandbox(_PDFIUM, len(data), seconds, options)
            asks = reader == 0 and readers > 1
            with box.running(data, filename=filename, output=output, asks=asks) as running:
                leader = running if reader == 0 else leader
                yield running

        def agree(worth: int) -> int:
            nonlocal count
            count = max(1, min(worth, self._idle()))
            leader.tell(count)
            return count

        return abreast.read(start, first=first, most=readers, agree=agree)

    def second(
        self, data: bytes, numbers: Sequence[int], *, filename: str
    ) -> Iterator[dict[str, str]]:
        """What pypdf reads on these pages; nothing from the first on that it cannot finish.

        :param numbers: physical pages from 1, in order.
        """
        end = time.monotonic() + self._timeout
        try:
            for at in range(0, len(numbers), MOST_NUMBERS):
                part = numbers[at : at + MOST_NUMBERS]
                for record in self._pypdf(data, filename, _left(end), numbers=part):
                    if "refused" in record:
                        return
                    yield {**record, "reader": "pypdf"}
        except LoaderError:
            return

    def _alone(
        self, data: bytes, filename: str, end: float, first: int
    ) -> Iterator[dict[str, str]]:
        """Records of pypdf without a word of pdfium."""
        try:
            for record in self._pypdf(data, filename, _left(end), first=first):
                if "refused" in record and not marked(data):
                    raise LoaderError(f"{filename!r} was refused: it is not a PDF")
                yield {**_checked(record, filename), **_PYPDF_ALONE}
        except ReaderStopped as exc:
            if exc.cause != "time":
                raise
            late = f"it was not read within {self._timeout:g} seconds; {ADVICE}"
            raise LoaderError(f"{filename!r} was refused: {late}") from exc

    def _at(
        self, number: int, data: bytes, filename: str, seconds: float
    ) -> Iterator[dict[str, str]]:
        """What pypdf reads on a page at which pdfium broke down; it must not be drawn, either."""
        try:
            records = list(self._pypdf(data, filename, seconds, numbers=[number]))
        except ReaderStopped:
            records = [{"number": str(number), "text": "", "warning": _TOO_MUCH}]
        for record in records:
            yield {**_checked(record, filename), **_PYPDF_ALONE}

    def _pypdf(
        self,
        data: bytes,
        filename: str,
        seconds: float,
        *,
        first: int = 1,
        numbers: Sequence[int] = (),
    ) -> Iterator[dict[str, str]]:
        """Records of pypdf from a page on, or of these pages alone."""
        options: dict[str, int | Sequence[int]] = {"first": first, "numbers": list(numbers)}
        box = self._sandbox(_PYPDF, len(data), seconds, options)
        return box.run(data, filename=filename)

    def _sandbox(
        self,
        reader: str,
        size: int,
        seconds: float,
        options: Mapping[str, int | Sequence[int]],
    ) -> Sandbox:
        """A reader with its limits.

        :param size: bytes of the file.
        """
        return Sandbox(
            reader=reader,
            timeout=max(1.0, seconds),
            memory_limit=self._memory(reader, size),
            options={"max_pages": self._max_pages, **options},
        )


def _left(end: float) -> float:
    """Seconds until then, 0 or more."""
    return max(0.0, end - time.monotonic())


def _checked(record: dict[str, str], filename: str) -> dict[str, str]:
    """The record of a page.

    :raises LoaderError: it is a refusal.
    """
    if "refused" in record:
        raise LoaderError(f"{filename!r} was refused: {record['refused']}")
    return record
