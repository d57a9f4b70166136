"""Pages of a long file that several readers read: the same records as from one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO

import pypdf
import pytest

from docrag.api import LoaderError
from docrag.loaders import pdfiumpages, sandbox
from docrag.loaders.abreast import AloneError, read
from docrag.loaders.pdftext import PdfText
from docrag.loaders.shares import share

Records = list[dict[str, str]]


def records_of(count: int, first: int = 1, reader: int = 0) -> Records:
    numbers = share(first, count, reader=reader, most=2)
    return [{"number": str(number), "of": str(count)} for number in numbers]


class Started:
    """Starts readers that give these records, and knows which of them run."""

    def __init__(self, *shares: Records) -> None:
        self.shares = shares
        self.running: list[int] = []

    def __call__(self, reader: int) -> AbstractContextManager[Iterator[dict[str, str]]]:
        return self._start(reader)

    @contextmanager
    def _start(self, reader: int) -> Iterator[Iterator[dict[str, str]]]:
        self.running.append(reader)
        try:
            yield iter(self.shares[reader])
        finally:
            self.running.remove(reader)


@pytest.mark.parametrize("first", [1, 6])
def test_records_of_two_readers_come_in_order(first: int) -> None:
    started = Started(records_of(30, first), records_of(30, first, 1))
    found = [int(record["number"]) for record in read(started, first=first, most=2)]
    assert found == list(range(first, 31))
    assert started.running == []


def test_short_file_starts_no_second_reader() -> None:
    started = Started(records_of(7))
    assert len(list(read(started, first=1, most=2))) == 7


@pytest.mark.parametrize(("count", "asked"), [(7, []), (30, [2])])
def test_number_of_readers_is_agreed_for_long_files(count: int, asked: list[int]) -> None:
    found: list[int] = []

    def alone(worth: int) -> int:
        found.append(worth)
        return 1

    pages = [{"number": str(number), "of": str(count)} for number in range(1, count + 1)]
    assert list(read(Started(pages), first=1, most=2, agree=alone)) == pages
    assert found == asked


@pytest.mark.parametrize("refusal", [[], [{"refused": "damaged"}]])
def test_refusal_comes_as_it_is(refusal: Records) -> None:
    assert list(read(Started(refusal), first=1, most=2)) == refusal


def test_readers_end_with_the_iterator() -> None:
    started = Started(records_of(30), records_of(30, reader=1))
    found = read(started, first=1, most=2)
    next(found)
    assert started.running == [0, 1]
    del found
    assert started.running == []


@pytest.mark.parametrize(
    "second", [[], [{"refused": "damaged"}], records_of(40, 2, 1), [{"heavy": "4"}]]
)
def test_readers_that_do_not_agree_stop_at_the_page(second: Records) -> None:
    found: Records = []
    with pytest.raises(AloneError):
        found.extend(read(Started(records_of(30), second), first=1, most=2))
    assert [record["number"] for record in found] == ["1", "2", "3"]


@pytest.fixture(scope="module")
def long_pdf(pdf_sample: bytes) -> bytes:
    """24 pages, of which each is numbered."""
    writer = pypdf.PdfWriter()
    for _ in range(6):
        writer.append(BytesIO(pdf_sample))
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def text_of(data: bytes, readers: int, first: int = 1) -> Records:
    reader = PdfText(timeout=60, memory_limit=1024, max_pages=5000, idle=lambda: readers)
    return list(reader.read(data, filename="a.pdf", first=first))


@pytest.mark.parametrize("first", [1, 4, 20, 25])
def test_two_readers_read_what_one_reads(long_pdf: bytes, first: int) -> None:
    alone = text_of(long_pdf, 1, first)
    assert text_of(long_pdf, 2, first) == alone
    assert len(alone) == 25 - first


@pytest.mark.parametrize(("reader", "others"), [("die", ["5"]), ("grow", []), ("differ", [])])
def test_trouble_costs_no_page(
    long_pdf: bytes, reader: str, others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docrag.loaders.pdftext._PDFIUM", f"tests.unit.loaders.twins:{reader}")
    monkeypatch.setenv("PYTHONPATH", ".")
    found = text_of(long_pdf, 2)
    assert [record["number"] for record in found] == [str(number) for number in range(1, 25)]
    assert [record["number"] for record in found if record["reader"] == "pypdf"] == others


def test_readers_share_what_may_be_sent(long_pdf: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum(len(record["text"]) for record in text_of(long_pdf, 1))
    monkeypatch.setattr(sandbox, "MAX_OUTPUT", size)
    with pytest.raises(LoaderError, match="holds more than"):
        text_of(long_pdf, 2)


def test_reader_that_needs_much_memory_ends_the_sharing(
    long_pdf: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdfiumpages, "HEAVY", 0)
    pages = pdfiumpages.read(long_pdf, max_pages=99, first=2, reader=1, readers=2)
    assert list(pages) == [{"heavy": "5"}]
    alone = pdfiumpages.read(long_pdf, max_pages=99, first=20, reader=0, readers=2)
    assert [page["number"] for page in alone] == ["20", "21", "22", "23", "24"]


@pytest.mark.parametrize(
    ("memory", "size", "readers"), [(1024, 9, 2), (512, 9, 1), (1024, 2**24, 1)]
)
def test_file_is_shared_within_the_memory_of_one(memory: int, size: int, readers: int) -> None:
    reader = PdfText(timeout=60, memory_limit=memory, max_pages=5000, idle=lambda: 8)
    assert reader._readers(size) == readers
